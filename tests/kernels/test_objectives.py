"""Tables over free sets and scores, against plain loops on one small game."""

import numpy as np
import pytest

from tentimes18.kernels.objectives import exact_ties, fill_exact, fill_values, float_ties, push_law
from tentimes18.kernels.types import Floats, Limbs, Moves, Objective, Spans

COUNTS = np.array([1, 2, 1])
MOVES = Moves(COUNTS / 4, np.array([[0, 1, 2], [0, 2, 4]]))
WIDTHS = np.array([0, 2, 4, 6])
SPANS = Spans(WIDTHS, np.array([0, 1, 4, 9]))
NEAR = 1e-12
CHANCES = Objective(-1, 1.0, np.zeros(4), 0.0, NEAR, 0.0)
SHORTFALLS = Objective(-1, 0.0, np.array([0.0, 1.0, 2.0, 3.5]), -1.0, NEAR, 0.0)  # and the best means


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


def test_ties_in_floats() -> None:
    V = filled(CHANCES, 1.0)
    for x in range(3):
        for first in (-3, 0, 2):
            ties = np.full(11, -1)
            float_ties(MOVES.shifts[:, x], SPANS, CHANCES, V, 3, first, ties)
            for s in range(11):
                found = after(V, CHANCES, 3, first + s, x)
                assert ties[s] == sum(1 << i for i, value in found.items() if value == max(found.values()))


@pytest.mark.parametrize(("near", "least", "tied"), [(0.0, 0.0, 0b10), (0.3, 0.0, 0b11), (0.0, 0.5, 0b11)])
def test_how_near_floats_tie(near: float, least: float, tied: int) -> None:
    """Roll 1 in slot 0 leaves 3 of 4 needed from 4, in slot 1 all 2 of 2: chances of 3/4 and 1."""
    V = np.ones(16)
    V[SPANS.offsets[2] + 1] = 0.75
    ties = np.zeros(1, dtype=np.int64)
    float_ties(MOVES.shifts[:, 1], SPANS, CHANCES._replace(near=near, least=least), V, 3, 2, ties)
    assert ties[0] == tied


def integers(bits: int, number: int) -> tuple[int, int]:
    return number >> bits, number & ((1 << bits) - 1)


@pytest.mark.parametrize("bits", [2, 3, 10])
@pytest.mark.parametrize("falls", [False, True])
def test_integers_are_the_same(bits: int, falls: bool) -> None:
    """With limbs of few bits almost every sum carries; shortfalls stand below 6, the largest index."""
    objective, start, most = (SHORTFALLS, 0.0, 6) if falls else (CHANCES, 1.0, 1)
    V = filled(objective, start)
    high, low = np.zeros(16, dtype=np.int64), np.zeros(16, dtype=np.int64)
    high[0], low[0] = integers(bits, most)
    for size, sets in ((1, [1, 2]), (2, [3])):
        one = 4 ** (size - 1)
        limbs = Limbs(bits, high, low, integers(bits, most * one), integers(bits, one if falls else 0))
        fill_exact(COUNTS, MOVES.shifts, SPANS, limbs, np.array(sets))
        for A in sets:
            for j in range(WIDTHS[A] + 1):
                place = SPANS.offsets[A] + j
                assert 0 <= low[place] < 1 << bits
                value = ((high[place] << bits) + low[place]) / 4**size
                assert value == (V[place] + 6 if falls else V[place])
    for x in range(3):
        for first in (-3, 0, 2):
            ties, wanted = np.full(5, -1), np.full(5, -1)
            exact_ties(MOVES.shifts[:, x], SPANS, limbs, 3, first, ties)
            float_ties(MOVES.shifts[:, x], SPANS, objective, V, 3, first, wanted)
            assert ties.tolist() == wanted.tolist()


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
