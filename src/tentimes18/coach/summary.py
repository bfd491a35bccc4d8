"""Many played games: how good, how lucky, where the points were lost, and whether it gets better.

Games are of one kind where they have the same dice and slots, were played for the same aim and are measured by the same
one, and where moves were taken back in all of them or in none. Chances are never added to points, nor practice to games
that count.

For the mean, equal decisions of different games are computed once, exactly, and rounded once.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import hypot, sqrt
from operator import mul
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Bools, Floats, Ints
from tentimes18.coach.aims import Aim, Mean, aim_named, is_of_duels, own_aim, played_for, takebacks_of
from tentimes18.coach.losses import CLASSES, ERROR, Worth, classify, decide
from tentimes18.coach.review import review, verify_size
from tentimes18.coach.skill import SkillLevel, level_of, random_loss
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Board, Game, Position
from tentimes18.records.formats import BadLine, Line
from tentimes18.records.notation import Record
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import exact_thresholds

COSTLIEST = 10
STRETCHES = 50
CLEAR = 2.0  # standard errors
MIN_GAMES = 5  # to tell whether it got better
# Games of a kind that are measured by a chance of their own: beyond, it takes more than some ten seconds.
MAX_DUELS = 400
MAX_FOR_TARGETS = 4000
MAX_KNOWN = 1 << 17  # measured moves in memory


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
    def is_played(self) -> Bools:
        result: Bools = np.arange(self.rolls.shape[1]) < self.rounds[:, np.newaxis]
        return result


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """The moves of one round: the number of choices, their mean loss, and the share of errors."""

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


class Trend(NamedTuple):
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
        """The mean score and the means to compare it with, where they are known."""
        means = {
            "mean score": self.mean_score,
            "optimal on the same rolls": self.mean_optimal,
            "hindsight on the same rolls": self.mean_best,
            "value of the game": self.value,
        }
        return {name: value for name, value in means.items() if value is not None}


_MeasuredMove: TypeAlias = tuple[int, int, int, float, float, bool, int]
"""A move as in a `MoveTable`, from its roll to its class."""


class _Judge:
    """Measures moves by the mean; those that are the same in several games only once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rows = exact_thresholds(game.dice, game.size)
        self.judge = lru_cache(MAX_KNOWN)(self._judge)
        self.decision = lru_cache(2 * MAX_KNOWN // game.size)(lambda free, roll: decide(game, free, roll, self.rows))

    def _judge(self, free: int, roll: int, slot: int) -> _MeasuredMove:
        decision = self.decision(free, roll)
        loss, luck = decision.loss(slot), float(decision.luck)
        place = CLASSES.index(classify(loss))
        return roll, slot, decision.best, float(loss), luck, decision.is_choice, place

    def moves(self, record: Record) -> list[_MeasuredMove]:
        free, moves = self.game.all_free, []
        for roll, slot in record.board.placements:
            moves.append(self.judge(free, roll, slot))
            free ^= 1 << slot - 1
        return moves

    def other_scores(self, record: Record) -> tuple[float, float]:
        """What `optimal` and hindsight score on the rolls of a finished game."""
        rolls = [roll for roll, _ in record.board.placements]
        free, optimal, multipliers = self.game.all_free, [], self.game.multipliers
        for roll in rolls:
            slot = self.decision(free, roll).best
            optimal.append(multipliers[slot - 1])
            free ^= 1 << slot - 1
        return float(sum(map(mul, optimal, rolls))), float(sum(map(mul, multipliers, sorted(rolls))))


def measure(records: Sequence[Record], aim: Aim | None = None, progress: Progress | None = None) -> MoveTable:
    """Measure all moves of games of one kind by an aim, by default the mean; ``progress`` counts the games."""
    game = records[0].board.game
    verify_size(game)
    rounds = np.array([record.board.rounds for record in records], dtype=np.int64)
    judge = _Judge(game) if aim is None or isinstance(aim, Mean) else None
    moves: list[_MeasuredMove] = []
    for done, record in enumerate(records, start=1):
        if judge:
            moves += judge.moves(record)
            continue
        for move in review(record, aim).moves:
            loss, luck, place = float(move.loss), float(move.luck), CLASSES.index(move.move_class)
            moves.append((move.roll, move.slot, move.best_slots[0], loss, luck, move.is_choice, place))
        if progress:
            progress(done, len(records))
    kinds = np.int64, np.int64, np.int64, np.float64, np.float64, np.bool_, np.int64
    columns: list[NDArray[Any]] = [np.zeros((len(records), game.size), dtype=kind) for kind in kinds]
    table = MoveTable(rounds, *columns)
    is_played = table.is_played
    for column, part in zip(columns, zip(*moves, strict=True), strict=False):  # without moves there are no parts
        column[is_played] = part
    return table


def summarise(
    games: Sequence[Record], aim: Aim | None = None, progress: Progress | None = None, numbers: Sequence[int] = ()
) -> Summary:
    """Measure games of one kind and add up; at least one is needed. Without ``numbers`` they count from 1."""
    game, aim = games[0].board.game, aim or Mean()
    table = measure(games, aim, progress)
    scores = np.array([float(record.board.score) for record in games])
    is_finished = table.rounds == game.size
    judge = _Judge(game)
    others = np.array([judge.other_scores(record) for record in games if record.finished]).reshape(-1, 2)
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
        mean_optimal=_mean(others[:, 0]),
        mean_best=_mean(others[:, 1]),
        value=float(Mean().worth(Position(Board(game)))),
        mean_loss=float(table.losses.sum()) / len(games),
        mean_luck=float(table.lucks.sum()) / len(games),
        skill=float(table.losses.sum()) / choices if choices else None,
        error_rate=int(is_error.sum()) / choices if choices else None,
        classes={kind.name: count for kind, count in zip(CLASSES, counts, strict=True)},
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
    rounds = enumerate(zip(*(part.tolist() for part in sums), strict=True), start=1)
    return [RoundSummary(number, n, loss / n, errors / n) for number, (n, loss, errors) in rounds if n]


def _costliest(table: MoveTable, numbers: Sequence[int]) -> list[CostlyMove]:
    order = np.argsort(-table.losses, axis=None, kind="stable")[:COSTLIEST]
    costliest = []
    for g, r in zip(*np.unravel_index(order, table.losses.shape), strict=True):
        if table.losses[g, r] > 0:
            roll, slot, best = (int(column[g, r]) for column in (table.rolls, table.slots, table.best))
            costliest.append(CostlyMove(numbers[g], int(r) + 1, roll, slot, best, float(table.losses[g, r])))
    return costliest


def _stretches(table: MoveTable, scores: Floats, is_finished: Bools) -> list[Stretch]:
    """At most STRETCHES parts of the games in their order, equally long except for the last one."""
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
        """What skill is compared with; None for practice, and for games that were played for something else."""
        is_rated = self.is_by_own_aim and not self.is_practice
        return random_loss(self.summary.game, self.summary.aim) if is_rated else None

    @property
    def level(self) -> SkillLevel | None:
        """A word for the skill shown in all these games; None where skill cannot be judged."""
        return level_of(self.summary.skill, self.random_loss)


def measured_kinds(
    lines: Sequence[Line], aim: str | None = None, progress: Progress | None = None
) -> tuple[list[MeasuredGames], list[BadLine]]:
    """The games of each kind in sum, measured by this aim, or each by its own; and those too large, as bad lines.

    What counts comes before practice, and the more frequent kind first.
    """
    measured: list[MeasuredGames] = []
    bad: list[BadLine] = []
    kinds: defaultdict[tuple[bool, Game, str, bool], list[Line]] = defaultdict(list)
    for line in lines:
        record = line.record
        name = played_for(record) if aim is None else aim
        has_opponent = aim is None and is_of_duels(name) and record.opponent is not None
        kinds[takebacks_of(record) > 0, record.board.game, name, has_opponent].append(line)
    for (is_practice, game, name, _), of_kind in sorted(kinds.items(), key=lambda kind: (kind[0][0], -len(kind[1]))):
        records = [line.record for line in of_kind]
        own: Aim | None = None
        if aim is None:
            most = MAX_DUELS if is_of_duels(name) else MAX_FOR_TARGETS
            own = own_aim(records[0]) if name == "mean" or len(of_kind) <= most else None
        try:
            by = own or aim_named(game, aim or "mean")
            summary = summarise(records, by, progress, [line.number for line in of_kind])
        except (InvalidGame, TooLarge) as error:
            if error.field == "aim":
                raise
            bad += [BadLine(line.number, str(error)) for line in of_kind]
            continue
        is_own = own is not None
        if aim is not None:
            is_own, name = all(played_for(record) in ("mean", by.name) for record in records), by.name
        measured.append(MeasuredGames(of_kind, summary, name, is_own, is_practice))
    return measured, sorted(bad)
