"""Hindsight: the k-th largest of all values, on average.

    E[k-th largest] = ∫_0^∞ P(at least k values exceed t) dt - ∫_-∞^0 (1 - P(at least k values exceed t)) dt,

and without the second integral where a slot may stay empty. Between two values of finite laws the chance is constant;
else the integral is taken by Gauss's rule, on the cells of the laws and halves of them until the error is small.

**Errors.** Let every P(X > t) be off by a part ε of itself. Then P(at least k exceed t) is off by at most kε of itself:
its change with all p_r is Σ_r ε p_r P(k-1 of the others exceed t) = ε k P(exactly k exceed t). So the k-th largest is
off by kε of its height above the first point of the integral. An absolute error δ of P(X > t) adds N ∫ δ dt at most.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import Final, NamedTuple

import numpy as np

from tentimes18.assignment.courses.course import HindsightRow
from tentimes18.assignment.laws.cells import FALL, ROUNDING
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.kernels.types import Floats

__all__ = [
    "Values",
    "corners",
    "count_rounding",
    "equal_count_rounding",
    "exact_largest",
    "expected_largest",
    "largest_on_average",
    "stepwise_largest",
]

POINTS: Final = 12
TOLERANCE: Final = 1e-14  # of a piece, in parts of the whole
NOISE: Final = 1e-13
MOST_PIECES: Final = 1 << 16
MOST_BREAKS: Final = 500

_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(POINTS)

Tails = Callable[[Floats], Floats]
"""P(at least k values exceed t), [t, k]."""


class Values(NamedTuple):
    """How many values of a law there are, at most."""

    law: ValueLaw
    number: float


def count_rounding(rounds: int) -> float:
    """A bound of what `count_tails` rounds, in parts of a chance: a sum and two products a round.

    >>> count_rounding(100) < 1e-13
    True
    """
    return (4.0 * rounds + 16.0) * ROUNDING


def equal_count_rounding(n: int, rounds: float) -> float:
    """The same of `equal_count_tails`: logarithms, of chances above 10^-35 and of the number of rounds, add up.

    >>> equal_count_rounding(10, 1000.0) < 1e-12
    True
    """
    return 2.0 * ROUNDING * (100.0 + n * (90.0 + log(min(rounds, 1e15))))


def expected_largest(
    tails: "Tails", points: Floats, values: Sequence[Values], must_fill: bool, rounding: float, smooth: bool = False
) -> HindsightRow:
    """The means of the k-th largest values with a bound of their error; ``rounding`` is that of the tails.

    ``smooth`` says that the tails are no steps even where the laws are finite.
    """
    if not smooth and all(isinstance(law, FiniteLaw) for law, _ in values):
        row, error = stepwise_largest(tails, points, must_fill), 0.0
    else:
        row, error = largest_on_average(tails, points.tolist(), must_fill)
    n, first = len(row), float(_points(points, must_fill)[0])
    relative, absolute = 0.0, 0.0
    for law, number in values:
        finite = isinstance(law, FiniteLaw)
        cells = law.cells
        # Of a smooth law the error is in parts of the largest chance of a cell, and a slope is taken: a polynomial of
        # degree d that is at most δ on a cell has a slope of at most d² δ on half of it (Markov's inequality).
        relative = max(relative, cells.error if finite else FALL * cells.error)
        degree = cells.coefficients.shape[1] - 1
        absolute += number * (float(cells.coefficients[-1, 0]) + 2.0 * degree**2 * cells.floor * len(cells.left))
    sums = (len(points) if error == 0.0 else 64.0) * ROUNDING
    height = max(float(row.max()) - first, 0.0)
    error += (
        (n * relative + rounding + sums) * height + absolute + 8.0 * ROUNDING * float(np.abs(row).max() + abs(first))
    )
    return HindsightRow(row.tolist(), float(error))


def corners(laws: Sequence[tuple[ValueLaw, Floats]]) -> Floats:
    """Where the chances may jump, and where an integral may begin; a law comes with what multiplies its values."""
    jumps: list[Floats] = [np.empty(0)]
    smooth: list[Floats] = [np.empty(0)]
    for law, scales in laws:
        used = np.unique(scales)
        inner = law.cells.left[1:]
        if isinstance(law, FiniteLaw):
            jumps.append(np.outer(used, inner).ravel())
        else:
            smooth.append(np.outer(used[[0, -1]], inner).ravel())
    between = np.unique(np.concatenate(smooth))
    if len(between) > MOST_BREAKS:  # the integral finds its own pieces
        between = np.append(between[:: len(between) // MOST_BREAKS + 1], between[-1])
    return np.unique(np.concatenate([between, *jumps]))


def largest_on_average(tails: Tails, breaks: Sequence[float], must_fill: bool) -> tuple[Floats, float]:
    """The means of the k-th largest values, and an estimate of their error; nothing changes beyond the breaks."""
    points = _points(breaks, must_fill)
    first = points[0]
    if len(points) == 1:
        return np.full(tails(points).shape[1], first), 0.0
    starts, ends = points[:-1], points[1:]
    total: Floats = np.zeros(tails(points[:1]).shape[1])
    error, scale, seen = 0.0, float(points[-1] - points[0]), 0
    whole = _gauss(tails, starts, ends)
    reach = max(float(whole.sum(axis=0).max()), 1e-300 * scale)
    while len(starts):
        middles = (starts + ends) / 2
        left, right = _gauss(tails, starts, middles), _gauss(tails, middles, ends)
        wrong = np.abs(left + right - whole).max(axis=1)
        seen += len(starts)
        # The chances themselves are right to about that much: halves would show their noise.
        fine = wrong <= np.maximum(TOLERANCE * reach, NOISE * (ends - starts))
        fine |= ends - starts <= 1e-15 * np.maximum(np.abs(ends), scale * 1e-9)
        fine |= seen > MOST_PIECES
        total = total + (left + right)[fine].sum(axis=0)
        error += float(wrong[fine].sum())
        rest = ~fine
        starts, ends = np.concatenate([starts[rest], middles[rest]]), np.concatenate([middles[rest], ends[rest]])
        whole = np.concatenate([left[rest], right[rest]])
    return first + total, error + 4e-16 * abs(first)


def _points(breaks: Sequence[float] | Floats, must_fill: bool) -> Floats:
    """The breaks in order; those from 0 on, and 0, where a slot may stay empty."""
    points: Floats = np.unique(np.asarray(breaks, dtype=np.float64))
    return points if must_fill else np.unique(np.append(np.maximum(points, 0.0), 0.0))


def _gauss(tails: Tails, starts: Floats, ends: Floats) -> Floats:
    half, middle = (ends - starts) / 2, (ends + starts) / 2
    nodes = middle[:, None] + half[:, None] * _PLACES
    found = tails(nodes.ravel()).reshape(len(starts), POINTS, -1)
    sums: Floats = half[:, None] * np.einsum("p,spk->sk", _WEIGHTS, found)
    return sums


def stepwise_largest(tails: Tails, points: Floats, must_fill: bool) -> Floats:
    """The same where the chances change at these points only, or a rounding beside them."""
    at = _points(points, must_fill)
    if len(at) == 1:
        return np.full(tails(at).shape[1], at[0])
    # In the middle between two of them: at a point itself a rounding would decide on which side it lies.
    found: Floats = at[0] + np.diff(at) @ tails((at[:-1] + at[1:]) / 2)
    return found


def exact_largest(
    rounds: Sequence[tuple[ValueLaw, Fraction, Fraction]], ends: Sequence[Fraction], n: int, must_fill: bool
) -> list[Fraction]:
    """The same in Fractions, for laws that are finite: each with the chance that a value comes, and its factor."""
    atoms = [law.exact_atoms() for law, _, _ in rounds]
    points = {value * scale for pairs, (_, _, scale) in zip(atoms, rounds, strict=True) for value, _ in pairs}
    if not must_fill:
        points = {max(point, Fraction(0)) for point in points} | {Fraction(0)}
    at = sorted(points)
    total = [at[0]] * n
    for low, high in pairwise(at):
        count = [Fraction(1)] + [Fraction(0)] * n
        reached = [Fraction(0)] * n
        for pairs, (_, chance, scale), end in zip(atoms, rounds, ends, strict=True):
            p = chance * sum((weight for value, weight in pairs if value * scale > low), Fraction(0))
            count[n] += p * count[n - 1]
            for k in range(n - 1, 0, -1):
                count[k] += p * (count[k - 1] - count[k])
            count[0] -= p * count[0]
            if end:
                for k in range(n):
                    reached[k] += end * sum(count[k + 1 :], Fraction(0))
        total = [sum_ + (high - low) * chance for sum_, chance in zip(total, reached, strict=True)]
    return total
