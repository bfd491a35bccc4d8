"""Played games measured by the mean, many at once, from the thresholds alone.

With k free slots f_1 < f_2 < ... and E the row of k - 1 thresholds, the best rank of a roll x is 1 + #{i : E[i] < x}.
A move r ranks off the best loses Σ (λ_{f_{t+1}} - λ_{f_t}) |x - E[t]| over the ranks between. Where E[t] = x or the two
multipliers are equal a step costs nothing; which steps those are is told by the exact numbers, not by floats. λ counts
from the smallest multiplier, so that large ones lose no digits; what that leaves out is the same in every slot, and is
luck: base (x - mean).

All is done for some games at once, [rank, game], round by round, in plain numpy: a hundred thousand games take less
time than to load a compiled kernel.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.game import Game
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["MeasuredMoves", "Thresholds", "measured_moves", "other_scores", "scores_of"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CELLS: Final = 40_000  # of a table [rank, game], about a megabyte with all that is made of it
EXACT: Final = 2**53  # up to here a float64 holds every integer


class MeasuredMoves(NamedTuple):
    """[game, round]: the best slot, loss and luck of a move, whether there was a choice, and whether it was best.

    Slots are counted from 1; of what was not played all are 0, and it is best.
    """

    best: Ints
    losses: Floats
    lucks: Floats
    is_choice: Bools
    is_best: Bools


@dataclass(frozen=True, eq=False)
class Thresholds:
    """Thresholds and rolls: E[k] the row of k thresholds.

    low[k, x] of them are below the roll at place x of the dice, high[k, x] not above it.

    >>> Thresholds.of(Game.parse("1d6", "1-3")).low[2].tolist()
    [0, 0, 1, 1, 2, 2]
    """

    E: Floats
    low: Ints
    high: Ints

    @classmethod
    def of(cls, game: Game) -> "Thresholds":
        """Those of a game."""
        n, support = game.size, game.dice.support
        rows, (low, high) = np.zeros((n + 1, n)), np.zeros((2, n + 1, len(support)), dtype=np.int64)
        for k, row in enumerate(exact_thresholds(game.dice, n), start=1):
            rows[k, :k] = row.floats()
            low[k] = [row.rank(x) - 1 for x in support]
            high[k] = [row.highest_rank(x) - 1 for x in support]
        return cls(rows, low, high)


def measured_moves(game: Game, thresholds: Thresholds, rounds: Ints, rolls: Ints, slots: Ints) -> MeasuredMoves:
    """Measure games, of which game g has rounds[g] moves; rolls and slots are [game, round], slots from 1.

    >>> game = Game.parse("1d6", "1,2")
    >>> found = measured_moves(game, Thresholds.of(game), np.array([2]), np.array([[5, 4]]), np.array([[1, 2]]))
    >>> found.losses.tolist(), found.best.tolist()
    ([[1.5, 0.0]], [[2, 2]])
    """
    shape = rolls.shape
    measured = MeasuredMoves(
        np.zeros(shape, dtype=np.int64),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape, dtype=np.bool_),
        np.ones(shape, dtype=np.bool_),
    )
    for part in _parts(game, len(rounds)):
        _measure(game, thresholds, rounds[part], rolls[part], slots[part], _views(measured, part))
    return measured


def _views(measured: MeasuredMoves, part: slice) -> MeasuredMoves:
    best, losses, lucks, is_choice, is_best = measured
    return MeasuredMoves(best[part], losses[part], lucks[part], is_choice[part], is_best[part])


def _parts(game: Game, games: int) -> Iterator[slice]:
    length = max(1, CELLS // game.size)
    return (slice(first, first + length) for first in range(0, games, length))


def _measure(
    game: Game, thresholds: Thresholds, rounds: Ints, rolls: Ints, slots: Ints, measured: MeasuredMoves
) -> None:
    """Fill in what some games come to."""
    n, base = game.size, game.multipliers[0]
    lam = np.array([float(multiplier - base) for multiplier in game.multipliers])
    group = np.array([game.multipliers.index(multiplier) for multiplier in game.multipliers])
    places = _places(game, rolls)
    free = np.repeat(np.arange(n)[:, np.newaxis], len(rounds), axis=1)
    for r in range(int(rounds.max(initial=0))):
        k = n - r
        x, row, t = rolls[:, r], thresholds.E[k - 1, : k - 1, np.newaxis], np.arange(k - 1)[:, np.newaxis]
        is_played = r < rounds
        rank = (free < slots[:, r] - 1).sum(axis=0)
        goal, last = thresholds.low[k - 1, places[:, r]], thresholds.high[k - 1, places[:, r]]
        worths, groups = lam[free], group[free]
        counts = (groups[1:] != groups[:-1]) & ~((goal <= t) & (t < last)) & is_played
        is_lost = counts & (np.minimum(rank, goal) <= t) & (t < np.maximum(rank, goal))
        measured.is_choice[:, r] = counts.any(axis=0)
        measured.is_best[:, r] = ~is_lost.any(axis=0)
        measured.losses[:, r] = ((worths[1:] - worths[:-1]) * np.abs(x - row) * is_lost).sum(axis=0)
        best = np.take_along_axis(free, goal[np.newaxis], axis=0)[0]
        after = lam[best] * x + (np.where(t < goal, worths[:-1], worths[1:]) * row).sum(axis=0)
        before = (worths * thresholds.E[k, :k, np.newaxis]).sum(axis=0)
        luck = after - before + float(base) * (x - float(game.dice.mean))
        measured.lucks[:, r] = np.where(is_played, luck, 0.0)
        first_equal = (groups < group[best]).sum(axis=0)
        measured.best[:, r] = (np.take_along_axis(free, first_equal[np.newaxis], axis=0)[0] + 1) * is_played
        free = np.where(t < rank, free[:-1], free[1:])


def _places(game: Game, rolls: Ints) -> Ints:
    """The places of rolls among those of the dice; of what was not rolled, any."""
    support = np.array(game.dice.support)
    return np.minimum(np.searchsorted(support, rolls), len(support) - 1)


def scores_of(game: Game, rolls: Ints, slots: Ints) -> Floats:
    """The scores of games, [game, round], as near as float64 can tell; a slot of 0 was not played.

    >>> scores_of(Game.parse("1d6", "1/3,2"), np.array([[5, 4], [6, 0]]), np.array([[1, 2], [1, 0]])).tolist()
    [9.666666666666666, 2.0]
    """
    unit = lcm(*(multiplier.denominator for multiplier in game.multipliers))
    points = [0, *(int(multiplier * unit) for multiplier in game.multipliers)]
    if max(map(abs, points)) * max(map(abs, game.dice.support)) * game.size < EXACT and unit < EXACT:
        scores: Floats = np.einsum("gr,gr->g", np.array(points)[slots], rolls) / unit
        return scores
    exact = (
        sum(points[slot] * roll for slot, roll in zip(*game_moves, strict=True))
        for game_moves in zip(slots.tolist(), rolls.tolist(), strict=True)
    )
    return np.array([score / unit for score in exact])


def other_scores(game: Game, thresholds: Thresholds, rolls: Ints) -> tuple[Floats, Floats]:
    """What `optimal` and hindsight make of the rolls of finished games, [game, round].

    >>> game = Game.parse("1d6", "1-3")
    >>> [scores.tolist() for scores in other_scores(game, Thresholds.of(game), np.array([[4, 6, 5]]))]
    [[31.0], [32.0]]
    """
    slots = np.empty(rolls.shape, dtype=np.int64)
    for part in _parts(game, len(rolls)):
        places = _places(game, rolls[part])
        free = np.repeat(np.arange(game.size)[:, np.newaxis], len(places), axis=1)
        for r in range(game.size):
            rank = thresholds.low[game.size - r - 1, places[:, r]]
            slots[part, r] = np.take_along_axis(free, rank[np.newaxis], axis=0)[0] + 1
            free = np.where(np.arange(len(free) - 1)[:, np.newaxis] < rank, free[:-1], free[1:])
    in_order = np.broadcast_to(np.arange(1, game.size + 1), rolls.shape)
    return scores_of(game, rolls, slots), scores_of(game, np.sort(rolls, axis=1), in_order)
