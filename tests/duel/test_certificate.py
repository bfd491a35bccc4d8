"""The certificate: against its definition, against the best response itself, and against tables with wrong values."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from tentimes18.arrays import Floats
from tentimes18.duel.certificate import bound_gains
from tentimes18.duel.equilibrium import Equilibrium, solve_equilibrium
from tentimes18.duel.matrix_games import mixed_move
from tentimes18.game import Game, slots_of
from tests.support.duels import stored_half, wrong_values

GAMES = [("1d4", "1-3"), ("d{1,100}", "1-4"), ("d{-3,0,4}:0=3", "-2,0,1/2"), ("1d3", "1-4")]


def bounds(table: Equilibrium, values: Floats) -> list[Floats]:
    """By number of free slots, the pairs of a layer in two parts."""
    windows = table.windows
    found: list[Floats] = [np.zeros((1, 1))]
    for k in range(1, table.game.size + 1):
        gains = np.zeros((len(windows.sets[k]),) * 2)
        for pairs in np.array_split(np.ascontiguousarray(np.argwhere(windows.sizes[k] > 0)), 2):
            bound_gains(windows.moves, windows.layer(k), values, found[-1], gains, pairs)
        found.append(gains)
    return found


class Plain:
    """The same, position by position, for the player of the first set."""

    def __init__(self, table: Equilibrium, values: Floats) -> None:
        self.windows, self.values = table.windows, values
        self.best, self.bound = cache(self._best), cache(self._bound)

    def stored(self, A: int, B: int, e: int) -> float:
        return stored_half(self.windows, self.values, A, B, e)

    def leads(self, A: int, B: int) -> range:
        """Those that are stored."""
        k, a, b = A.bit_count(), self.windows.ranks[A], self.windows.ranks[B]
        if a > b:
            mirrored = self.leads(B, A)
            return range(1 - mirrored.stop, 1 - mirrored.start)
        low = int(self.windows.lows[k][a, b])
        return range(low, low + int(self.windows.sizes[k][a, b]))

    def rounds(self, A: int, B: int, e: int) -> list[tuple[float, Floats, list[list[tuple[int, int, int]]]]]:
        """By roll its chance, the second player's move, and the positions [i][j] after it."""
        result = []
        for x, p in enumerate(self.windows.P):
            after = [
                [
                    (A ^ 1 << i - 1, B ^ 1 << j - 1, e + int(shift[i - 1] - shift[j - 1]))
                    for j in slots_of(B)
                    for shift in [self.windows.shifts[:, x]]
                ]
                for i in slots_of(A)
            ]
            move = np.empty(B.bit_count())
            mixed_move(np.array([[1.0 - self.stored(*at) for at in line] for line in zip(*after, strict=True)]), move)
            result.append((float(p), move, after))
        return result

    def _best(self, A: int, B: int, e: int) -> float:
        """My equity with the best response to these moves."""
        if not A:
            return 0.5 if e == 0 else float(e > 0)
        total: float = sum(
            p * max(sum(q * self.best(*at) for q, at in zip(move, line, strict=True)) for line in after)
            for p, move, after in self.rounds(A, B, e)
        )
        return total

    def _bound(self, A: int, B: int) -> float:
        """G[A, B] by its definition."""
        if not A or not self.leads(A, B):
            return 0.0
        here = max(
            sum(
                p * max(sum(q * self.stored(*at) for q, at in zip(move, line, strict=True)) for line in after)
                for p, move, after in self.rounds(A, B, e)
            )
            - self.stored(A, B, e)
            for e in self.leads(A, B)
        )
        after = (self.bound(A ^ 1 << i - 1, B ^ 1 << j - 1) for i in slots_of(A) for j in slots_of(B))
        bound: float = max(here, 0.0) + max(after)
        return bound


@pytest.mark.parametrize("noise", [0.0, 0.05])
@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_every_pair(dice: str, slots: str, noise: float) -> None:
    """Also where the values are wrong: then the moves are, and the best response gains, but no more than that."""
    table = solve_equilibrium(Game.parse(dice, slots))
    values = wrong_values(table, noise)
    found, plain = bounds(table, values), Plain(table, values)
    gained = 0.0
    for k in range(1, table.game.size + 1):
        for A, B in product(table.windows.sets[k].tolist(), repeat=2):
            bound = found[k][table.windows.ranks[A], table.windows.ranks[B]]
            assert bound == pytest.approx(plain.bound(A, B), rel=0, abs=1e-11)
            for e in plain.leads(A, B):
                gain = plain.best(A, B, e) - plain.stored(A, B, e)
                assert gain <= bound + 1e-12
                gained = max(gained, gain)
    assert gained > 0.01 if noise else gained < 1e-12
