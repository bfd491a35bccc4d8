"""What the moves of very many games lose by the mean, in float64: the formula of `coach.losses` on arrays.

A move some ranks off the best loses Σ (λ_{t+1} - λ_t) |x - E[t]| over the ranks between. Where E[t] = x or the two
multipliers are equal a step costs nothing; which steps those are is decided on the exact rows, not on floats. λ counts
from the smallest multiplier, so that large ones lose no digits; what that leaves out is the same in every slot, and is
luck: base (x - mean).

Games go [rank, game], round by round, in plain numpy: that takes less time than to load a compiled kernel.
"""

from collections.abc import Iterator
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.game import Game
from tentimes18.solve.thresholds import exact_thresholds

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CELLS = 40_000  # of an array [rank, game], about a megabyte with all that is made of it
MAX_EXACT = 2**53  # up to here a float64 holds every integer


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


class BatchLosses(NamedTuple):
    """[game, round]: the best slot, loss and luck of a move, whether there was a choice, and whether it was best.

    Slots are counted from 1; of what was not played all are 0, and it is best.
    """

    best: Ints
    losses: Floats
    lucks: Floats
    is_choice: Bools
    is_best: Bools


def batch_losses(game: Game, table: ThresholdTable, rounds: Ints, rolls: Ints, slots: Ints) -> BatchLosses:
    """Measure games, of which game g has rounds[g] moves; rolls and slots are [game, round], slots from 1.

    >>> game = Game.parse("1d6", "1,2")
    >>> measured = batch_losses(game, threshold_table(game), np.array([2]), np.array([[5, 4]]), np.array([[1, 2]]))
    >>> measured.losses.tolist(), measured.best.tolist()
    ([[1.5, 0.0]], [[2, 2]])
    """
    best, (losses, lucks) = np.zeros(rolls.shape, dtype=np.int64), np.zeros((2, *rolls.shape))
    is_choice, is_best = np.zeros(rolls.shape, dtype=np.bool_), np.ones(rolls.shape, dtype=np.bool_)
    for part in _parts(game, len(rounds)):
        view = BatchLosses(best[part], losses[part], lucks[part], is_choice[part], is_best[part])
        _measure(game, table, rounds[part], rolls[part], slots[part], view)
    return BatchLosses(best, losses, lucks, is_choice, is_best)


def _parts(game: Game, games: int) -> Iterator[slice]:
    length = max(1, CELLS // game.size)
    return (slice(first, first + length) for first in range(0, games, length))


def _measure(game: Game, table: ThresholdTable, rounds: Ints, rolls: Ints, slots: Ints, result: BatchLosses) -> None:
    """Fill in the result of some games."""
    n, base, mean = game.size, game.multipliers[0], float(game.dice.mean)
    lam = np.array([float(multiplier - base) for multiplier in game.multipliers])
    group = np.array([game.multipliers.index(multiplier) for multiplier in game.multipliers])
    places = _places(game, rolls)
    free = np.repeat(np.arange(n)[:, np.newaxis], len(rounds), axis=1)
    for r in range(int(rounds.max(initial=0))):
        k = n - r
        x, row, t = rolls[:, r], table.E[k - 1, : k - 1, np.newaxis], np.arange(k - 1)[:, np.newaxis]
        is_played = r < rounds
        rank = (free < slots[:, r] - 1).sum(axis=0)
        goal, last = table.low[k - 1, places[:, r]], table.high[k - 1, places[:, r]]
        values, groups = lam[free], group[free]
        counts = (groups[1:] != groups[:-1]) & ~((goal <= t) & (t < last)) & is_played
        is_lost = counts & (np.minimum(rank, goal) <= t) & (t < np.maximum(rank, goal))
        result.is_choice[:, r] = counts.any(axis=0)
        result.is_best[:, r] = ~is_lost.any(axis=0)
        result.losses[:, r] = ((values[1:] - values[:-1]) * np.abs(x - row) * is_lost).sum(axis=0)
        best = np.take_along_axis(free, goal[np.newaxis], axis=0)[0]
        after = lam[best] * x + (np.where(t < goal, values[:-1], values[1:]) * row).sum(axis=0)
        before = (values * table.E[k, :k, np.newaxis]).sum(axis=0)
        result.lucks[:, r] = np.where(is_played, after - before + float(base) * (x - mean), 0.0)
        first_equal = (groups < group[best]).sum(axis=0)
        result.best[:, r] = (np.take_along_axis(free, first_equal[np.newaxis], axis=0)[0] + 1) * is_played
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
