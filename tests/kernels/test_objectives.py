"""Tables over free sets and scores, against plain loops on one small game."""

import numpy as np
import pytest

from tentimes18.kernels.objectives import best_slots, exact_chances, exact_slots, fill_values, push_law
from tentimes18.kernels.types import Floats, Limbs, Moves, Objective, Spans

COUNTS = np.array([1, 2, 1])
MOVES = Moves(COUNTS / 4, np.array([[0, 1, 2], [0, 2, 4]]))
WIDTHS = np.array([0, 2, 4, 6])
SPANS = Spans(WIDTHS, np.array([0, 1, 4, 9]))
CHANCES = Objective(-1, 1.0, np.zeros(4), 0.0)
SHORTFALLS = Objective(-1, 0.0, np.array([0.0, 1.0, 2.0, 3.5]), -1.0)


def read(V: Floats, objective: Objective, A: int, j: int) -> float:
    if j < 0:
        return objective.below
    if j > WIDTHS[A]:
        return float(objective.base[A] + objective.slope * j)
    return float(V[SPANS.offsets[A] + j])


def after(V: Floats, objective: Objective, A: int, j: int, x: int) -> dict[int, float]:
    """What each slot of A leads to for roll x."""
    free = [i for i in range(2) if A >> i & 1]
    return {i: read(V, objective, A ^ 1 << i, j + objective.step * int(MOVES.shifts[i, x])) for i in free}


def filled(objective: Objective, start: float) -> Floats:
    V = np.full(16, np.nan)
    V[0] = start
    for sets in ([1, 2], [3]):
        fill_values(MOVES, SPANS, objective, V, np.array(sets))
    return V


@pytest.mark.parametrize(("objective", "start"), [(CHANCES, 1.0), (SHORTFALLS, 0.0)])
def test_values(objective: Objective, start: float) -> None:
    V = filled(objective, start)
    for A in (1, 2, 3):
        for j in range(WIDTHS[A] + 1):
            wanted = sum(p * max(after(V, objective, A, j, x).values()) for x, p in enumerate(MOVES.P))
            assert read(V, objective, A, j) == pytest.approx(wanted, abs=1e-15)


def test_the_first_of_the_best_slots() -> None:
    V = filled(CHANCES, 1.0)
    slots = np.full((3, 9), -1, dtype=np.int8)
    best_slots(MOVES.shifts, SPANS, CHANCES, V, 3, 7, slots)
    for x in range(3):
        for s in range(9):
            found = after(V, CHANCES, 3, 7 - s, x)
            assert slots[x, s] == min(i for i, value in found.items() if value == max(found.values()))


@pytest.mark.parametrize("bits", [2, 3, 10])
def test_exact_chances_are_the_same(bits: int) -> None:
    """With limbs of few bits almost every sum carries."""
    V = filled(CHANCES, 1.0)
    limbs = Limbs(np.zeros(16, dtype=np.int64), np.zeros(16, dtype=np.int64))
    limbs.high[0], limbs.low[0] = 1 >> bits, 1 & ((1 << bits) - 1)
    for size, sets in ((1, [1, 2]), (2, [3])):
        one = 4 ** (size - 1)
        exact_chances(COUNTS, MOVES.shifts, SPANS, (one >> bits, one & ((1 << bits) - 1)), bits, limbs, np.array(sets))
        for A in sets:
            for j in range(WIDTHS[A] + 1):
                place = SPANS.offsets[A] + j
                assert 0 <= limbs.low[place] < 1 << bits
                assert ((limbs.high[place] << bits) + limbs.low[place]) / 4**size == V[place]
    slots, wanted = np.full((3, 9), -1, dtype=np.int8), np.full((3, 9), -1, dtype=np.int8)
    exact_slots(MOVES.shifts, SPANS, (4 >> bits, 4 & ((1 << bits) - 1)), limbs, 3, 7, slots)
    best_slots(MOVES.shifts, SPANS, CHANCES, V, 3, 7, wanted)
    assert np.array_equal(slots, wanted)


def test_a_law_is_pushed_on() -> None:
    slots = np.array([[0, 1], [1, 1], [1, 0]], dtype=np.int8)
    laws = np.zeros(20)
    offsets = np.array([0, 7, 14, 0])
    push_law(MOVES, offsets, 3, np.array([0.5, 0.25]), slots, laws)
    wanted = np.zeros(20)
    for s, share in enumerate((0.5, 0.25)):
        for x, p in enumerate(MOVES.P):
            i = slots[x, s]
            wanted[offsets[3 ^ 1 << i] + s + MOVES.shifts[i, x]] += p * share
    assert np.array_equal(laws, wanted)
    assert laws.sum() == 0.75
