"""Duels against a rule: the best response and a rule of one's own, against plain recursions over positions."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from tentimes18.duel.best_response import fill_best_response, fill_fixed
from tentimes18.duel.lead_windows import Chances, DuelWindows
from tentimes18.duel.slot_choice import ANY
from tentimes18.game import Game
from tentimes18.kernels.types import Slots

GAMES = [("1d4", "1-3"), ("d{-3,0,4}:0=3", "-2,0,1/2"), ("1d3", "-1,2,2")]
DRAW = 0.25


def by_number(windows: DuelWindows, seed: int) -> Slots:
    """Any slot for each free set and roll."""
    generator = np.random.default_rng(seed)
    n, rolls = windows.shifts.shape
    slots = np.zeros((1 << n, rolls), dtype=np.int8)
    for A in range(1, 1 << n):
        slots[A] = generator.choice([i for i in range(n) if A >> i & 1], rolls)
    return slots


def chances_of(
    windows: DuelWindows, theirs: Slots, pick: Callable[[int, int, dict[int, tuple[float, float]]], tuple[float, float]]
) -> Callable[[int, int, int], tuple[float, float]]:
    """Equity and chance of a draw, where ``pick`` makes one pair of what the slots lead to."""

    @cache
    def at(A: int, B: int, e: int) -> tuple[float, float]:
        if not A:
            return (DRAW, 1.0) if e == 0 else (float(e > 0), 0.0)
        equity = draw = 0.0
        for x, p in enumerate(windows.P):
            j = int(theirs[B, x])
            found = {
                i: at(A ^ 1 << i, B ^ 1 << j, e + int(windows.shifts[i, x] - windows.shifts[j, x]))
                for i in range(len(windows.shifts))
                if A >> i & 1
            }
            best = pick(A, x, found)
            equity, draw = equity + p * best[0], draw + p * best[1]
        return equity, draw

    return at


def assert_filled(windows: DuelWindows, chances: Chances, at: Callable[[int, int, int], tuple[float, float]]) -> None:
    for k in range(1, windows.game.size + 1):
        for A in windows.sets[k].tolist():
            for B in windows.sets[k].tolist():
                pair = windows.ranks[A], windows.ranks[B]
                for e in range(windows.lows[k][pair], windows.lows[k][pair] + windows.sizes[k][pair]):
                    found = windows.read(chances.equity, A, B, e), windows.read(chances.draw, A, B, e)
                    assert found == pytest.approx(at(A, B, e), rel=0, abs=1e-12)


def filled(windows: DuelWindows, fill: Callable[..., None], *slots: Slots) -> Chances:
    chances = Chances(np.full(windows.cells, np.nan), np.full(windows.cells, np.nan))
    chances.equity[0], chances.draw[0] = DRAW, 1.0
    for k in range(1, windows.game.size + 1):
        for ranks in np.array_split(np.arange(len(windows.sets[k])), 2):
            fill(*slots, windows.moves, windows.layer(k), chances, ranks)
    return chances


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_best_response(dice: str, slots: str) -> None:
    """Of slots with the same equity the first in a given order."""
    windows = DuelWindows(Game.parse(dice, slots), half=False)
    theirs = by_number(windows, 1)
    n, rolls = windows.shifts.shape
    order = np.full((1 << n, rolls, n), -1, dtype=np.int8)
    for A in range(1, 1 << n):
        for x in range(rolls):
            free = [i for i in range(n) if A >> i & 1]
            order[A, x, : len(free)] = free[::-1] if x % 2 else free

    def pick(A: int, x: int, found: dict[int, tuple[float, float]]) -> tuple[float, float]:
        best = max(equity for equity, _ in found.values())
        return next(found[i] for i in order[A, x].tolist() if found[i][0] > best - 1e-13)

    assert_filled(windows, filled(windows, fill_best_response, order, theirs), chances_of(windows, theirs, pick))


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_two_rules_and_at_random(dice: str, slots: str) -> None:
    windows = DuelWindows(Game.parse(dice, slots), half=False)
    mine, theirs = by_number(windows, 2), by_number(windows, 3)
    assert_filled(
        windows,
        filled(windows, fill_fixed, mine, theirs),
        chances_of(windows, theirs, lambda A, x, found: found[int(mine[A, x])]),
    )

    def mean(_A: int, _x: int, found: dict[int, tuple[float, float]]) -> tuple[float, float]:
        equities, draws = zip(*found.values(), strict=True)
        return sum(equities) / len(found), sum(draws) / len(found)

    at_random = np.full_like(mine, ANY)
    assert_filled(windows, filled(windows, fill_fixed, at_random, theirs), chances_of(windows, theirs, mean))
