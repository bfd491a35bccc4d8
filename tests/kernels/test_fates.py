"""Who goes where, against every course of two rounds or batches, compiled and in Fractions."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from tentimes18.kernels import fates as kernel
from tentimes18.kernels.types import Successors

ALONE = Successors(np.ones(1), np.zeros((1, 1), dtype=np.int64), np.ones((1, 1)))


def test_rounds_against_every_course() -> None:
    """Two rounds, three slots, the two lower ones equal: the last of them, which has the smaller number, goes first."""
    above = np.array([[0.25, 0.5, 0.875], [0.5, 0.75, 1.0]])
    out = np.empty((2, 3))
    kernel.chain_fates(above[:, None], np.array([0, 1, 1]), np.array([1.0, 0.5]), ALONE, out)
    assert out[0].tolist() == [0.25, 0.0, 0.625]
    after = {(1, 2): 0.25, (0, 1): 0.625, (0, 1, 2): 0.125}
    expected = np.zeros(3)
    for free, chance in after.items():
        for rank, slot in enumerate(free):
            share = above[1, rank] - (above[1, rank - 1] if rank else 0.0)
            group = [other for other in free if other] if slot else [0]
            expected[max(group)] += 0.5 * chance * share
    assert out[1] == pytest.approx(expected)


def test_regimes_are_followed() -> None:
    """Two regimes that alternate: in the one nothing exceeds the bound, in the other everything does."""
    above = np.array([[[0.0], [1.0]]] * 2)
    chain = Successors(np.array([0.25, 0.75]), np.array([[1], [0]]), np.ones((2, 1)))
    out = np.empty((2, 1))
    kernel.chain_fates(above, np.array([0]), np.ones(2), chain, out)
    assert out[:, 0].tolist() == [0.75, 0.25]


def test_a_batch_against_all_its_outcomes() -> None:
    """Bounds 4 > 2 > 1 of three slots, values 0, 3, 5 and batches of two; the same in Fractions."""
    values, chances = (0, 3, 5), (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
    above = [sum((p for x, p in zip(values, chances, strict=True) if x > bound), Fraction(0)) for bound in (4, 2, 1)]
    expected = [[Fraction(0)] * 3 for _ in range(2)]

    def follow(t: int, free: tuple[int, ...], chance: Fraction) -> None:
        if t == 2:
            return
        for pair in product(range(3), repeat=2):
            here = chance * chances[pair[0]] * chances[pair[1]]
            merged = sorted([(x, 0) for x in (4, 2, 1)] + [(values[i], 1) for i in pair], reverse=True)
            filled = [slot for slot, (_, is_value) in zip(free, merged, strict=False) if is_value]
            for slot in filled:
                expected[t][slot] += here
            follow(t + 1, tuple(slot for slot in free if slot not in filled), here)

    follow(0, (0, 1, 2), Fraction(1))
    rows: Any = np.array([above, above], dtype=object)
    exact: Any = np.zeros((2, 3), dtype=object)
    sizes, groups = np.array([2, 2]), np.array([0, 1, 2])
    function: Any = kernel.batch_fates
    function.py_func(rows, sizes, groups, exact)
    assert exact.tolist() == expected
    out = np.empty((2, 3))
    kernel.batch_fates(rows.astype(np.float64), sizes, groups, out)
    assert out == pytest.approx(exact.astype(np.float64), abs=1e-15)


def test_a_constant_flow_fills_as_a_poisson_process_does() -> None:
    """Two equal slots that take everything, in two parts of time 1."""
    steps = 200
    flows, widths = np.ones((2 * steps, 3, 2)), np.full(2 * steps, 1 / steps)
    p = np.zeros((1, 3, 1))
    p[0, 2, 0] = 1.0
    out = np.zeros((2, 3))
    kernel.time_fates(flows, widths, np.repeat([0, 1], steps), p, out)
    assert out[:, 2] == pytest.approx([1 - np.exp(-1), np.exp(-1) - np.exp(-2)], abs=1e-11)  # the first to come
    second = [1 - (1 + time) * np.exp(-time) for time in (1.0, 2.0)]
    assert out[:, 1] == pytest.approx([second[0], second[1] - second[0]], abs=1e-11)
