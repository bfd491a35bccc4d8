"""Many played games: how good, how lucky, where the points were lost, and whether it gets better.

Games are of one kind where they have the same dice and slots, were played for the same aim and are measured by the same
one, and where moves were taken back in all of them or in none. Chances are never added to points, nor practice to games
that count.

By the mean all games are measured together, in float64: the formula of `coach.losses` on arrays. A move some ranks off
the best loses Σ (λ_{t+1} - λ_t) |x - E[t]| over the ranks between. Where E[t] = x or the two multipliers are equal a
step costs nothing; which steps those are is decided on the exact rows, not on floats. λ counts from the smallest
multiplier, so that large ones lose no digits; what that leaves out is the same in every slot, and is luck:
base (x - mean). Games go [rank, game], round by round, in plain numpy: that takes less time than to load a compiled
kernel.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import hypot, lcm, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.coach.aims import Aim, Mean, aim_named, is_of_duels, own_aim, played_for, takebacks_of
from tentimes18.coach.losses import CLASSES, ERROR, ROUNDING, Worth
from tentimes18.coach.review import review, verify_size
from tentimes18.coach.skill import SkillLevel, level_of, random_loss
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Board, Game, Position
from tentimes18.records.formats import BadLine, Line
from tentimes18.records.notation import Record
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import exact_thresholds

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

COSTLIEST = 10
STRETCHES = 50
CLEAR = 2.0  # standard errors
MIN_GAMES = 5  # to tell whether it got better
# Games of a kind that are measured by a chance of their own: beyond, it takes more than some ten seconds.
MAX_DUELS = 400
MAX_FOR_TARGETS = 4000
CELLS = 40_000  # of an array [rank, game], about a megabyte with all that is made of it
MAX_EXACT = 2**53  # up to here a float64 holds every integer


class MoveTable(NamedTuple):
    """The moves of many games, [game, round]; what was not played is 0.

    Slots are counted from 1; ``classes`` are places in CLASSES.
    """

    rounds: Ints
    rolls: Ints
    slots: Ints
    best: Ints
    losses: Floats
    lucks: Floats
    is_choice: Bools
    classes: Ints

    @property
    def is_played(self) -> NDArray[np.bool_]:
        """Which moves are there."""
        result: Bools = np.arange(self.rolls.shape[1]) < self.rounds[:, np.newaxis]
        return result


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """The moves of one round: how many were a choice, what they lost on average, how many were errors."""

    round: int
    choices: int
    mean_loss: float
    error_rate: float


@dataclass(frozen=True, slots=True)
class CostlyMove:
    """A move that lost much: in which of the games, by its number, and what would have been best."""

    game: int
    round: int
    roll: int
    slot: int
    best: int
    loss: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some games in a row, from ``first`` to ``last``: the mean score, and the skill shown in them."""

    first: int
    last: int
    mean_score: float | None
    skill: float | None


@dataclass(frozen=True, slots=True)
class Trend:
    """What a choice lost in the first third of the games and in the last; ``is_clear``: chance does not explain it."""

    first: float
    last: float
    is_clear: bool


@dataclass(frozen=True)
class Summary:
    """The games of one kind in sum; ``scores`` are those of the finished ones, an error is a move with a mark.

    Losses and luck are in points, or as a chance where the aim counts one. ``skill`` is the mean loss of the
    moves that were a choice.
    """

    game: Game
    aim: Aim
    games: int
    finished: int
    moves: int
    choices: int
    mean_score: float | None
    mean_optimal: float | None
    mean_best: float | None
    value: float
    mean_loss: float
    mean_luck: float
    skill: float | None
    error_rate: float | None
    classes: dict[str, int]
    rounds: tuple[RoundSummary, ...]
    costliest: tuple[CostlyMove, ...]
    progress: tuple[Stretch, ...]
    scores: Floats = field(repr=False, compare=False)
    table: MoveTable = field(repr=False, compare=False)

    @property
    def trend(self) -> Trend:
        """Whether the player gets better."""
        third = max(self.games // 3, 1)
        ends, errors = [], []
        for part in (slice(0, third), slice(self.games - third, self.games)):
            choices = max(int(self.table.is_choice[part].sum()), 1)
            ends.append(float(self.table.losses[part].sum()) / choices)
            errors.append(float(self.table.losses[part].sum(axis=1).std()) * sqrt(third) / choices)
        first, last = ends
        return Trend(first, last, is_clear=third >= MIN_GAMES and abs(first - last) > CLEAR * hypot(*errors))

    @property
    def means(self) -> dict[str, float]:
        """The mean score, and what it is to be compared with, where they are known."""
        found = {
            "mean score": self.mean_score,
            "optimal on the same rolls": self.mean_optimal,
            "hindsight on the same rolls": self.mean_best,
            "value of the game": self.value,
        }
        return {name: value for name, value in found.items() if value is not None}


def measure(records: Sequence[Record], aim: Aim | None = None, progress: Progress | None = None) -> MoveTable:
    """Measure all moves of games of one kind; by the mean a hundred thousand games take a fraction of a second."""
    verify_size(records[0].board.game)
    if aim is None or isinstance(aim, Mean):
        return _measured_by_mean(records)
    return _measured_by(records, aim, progress)


def _by_round(records: Sequence[Record]) -> tuple[Ints, Ints, Ints]:
    """The rounds of each game, and the rolls and slots, [game, round]; what was not played is 0."""
    rounds = np.array([record.board.rounds for record in records], dtype=np.int64)
    numbers = chain.from_iterable(chain.from_iterable(record.board.placements for record in records))
    moves = np.fromiter(numbers, dtype=np.int64, count=2 * int(rounds.sum()))
    is_played = np.arange(records[0].board.game.size) < rounds[:, np.newaxis]
    rolls, slots = np.zeros((2, *is_played.shape), dtype=np.int64)
    rolls[is_played], slots[is_played] = moves[::2], moves[1::2]
    return rounds, rolls, slots


def _measured_by(records: Sequence[Record], aim: Aim, progress: Progress | None) -> MoveTable:
    """Measure game by game."""
    rounds, rolls, slots = _by_round(records)
    best, classes = np.zeros((2, *rolls.shape), dtype=np.int64)
    losses, lucks = np.zeros((2, *rolls.shape))
    is_choice = np.zeros(rolls.shape, dtype=np.bool_)
    for g, record in enumerate(records):
        for r, move in enumerate(review(record, aim).moves):
            best[g, r], is_choice[g, r] = move.best_slots[0], move.is_choice
            losses[g, r], lucks[g, r] = move.loss, move.luck
            classes[g, r] = CLASSES.index(move.move_class)
        if progress:
            progress(g + 1, len(records))
    return MoveTable(rounds, rolls, slots, best, losses, lucks, is_choice, classes)


def _measured_by_mean(records: Sequence[Record]) -> MoveTable:
    """Measure all games together."""
    game = records[0].board.game
    rounds, rolls, slots = _by_round(records)
    best, classes = np.zeros((2, *rolls.shape), dtype=np.int64)
    losses, lucks = np.zeros((2, *rolls.shape))
    table = MoveTable(rounds, rolls, slots, best, losses, lucks, np.zeros(rolls.shape, dtype=np.bool_), classes)
    thresholds = threshold_table(game)
    for part in _parts(game, len(records)):
        columns: Any = [column[part] for column in table]
        _fill_in(game, thresholds, MoveTable(*columns))
    return table


class ThresholdTable(NamedTuple):
    """The thresholds of a game: E[k] is the row of k.

    low[k, p] of them are below the roll at place p of the dice, high[k, p] not above it.
    """

    E: Floats
    low: Ints
    high: Ints


def threshold_table(game: Game) -> ThresholdTable:
    """The thresholds of a game, for every number of free slots."""
    n, support = game.size, game.dice.support
    table = ThresholdTable(np.zeros((n + 1, n)), *np.zeros((2, n + 1, len(support)), dtype=np.int64))
    for k, row in enumerate(exact_thresholds(game.dice, n), start=1):
        table.E[k, :k] = row.floats()
        table.low[k] = [row.rank(x) - 1 for x in support]
        table.high[k] = [row.highest_rank(x) - 1 for x in support]
    return table


def _parts(game: Game, games: int) -> Iterator[slice]:
    length = max(1, CELLS // game.size)
    return (slice(first, first + length) for first in range(0, games, length))


def _fill_in(game: Game, thresholds: ThresholdTable, moves: MoveTable) -> None:
    """Measure the moves of some games, whose losses are still 0."""
    rounds, rolls, slots = moves.rounds, moves.rolls, moves.slots
    n, base, mean = game.size, game.multipliers[0], float(game.dice.mean)
    lam = np.array([float(multiplier - base) for multiplier in game.multipliers])
    group = np.array([game.multipliers.index(multiplier) for multiplier in game.multipliers])
    places = _places(game, rolls)
    largest = float(game.multipliers[-1] - base) * max(map(abs, game.dice.support))
    bounds = [float(move_class.least) - ROUNDING * max(1.0, largest) for move_class in CLASSES[2:]]
    free = np.repeat(np.arange(n)[:, np.newaxis], len(rounds), axis=1)
    for r in range(int(rounds.max(initial=0))):
        k = n - r
        x, row, t = rolls[:, r], thresholds.E[k - 1, : k - 1, np.newaxis], np.arange(k - 1)[:, np.newaxis]
        is_played = r < rounds
        rank = (free < slots[:, r] - 1).sum(axis=0)
        goal, last = thresholds.low[k - 1, places[:, r]], thresholds.high[k - 1, places[:, r]]
        values, groups = lam[free], group[free]
        counts = (groups[1:] != groups[:-1]) & ~((goal <= t) & (t < last)) & is_played
        is_lost = counts & (np.minimum(rank, goal) <= t) & (t < np.maximum(rank, goal))
        moves.is_choice[:, r] = counts.any(axis=0)
        moves.losses[:, r] = losses = ((values[1:] - values[:-1]) * np.abs(x - row) * is_lost).sum(axis=0)
        moves.classes[:, r] = is_lost.any(axis=0) * (1 + np.searchsorted(bounds, losses, side="right"))
        best = np.take_along_axis(free, goal[np.newaxis], axis=0)[0]
        after = lam[best] * x + (np.where(t < goal, values[:-1], values[1:]) * row).sum(axis=0)
        before = (values * thresholds.E[k, :k, np.newaxis]).sum(axis=0)
        moves.lucks[:, r] = np.where(is_played, after - before + float(base) * (x - mean), 0.0)
        first_equal = (groups < group[best]).sum(axis=0)
        moves.best[:, r] = (np.take_along_axis(free, first_equal[np.newaxis], axis=0)[0] + 1) * is_played
        free = np.where(t < rank, free[:-1], free[1:])


def _places(game: Game, rolls: Ints) -> Ints:
    """The places of rolls among those of the dice; of what was not rolled, any."""
    support = np.array(game.dice.support)
    return np.minimum(np.searchsorted(support, rolls), len(support) - 1)


def scores_of(game: Game, rolls: Ints, slots: Ints) -> Floats:
    """The scores of games, [game, round], as near as float64 can tell; a slot of 0 was not played."""
    unit = lcm(*(multiplier.denominator for multiplier in game.multipliers))
    points = [0, *(int(multiplier * unit) for multiplier in game.multipliers)]
    if max(map(abs, points)) * max(map(abs, game.dice.support)) * game.size < MAX_EXACT and unit < MAX_EXACT:
        scores: Floats = np.einsum("gr,gr->g", np.array(points)[slots], rolls) / unit
        return scores
    exact = (
        sum(points[slot] * roll for slot, roll in zip(*game_moves, strict=True))
        for game_moves in zip(slots.tolist(), rolls.tolist(), strict=True)
    )
    return np.array([score / unit for score in exact])


def other_scores(game: Game, table: ThresholdTable, rolls: Ints) -> tuple[Floats, Floats]:
    """What `optimal` and hindsight make of the rolls of finished games, [game, round]."""
    slots = np.empty(rolls.shape, dtype=np.int64)
    for part in _parts(game, len(rolls)):
        places = _places(game, rolls[part])
        free = np.repeat(np.arange(game.size)[:, np.newaxis], len(places), axis=1)
        for r in range(game.size):
            rank = table.low[game.size - r - 1, places[:, r]]
            slots[part, r] = np.take_along_axis(free, rank[np.newaxis], axis=0)[0] + 1
            free = np.where(np.arange(len(free) - 1)[:, np.newaxis] < rank, free[:-1], free[1:])
    in_order = np.broadcast_to(np.arange(1, game.size + 1), rolls.shape)
    return scores_of(game, rolls, slots), scores_of(game, np.sort(rolls, axis=1), in_order)


def summarise(
    games: Sequence[Record], aim: Aim | None = None, progress: Progress | None = None, numbers: Sequence[int] = ()
) -> Summary:
    """Measure games of one kind and add up; at least one is needed. Without numbers they count from 1."""
    game, aim = games[0].board.game, aim or Mean()
    table = measure(games, aim, progress)
    scores = scores_of(game, table.rolls, table.slots)
    is_finished = table.rounds == game.size
    optimal, best = other_scores(game, threshold_table(game), table.rolls[is_finished])
    choices = int(table.is_choice.sum())
    is_error = table.classes >= ERROR
    counts = np.bincount(table.classes[table.is_played], minlength=len(CLASSES)).tolist()
    return Summary(
        game=game,
        aim=aim,
        games=len(games),
        finished=int(is_finished.sum()),
        moves=int(table.rounds.sum()),
        choices=choices,
        mean_score=_mean(scores[is_finished]),
        mean_optimal=_mean(optimal),
        mean_best=_mean(best),
        value=float(Mean().worth(Position(Board(game)))),
        mean_loss=float(table.losses.sum()) / len(games),
        mean_luck=float(table.lucks.sum()) / len(games),
        skill=float(table.losses.sum()) / choices if choices else None,
        error_rate=int(is_error.sum()) / choices if choices else None,
        classes={found.name: count for found, count in zip(CLASSES, counts, strict=True)},
        rounds=tuple(_rounds(table, is_error)),
        costliest=tuple(_costliest(table, numbers or range(1, len(games) + 1))),
        progress=tuple(_stretches(table, scores, is_finished)),
        scores=scores[is_finished],
        table=table,
    )


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _rounds(table: MoveTable, is_error: Bools) -> list[RoundSummary]:
    sums = (table.is_choice.sum(axis=0), table.losses.sum(axis=0), is_error.sum(axis=0))
    return [
        RoundSummary(number, choices, loss / choices, errors / choices)
        for number, (choices, loss, errors) in enumerate(zip(*(part.tolist() for part in sums), strict=True), start=1)
        if choices
    ]


def _costliest(table: MoveTable, numbers: Sequence[int]) -> list[CostlyMove]:
    flat = table.losses.ravel()
    least = np.partition(flat, -COSTLIEST)[-COSTLIEST] if len(flat) > COSTLIEST else 0.0
    dear = np.flatnonzero((flat >= least) & (flat > 0))
    order = dear[np.argsort(-flat[dear], kind="stable")[:COSTLIEST]]
    rounds = table.rolls.shape[1]
    return [
        CostlyMove(
            game=numbers[int(place) // rounds],
            round=int(place) % rounds + 1,
            roll=int(table.rolls.ravel()[place]),
            slot=int(table.slots.ravel()[place]),
            best=int(table.best.ravel()[place]),
            loss=float(flat[place]),
        )
        for place in order
    ]


def _stretches(table: MoveTable, scores: Floats, is_finished: Bools) -> list[Stretch]:
    """Equally long parts of the games in their order, but for the last; at most so many."""
    length = -(-len(scores) // STRETCHES)
    parts = [np.arange(first, min(first + length, len(scores))) for first in range(0, len(scores), length)]
    return [
        Stretch(
            first=int(part[0]) + 1,
            last=int(part[-1]) + 1,
            mean_score=_mean(scores[part][is_finished[part]]),
            skill=float(table.losses[part].sum()) / choices if (choices := int(table.is_choice[part].sum())) else None,
        )
        for part in parts
    ]


class _Kind(NamedTuple):
    game: Game
    played_for: str
    has_opponent: bool
    is_practice: bool


class MeasuredGames(NamedTuple):
    """The games of one kind by line, in sum.

    ``played_for`` names the aim of the games, or the one that was given to measure them by; ``is_by_own_aim``: they
    were played for what they are measured by; ``is_practice``: moves were taken back.
    """

    lines: Sequence[Line]
    summary: Summary
    played_for: str
    is_by_own_aim: bool
    is_practice: bool

    @property
    def random_loss(self) -> Worth | None:
        """What skill is held against; None for practice, and for games that were played for something else."""
        is_rated = self.is_by_own_aim and not self.is_practice
        return random_loss(self.summary.game, self.summary.aim) if is_rated else None

    @property
    def level(self) -> SkillLevel | None:
        """A word for the skill of these games together, where it is to be had."""
        return level_of(self.summary.skill, self.random_loss)


def measured_kinds(
    lines: Sequence[Line], aim: str | None = None, progress: Progress | None = None
) -> tuple[list[MeasuredGames], list[BadLine]]:
    """The games of each kind in sum, measured by this aim, or each by its own; and those too large, as bad lines.

    What counts comes before practice, and the more frequent kind first.
    """
    found: list[MeasuredGames] = []
    bad: list[BadLine] = []
    for kind, of_kind in _sorted_by_kind(lines, aim):
        records = [line.record for line in of_kind]
        own = None if aim is not None else _own_aim(records[0], len(of_kind))
        try:
            by = own or aim_named(kind.game, aim or "mean")
            summary = summarise(records, by, progress, [line.number for line in of_kind])
        except (InvalidGame, TooLarge) as error:
            if error.field == "aim":
                raise
            bad += [BadLine(line.number, str(error)) for line in of_kind]
            continue
        if aim is None:
            is_own, name = own is not None, kind.played_for
        else:
            is_own, name = all(played_for(record) in ("mean", by.name) for record in records), by.name
        found.append(MeasuredGames(of_kind, summary, name, is_own, kind.is_practice))
    return found, sorted(bad)


def _sorted_by_kind(lines: Sequence[Line], aim: str | None) -> list[tuple[_Kind, list[Line]]]:
    kinds: dict[_Kind, list[Line]] = {}
    for line in lines:
        kinds.setdefault(_kind_of(line.record, aim), []).append(line)
    return sorted(kinds.items(), key=lambda entry: (entry[0].is_practice, -len(entry[1])))


def _kind_of(record: Record, aim: str | None) -> _Kind:
    """Where the aim is given, nothing else of what a game was played for matters."""
    name = played_for(record) if aim is None else aim
    has_opponent = aim is None and is_of_duels(name) and record.opponent is not None
    return _Kind(record.board.game, name, has_opponent, takebacks_of(record) > 0)


def _own_aim(record: Record, games: int) -> Aim | None:
    """The aim that so many games like this one were played for, where they are not too many for it."""
    name = played_for(record)
    most = MAX_DUELS if is_of_duels(name) else MAX_FOR_TARGETS
    return Mean() if name == "mean" else own_aim(record) if games <= most else None
