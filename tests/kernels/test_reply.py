"""The best response to an equilibrium, position by position, against a plain recursion over its mixed moves."""

from functools import cache

import numpy as np
import pytest

from tentimes18.game import Game, slots_of
from tentimes18.kernels.matrix import mixed_move
from tentimes18.kernels.reply import fill_reply
from tentimes18.kernels.types import Stored
from tentimes18.solve.duel.equilibrium import Equilibrium
from tentimes18.solve.duel.windows import DuelWindows
from tests.support.duels import stored_half

GAMES = [("1d4", "1-3"), ("d{1,100}", "1-4"), ("d{-3,0,4}:0=3", "-2,0,1/2"), ("1d3", "1-4")]


@pytest.mark.parametrize("noise", [0.0, 0.05])
@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_every_position(dice: str, slots: str, noise: float) -> None:
    """Also where the values are wrong: then the moves are, and the response gains."""
    game = Game.parse(dice, slots)
    table, windows = Equilibrium(game), DuelWindows(game, half=False)
    values = np.clip(table.values + noise * np.random.default_rng(18).random(len(table.values)), 0.0, 1.0)
    for offsets, _, sizes in map(table.windows.of_size, range(game.size + 1)):
        for offset, size in zip(offsets.diagonal(), sizes.diagonal(), strict=True):
            same = values[offset : offset + size]  # both players have this set: the values mirror each other
            same[:] = (same + 1.0 - same[::-1]) / 2

    @cache
    def best(A: int, B: int, e: int) -> float:
        if not A:
            return 0.5 if e == 0 else float(e > 0)
        total = 0.0
        for x, p in enumerate(windows.P):
            mine, theirs = [slot - 1 for slot in slots_of(A)], [slot - 1 for slot in slots_of(B)]
            leads = {(i, j): e + int(windows.shifts[i, x] - windows.shifts[j, x]) for i in mine for j in theirs}
            M = np.array(
                [
                    [1.0 - stored_half(table.windows, values, A ^ 1 << i, B ^ 1 << j, leads[i, j]) for i in mine]
                    for j in theirs
                ]
            )
            move = np.empty(len(theirs))
            mixed_move(M, move)
            equities = [
                sum(q * best(A ^ 1 << i, B ^ 1 << j, leads[i, j]) for q, j in zip(move, theirs, strict=True))
                for i in mine
            ]
            total += p * max(equities)
        return total

    equities = np.full(windows.cells, np.nan)
    equities[0] = 0.5
    for k in range(1, game.size + 1):
        half = Stored(table.windows.of_size(k - 1), values)
        for pairs in np.array_split(np.ascontiguousarray(np.argwhere(table.windows.sizes[k] > 0)), 2):
            fill_reply(half, windows.moves, windows.layer(k), equities, pairs)
    for k in range(1, game.size + 1):
        for A in windows.sets[k].tolist():
            for B in windows.sets[k].tolist():
                pair = windows.ranks[A], windows.ranks[B]
                for e in range(windows.lows[k][pair], windows.lows[k][pair] + windows.sizes[k][pair]):
                    assert windows.read(equities, A, B, e) == pytest.approx(best(A, B, e), rel=0, abs=1e-11)
    assert not np.isnan(equities).any()
