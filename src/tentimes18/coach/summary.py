"""Many played games in sum: how good, how lucky, where the points were lost, and whether it gets better."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.coach.aims import Aim, Mean
from tentimes18.coach.by_mean import Thresholds, measured_moves, other_scores, scores_of
from tentimes18.coach.classes import CLASSES, ERROR, ROUNDING
from tentimes18.coach.review import review, verify_size
from tentimes18.game import Board, Game, Position
from tentimes18.records.blocks import MoveColumns
from tentimes18.records.files import Line
from tentimes18.records.many import ManyGames, moves_of_records
from tentimes18.records.notation import Record
from tentimes18.solve.layers import Progress

__all__ = ["CostlyMove", "MoveTable", "RoundSummary", "Stretch", "Summary", "Trend", "measure", "summarise"]

COSTLIEST: Final = 10
STRETCHES: Final = 50
CLEAR: Final = 2.0  # standard errors
LEAST_GAMES: Final = 5  # to tell whether it got better


@dataclass(frozen=True)
class MoveTable:
    """The moves of many games, [game, round]; what was not played is 0.

    Slots are counted from 1; ``classes`` are places in CLASSES.
    """

    rounds: NDArray[np.int64]
    rolls: NDArray[np.int64]
    slots: NDArray[np.int64]
    best: NDArray[np.int64]
    losses: NDArray[np.float64]
    lucks: NDArray[np.float64]
    is_choice: NDArray[np.bool_]
    classes: NDArray[np.int64]

    @property
    def is_played(self) -> NDArray[np.bool_]:
        """Which moves are there."""
        result: NDArray[np.bool_] = np.arange(self.rolls.shape[1]) < self.rounds[:, np.newaxis]
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
    scores: NDArray[np.float64] = field(repr=False, compare=False)
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
        return Trend(first, last, is_clear=third >= LEAST_GAMES and abs(first - last) > CLEAR * hypot(*errors))

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
    """Measure all moves of games of one kind; by the mean a hundred thousand games take a fraction of a second.

    >>> from tentimes18.records.notation import parse_record
    >>> measure([parse_record("1d6 1,2: 5@1 4@2")]).losses.tolist()
    [[1.5, 0.0]]
    """
    verify_size(records[0].board.game)
    if aim is None or isinstance(aim, Mean):
        return _measured_by_mean(records[0].board.game, moves_of_records(records))
    return _measured_by(records, moves_of_records(records), aim, progress)


def _by_round(game: Game, moves: MoveColumns) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rolls and slots of games, [game, round]; what was not played is 0."""
    is_played = np.arange(game.size) < moves.rounds[:, np.newaxis]
    rolls, slots = np.zeros((2, *is_played.shape), dtype=np.int64)
    rolls[is_played], slots[is_played] = moves.rolls, moves.slots
    return rolls, slots


def _measured_by(records: Sequence[Record], moves: MoveColumns, aim: Aim, progress: Progress | None) -> MoveTable:
    """Measure game by game."""
    rolls, slots = _by_round(records[0].board.game, moves)
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
    return MoveTable(moves.rounds, rolls, slots, best, losses, lucks, is_choice, classes)


def _measured_by_mean(game: Game, moves: MoveColumns) -> MoveTable:
    """Measure all games together."""
    rolls, slots = _by_round(game, moves)
    found = measured_moves(game, Thresholds.of(game), moves.rounds, rolls, slots)
    largest = float(game.multipliers[-1] - game.multipliers[0]) * max(map(abs, game.dice.support))
    bounds = [float(one.least) - ROUNDING * max(1.0, largest) for one in CLASSES[2:]]
    classes = np.where(found.is_best, 0, 1 + np.searchsorted(bounds, found.losses, side="right"))
    return MoveTable(moves.rounds, rolls, slots, found.best, found.losses, found.lucks, found.is_choice, classes)


def summarise(games: ManyGames | Sequence[Record], aim: Aim | None = None, progress: Progress | None = None) -> Summary:
    """Measure games of one kind and add up; at least one is needed. Records alone are numbered from 1.

    >>> from tentimes18.records.notation import parse_record
    >>> found = summarise([parse_record("1d6 1,2: 5@1 4@2")])
    >>> found.value + found.mean_luck - found.mean_loss == found.mean_score
    True
    """
    if not isinstance(games, ManyGames):
        games = ManyGames.of([Line(number, record) for number, record in enumerate(games, start=1)])
    game, aim = games.examples[int(games.kinds[0])].board.game, aim or Mean()
    verify_size(game)
    if isinstance(aim, Mean):
        table = _measured_by_mean(game, games.moves)
    else:
        table = _measured_by([line.record for line in games], games.moves, aim, progress)
    scores = scores_of(game, table.rolls, table.slots)
    is_finished = table.rounds == game.size
    optimal, best = other_scores(game, Thresholds.of(game), table.rolls[is_finished])
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
        costliest=tuple(_costliest(table, games.numbers)),
        progress=tuple(_stretches(table, scores, is_finished)),
        scores=scores[is_finished],
        table=table,
    )


def _mean(values: NDArray[np.float64]) -> float | None:
    return float(values.mean()) if len(values) else None


def _rounds(table: MoveTable, is_error: NDArray[np.bool_]) -> list[RoundSummary]:
    sums = (table.is_choice.sum(axis=0), table.losses.sum(axis=0), is_error.sum(axis=0))
    return [
        RoundSummary(number, choices, loss / choices, errors / choices)
        for number, (choices, loss, errors) in enumerate(zip(*(part.tolist() for part in sums), strict=True), start=1)
        if choices
    ]


def _costliest(table: MoveTable, numbers: NDArray[np.int64]) -> list[CostlyMove]:
    flat = table.losses.ravel()
    least = np.partition(flat, -COSTLIEST)[-COSTLIEST] if len(flat) > COSTLIEST else 0.0
    dear = np.flatnonzero((flat >= least) & (flat > 0))
    order = dear[np.argsort(-flat[dear], kind="stable")[:COSTLIEST]]
    rounds = table.rolls.shape[1]
    return [
        CostlyMove(
            game=int(numbers[int(place) // rounds]),
            round=int(place) % rounds + 1,
            roll=int(table.rolls.ravel()[place]),
            slot=int(table.slots.ravel()[place]),
            best=int(table.best.ravel()[place]),
            loss=float(flat[place]),
        )
        for place in order
    ]


def _stretches(table: MoveTable, scores: NDArray[np.float64], is_finished: NDArray[np.bool_]) -> list[Stretch]:
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
