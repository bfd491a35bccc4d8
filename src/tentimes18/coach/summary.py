"""Many played games in sum: how good, how lucky, where the points were lost, and whether it gets better."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import hypot, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.coach.aims import Aim, Mean
from tentimes18.coach.classes import CLASSES, ERROR, ROUNDING
from tentimes18.coach.review import review, verify_size
from tentimes18.errors import TooLarge
from tentimes18.game import Board, Game, Position
from tentimes18.kernels.review import review_games
from tentimes18.kernels.types import MeasuredMoves, Multipliers, PlayedMoves, RankedRolls
from tentimes18.records.notation import Record
from tentimes18.simulate.players import players_of
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.layers import Progress
from tentimes18.solve.thresholds import exact_thresholds

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
    """Measure all moves of games of one kind; by the mean a hundred thousand games take a second.

    >>> from tentimes18.records.notation import parse_record
    >>> measure([parse_record("1d6 1,2: 5@1 4@2")]).losses.tolist()
    [[1.5, 0.0]]
    """
    verify_size(records[0].board.game)
    n = records[0].board.game.size
    shape = (len(records), n)
    rounds = np.array([record.board.rounds for record in records], dtype=np.int64)
    moves = np.zeros((len(records) * n, 2), dtype=np.int64)
    played = (np.arange(n) < rounds[:, np.newaxis]).ravel()
    numbers = chain.from_iterable(chain.from_iterable(record.board.placements for record in records))
    moves[played] = np.fromiter(numbers, dtype=np.int64, count=2 * int(rounds.sum())).reshape(-1, 2)
    table = MoveTable(
        rounds=rounds,
        rolls=moves[:, 0].reshape(shape),
        slots=moves[:, 1].reshape(shape),
        best=np.zeros(shape, dtype=np.int64),
        losses=np.zeros(shape),
        lucks=np.zeros(shape),
        is_choice=np.zeros(shape, dtype=np.bool_),
        classes=np.zeros(shape, dtype=np.int64),
    )
    if aim is None or isinstance(aim, Mean):
        _measure_by_mean(records[0].board.game, table)
    else:
        for g, record in enumerate(records):
            for r, move in enumerate(review(record, aim).moves):
                table.best[g, r], table.is_choice[g, r] = move.best_slots[0], move.is_choice
                table.losses[g, r], table.lucks[g, r] = move.loss, move.luck
                table.classes[g, r] = CLASSES.index(move.move_class)
            if progress:
                progress(g + 1, len(records))
    return table


def _measure_by_mean(game: Game, table: MoveTable) -> None:
    """Fill in what the rolls and slots of a table come to."""
    support = np.array(game.dice.support)
    rows = np.zeros((game.size + 1, game.size))
    low, high = (np.zeros((game.size + 1, len(support)), dtype=np.int64) for _ in range(2))
    for k, row in enumerate(exact_thresholds(game.dice, game.size), start=1):
        rows[k, :k] = row.floats()
        low[k] = [row.rank(roll) - 1 for roll in game.dice.support]
        high[k] = [row.highest_rank(roll) - 1 for roll in game.dice.support]
    base = game.multipliers[0]
    lam = np.array([float(multiplier - base) for multiplier in game.multipliers])
    group = np.array([game.multipliers.index(multiplier) for multiplier in game.multipliers])
    places = np.searchsorted(support, table.rolls)
    is_best = np.ones(table.rolls.shape, dtype=np.bool_)
    review_games(
        RankedRolls(rows, low, high),
        Multipliers(lam, group, float(base), float(game.dice.mean)),
        PlayedMoves(table.rounds, table.rolls, places, table.slots - 1),
        MeasuredMoves(table.best, table.losses, table.lucks, table.is_choice, is_best),
    )
    rounding = ROUNDING * max(1.0, lam[-1] * np.abs(support).max())
    bounds = [float(found.least) - rounding for found in CLASSES[2:]]
    table.classes[:] = np.where(is_best, 0, 1 + np.searchsorted(bounds, table.losses, side="right"))
    table.best[:] += table.is_played


def summarise(
    records: Sequence[Record],
    aim: Aim | None = None,
    progress: Progress | None = None,
    numbers: Sequence[int] | None = None,
) -> Summary:
    """Measure games of one kind and add up; at least one is needed. They are numbered from 1, or as given.

    >>> from tentimes18.records.notation import parse_record
    >>> found = summarise([parse_record("1d6 1,2: 5@1 4@2")])
    >>> found.value + found.mean_luck - found.mean_loss == found.mean_score
    True
    """
    game, aim = records[0].board.game, aim or Mean()
    table = measure(records, aim, progress)
    scores = np.array([float(record.board.score) for record in records])
    is_finished = table.rounds == game.size
    optimal, best = _other_scores(game, table.rolls[is_finished])
    choices = int(table.is_choice.sum())
    is_error = table.classes >= ERROR
    counts = np.bincount(table.classes[table.is_played], minlength=len(CLASSES)).tolist()
    return Summary(
        game=game,
        aim=aim,
        games=len(records),
        finished=int(is_finished.sum()),
        moves=int(table.rounds.sum()),
        choices=choices,
        mean_score=_mean(scores[is_finished]),
        mean_optimal=_mean(optimal),
        mean_best=_mean(best),
        value=float(Mean().worth(Position(Board(game)))),
        mean_loss=float(table.losses.sum()) / len(records),
        mean_luck=float(table.lucks.sum()) / len(records),
        skill=float(table.losses.sum()) / choices if choices else None,
        error_rate=int(is_error.sum()) / choices if choices else None,
        classes={found.name: count for found, count in zip(CLASSES, counts, strict=True)},
        rounds=tuple(_rounds(table, is_error)),
        costliest=tuple(_costliest(table, numbers or range(1, len(records) + 1))),
        progress=tuple(_stretches(table, scores, is_finished)),
        scores=scores[is_finished],
        table=table,
    )


def _mean(values: NDArray[np.float64]) -> float | None:
    return float(values.mean()) if len(values) else None


def _other_scores(game: Game, rolls: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What `optimal` and hindsight make of these rolls; nothing where the score can take too many values."""
    support = np.array(game.dice.support)
    positions = np.searchsorted(support, rolls).T.astype(np.uint8 if len(support) <= 256 else np.uint16)
    lattice = lattice_of(game)
    found = []
    try:
        players = players_of(Run(game, ("optimal", "hindsight"), seed=0))
    except TooLarge:
        return np.empty(0), np.empty(0)
    for player in players:
        scores = np.empty(len(rolls), dtype=np.int32)
        player(0, np.ascontiguousarray(positions), scores)
        found.append(float(lattice.low(game.all_free)) + float(lattice.unit) * scores.astype(np.float64))
    return found[0], found[1]


def _rounds(table: MoveTable, is_error: NDArray[np.bool_]) -> list[RoundSummary]:
    sums = (table.is_choice.sum(axis=0), table.losses.sum(axis=0), is_error.sum(axis=0))
    return [
        RoundSummary(number, choices, loss / choices, errors / choices)
        for number, (choices, loss, errors) in enumerate(zip(*(part.tolist() for part in sums), strict=True), start=1)
        if choices
    ]


def _costliest(table: MoveTable, numbers: Sequence[int]) -> list[CostlyMove]:
    flat = table.losses.ravel()
    order = np.argsort(-flat, kind="stable")[:COSTLIEST]
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
        if flat[place] > 0
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
