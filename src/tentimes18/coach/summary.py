"""Many played games: how good, how lucky, where the points were lost, and whether it gets better.

Games are of one kind where they have the same dice and slots, were played for the same aim and are measured by the same
one, and where moves were taken back in all of them or in none. Chances are never added to points, nor practice to games
that count.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import hypot, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.coach.aims import Aim, Mean, aim_named, is_of_duels, own_aim, played_for, takebacks_of
from tentimes18.coach.batch_losses import Bools, Floats, Ints, batch_losses, other_scores, scores_of, threshold_table
from tentimes18.coach.losses import CLASSES, ERROR, ROUNDING, Worth
from tentimes18.coach.review import review, verify_size
from tentimes18.coach.skill import SkillLevel, level_of, random_loss
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Board, Game, Position
from tentimes18.records.formats import BadLine, Line
from tentimes18.records.notation import Record
from tentimes18.solve.parallel import Progress

COSTLIEST = 10
STRETCHES = 50
CLEAR = 2.0  # standard errors
MIN_GAMES = 5  # to tell whether it got better
# Games of a kind that are measured by a chance of their own: beyond, it takes more than some ten seconds.
MAX_DUELS = 400
MAX_FOR_TARGETS = 4000


@dataclass(frozen=True)
class MoveTable:
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

    >>> from tentimes18.records.notation import parse_record
    >>> found = summarise([parse_record("1d6 1,2: 5@1 4@2"), parse_record("1d6 1,2: 5@2 4@1")])
    >>> found.mean_score, found.skill, found.classes["inaccuracy"]
    (13.5, 0.75, 1)
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
    measured = batch_losses(game, threshold_table(game), rounds, rolls, slots)
    largest = float(game.multipliers[-1] - game.multipliers[0]) * max(map(abs, game.dice.support))
    bounds = [float(move_class.least) - ROUNDING * max(1.0, largest) for move_class in CLASSES[2:]]
    classes = np.where(measured.is_best, 0, 1 + np.searchsorted(bounds, measured.losses, side="right"))
    columns = measured.best, measured.losses, measured.lucks, measured.is_choice, classes
    return MoveTable(rounds, rolls, slots, *columns)


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
