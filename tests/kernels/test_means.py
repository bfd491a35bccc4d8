"""Equally good slots, told apart by the mean: against plain loops on one small game, in integers and in floats."""

from fractions import Fraction

import numpy as np
import pytest

from tentimes18.kernels.means import exact_means, exact_slots, float_means, float_slots
from tentimes18.kernels.objectives import fill_exact, fill_values
from tentimes18.kernels.types import Floats, Ints, Limbs, Means, Moves, Objective, Spans

COUNTS = np.array([1, 2, 1])
SHIFTS = np.array([[0, 1, 2], [0, 2, 4], [0, 2, 4]])
WIDTHS = np.array([0, 2, 4, 6, 4, 6, 8, 10])
SPANS = Spans(WIDTHS, np.cumsum(WIDTHS + 1) - WIDTHS - 1)
CELLS = int(WIDTHS.sum()) + 8
LAYERS = ([1, 2, 4], [3, 5, 6], [7])
CHANCES = Objective(-1, 1.0, np.zeros(8), 0.0, 1e-12, 0.0)


def plain(A: int, j: int) -> tuple[Fraction, Fraction]:
    """Chance and mean by the definition."""
    if not A:
        return Fraction(j <= 0), Fraction(0)
    pairs = [plain_move(A, j, x, plain_slot(A, j, x)) for x in range(3)]
    chance, mean = (sum(int(COUNTS[x]) * pairs[x][part] for x in range(3)) / Fraction(4) for part in (0, 1))
    return chance, mean


def plain_move(A: int, j: int, x: int, i: int) -> tuple[Fraction, Fraction]:
    chance, mean = plain(A ^ 1 << i, j - int(SHIFTS[i, x]))
    return chance, mean + int(SHIFTS[i, x])


def plain_slot(A: int, j: int, x: int) -> int:
    return max((i for i in range(3) if A >> i & 1), key=lambda i: (plain_move(A, j, x, i), -i))


def split(number: int, bits: int, limbs: int) -> list[int]:
    low = [number >> bits * place & (1 << bits) - 1 for place in range(limbs - 2, -1, -1)]
    return [number >> bits * (limbs - 1), *low]


def in_limbs(bits: int, limbs: int, size: int, N: Ints) -> Means:
    points = np.array([[split(int(shift) * 4**size, bits, limbs) for shift in row] for row in SHIFTS])
    return Means(-1, bits, 0.0, np.ascontiguousarray(points.transpose(2, 0, 1)), N)


def in_floats(N: Floats) -> Means:
    return Means(-1, 0, 1e-12, SHIFTS[np.newaxis].astype(float), N)


def exact(size: int, high: Ints, low: Ints) -> Limbs:
    one = 4**size
    return Limbs(8, high, low, (one >> 8, one & 255), (0, 0))


@pytest.mark.parametrize(("bits", "limbs"), [(40, 1), (5, 2), (4, 3)])
def test_exact_means_and_slots(bits: int, limbs: int) -> None:
    high, low = np.zeros(CELLS, dtype=np.int64), np.zeros(CELLS, dtype=np.int64)
    low[0] = 1
    N = np.zeros((limbs, CELLS), dtype=np.int64)
    for size, sets in enumerate(LAYERS):
        chances, means = exact(size, high, low), in_limbs(bits, limbs, size, N)
        fill_exact(COUNTS, SHIFTS, SPANS, chances, np.array(sets))
        exact_means(COUNTS, SHIFTS, SPANS, chances, means, np.array(sets))
        for A in sets:
            for j in range(WIDTHS[A] + 1):
                found = N[:, SPANS.offsets[A] + j].tolist()
                number = sum(limb << bits * place for place, limb in enumerate(reversed(found)))
                assert Fraction(number, 4 ** (size + 1)) == plain(A, j)[1]
                assert all(0 <= limb < 1 << bits for limb in found[1:])
            slots = np.full((3, 16), -1, dtype=np.int8)
            exact_slots(SHIFTS, SPANS, chances, means, A, -2, slots)
            assert slots.tolist() == [[plain_slot(A, s - 2, x) for s in range(16)] for x in range(3)]


def test_float_means_and_slots() -> None:
    V, N = np.zeros(CELLS), np.zeros((1, CELLS))
    V[0] = 1.0
    P = COUNTS / 4
    for sets in LAYERS:
        fill_values(Moves(P, SHIFTS), SPANS, CHANCES, V, np.array(sets))
        float_means(P, SHIFTS, SPANS, CHANCES, V, in_floats(N), np.array(sets))
        for A in sets:
            for j in range(WIDTHS[A] + 1):
                assert N[0, SPANS.offsets[A] + j] == pytest.approx(float(plain(A, j)[1]), abs=1e-14)
            slots = np.full((3, 16), -1, dtype=np.int8)
            float_slots(SHIFTS, SPANS, CHANCES, V, in_floats(N), (A, -2), slots)
            assert slots.tolist() == [[plain_slot(A, s - 2, x) for s in range(16)] for x in range(3)]
