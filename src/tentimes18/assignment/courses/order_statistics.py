"""Hindsight: the k-th largest of all values, on average.

    E[k-th largest] = ∫_0^∞ P(at least k values exceed t) dt - ∫_-∞^0 (1 - P(at least k values exceed t)) dt,

and without the second integral where a slot may stay empty. Between two values of finite laws the chance is constant;
else the integral is taken by Gauss's rule on pieces, which are halved until a bound of its error is small.

**Errors.** Let every P(X > t) be off by a part ε of itself. Then P(at least k exceed t) is off by at most kε of itself:
its change with all p_r is Σ_r ε p_r P(k-1 of the others exceed t) = ε k P(exactly k exceed t). So the k-th largest is
off by kε of its height above the first point of the integral. An absolute error δ of P(X > t) adds N ∫ δ dt at most.

Let f be analytic with |f| <= M on the ellipse with foci ±1 whose half axes add up to ρ. Then Gauss's rule with m points
is off by at most (64/15) M ρ^-2m / (1 - ρ^-2): the coefficients of Chebyshev's series are at most 2 M ρ^-j, the rule
is right up to degree 2m - 1 and for odd functions, and off by at most 2 + 2/15 for a polynomial of Chebyshev's of
degree 4 or more. `kernels.quadrature` has M for P(at least k values exceed t), and for its difference from 1.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.assignment.courses.course import HindsightRow
from tentimes18.assignment.laws.cells import FALL, ROUNDING, Cells
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.kernels import quadrature
from tentimes18.kernels.types import Clockwork, ExcessTable, Floats, Growth

__all__ = [
    "Values",
    "bernoulli_growth",
    "corners",
    "count_rounding",
    "discounted_growth",
    "equal_count_rounding",
    "exact_largest",
    "expected_largest",
    "largest_on_average",
    "stepwise_largest",
]

RULES: Final = (2, 4, 8, 12, 16)  # points of Gauss's rule
ELLIPSES: Final = np.array([1.5, 2.0, 3.0, 5.0, 9.0, 17.0, 33.0])
TOLERANCE: Final = 1e-16  # of a piece, in parts of the whole
NOISE: Final = 1e-13  # of a piece, in parts of what it adds
NARROW: Final = 1e-13  # in parts of its place: such a piece is not halved
MOST_PIECES: Final = 1 << 15
MOST_BREAKS: Final = 500  # of smooth laws
ROUGH: Final = 1e-6  # the least step of P(X > t), or of its slope, that makes a break

Tails = Callable[[Floats], Floats]
"""P(at least k values exceed t), [t, k]."""

Grows = Callable[[Floats, Floats], Growth]
"""How large that becomes on ellipses around pieces from begins to ends."""


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
    tails: "Tails",
    grows: "Grows | None",
    points: Floats,
    values: Sequence[Values],
    must_fill: bool,
    rounding: float,
) -> HindsightRow:
    """The means of the k-th largest values with a bound of their error; ``rounding`` is that of the tails.

    Where ``grows`` is not there, the tails are steps between the points.
    """
    if grows is None:
        row, error = stepwise_largest(tails, points, must_fill), 0.0
    else:
        row, error = largest_on_average(tails, grows, points, must_fill)
    n, first = len(row), float(_points(points, must_fill)[0])
    relative, absolute = 0.0, 0.0
    for law, number in values:
        finite = isinstance(law, FiniteLaw)
        cells = law.cells
        # Of a smooth law the error is in parts of the largest chance of a cell, and a slope is taken: a polynomial of
        # degree d that is at most δ on a cell has a slope of at most d² δ on half of it (Markov's inequality).
        relative = max(relative, cells.error if finite else 2.0 * FALL * cells.error)
        degree = cells.coefficients.shape[1] - 1
        absolute += number * (float(cells.coefficients[-1, 0]) + 4.0 * degree**2 * cells.floor * len(cells.left))
    sums = (len(points) if grows is None else 64.0) * ROUNDING
    height = max(float(row.max()) - first, 0.0)
    error += (
        (n * relative + rounding + sums) * height + absolute + 40.0 * ROUNDING * float(np.abs(row).max() + abs(first))
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
            jumps.append(np.outer(used, inner[_is_rough(law.cells)]).ravel())
            jumps.append(np.outer(used[[0, -1]], inner[[0, -1]]).ravel())
            smooth.append(np.outer(used[[0, -1]], inner).ravel())
    between = np.unique(np.concatenate(smooth))
    if len(between) > MOST_BREAKS:  # the integral makes its own pieces
        between = np.append(between[:: len(between) // MOST_BREAKS + 1], between[-1])
    return np.unique(np.concatenate([between, *jumps]))


def _is_rough(cells: Cells) -> NDArray[np.bool_]:
    """Where P(X > t) jumps between two cells, or turns: of each end of a cell but the last."""
    at, widths = cells.left[1:], np.diff(cells.left)
    inner = widths[1:] if len(widths) > 1 else np.ones(1)  # the first cell has no begin, the last no end
    step = np.minimum(np.append(inner[:1], inner), np.append(inner, inner[-1:]))[: len(at)]
    sides = []
    for c in (slice(None, -1), slice(1, None)):
        u = (at - cells.mid[c]) * cells.inverse[c]
        value, slope = np.zeros(len(at)), np.zeros(len(at))
        for m in range(cells.coefficients.shape[1] - 1, 0, -1):  # Horner's rule, for the slope of g and its own slope
            slope = slope * u + value
            value = value * u + m * cells.coefficients[c, m]
        sides.append((value * cells.inverse[c], slope * cells.inverse[c] ** 2 * step))
    (value, slope), (after, turned) = sides
    rough: NDArray[np.bool_] = (np.abs(value - after) > 1e-12) | (np.abs(slope - turned) > ROUGH)
    return rough


def bernoulli_growth(
    table: ExcessTable,
    laws: NDArray[np.int64],
    rounds: tuple[Floats, Floats, Floats],
    n: int,
    *,
    is_poisson: bool = False,
    is_sure: bool = True,
) -> Grows:
    """Of rounds with laws [r, regime], chances, scales, and numbers of them; see `kernels.quadrature`."""

    def grows(begins: Floats, ends: Floats) -> Growth:
        out = _empty_growth(len(begins))
        quadrature.count_growth(table, laws, rounds, (is_poisson, is_sure, n), (begins, ends), ELLIPSES, out)
        return out

    return grows


def discounted_growth(table: ExcessTable, clock: Clockwork, n: int) -> tuple[Callable[[Floats], Floats], Grows]:
    """How many values exceed some bounds where time passes, and how their chances grow."""
    rule = np.polynomial.legendre.leggauss(12)
    wrong = 0.0

    def number(bounds: Floats) -> Floats:
        nonlocal wrong
        out = np.empty(len(bounds))
        wrong = max(wrong, quadrature.discounted_counts(table, clock, bounds, rule, out))
        return out

    def grows(begins: Floats, ends: Floats) -> Growth:
        out = _empty_growth(len(begins))
        out.counts[:] = number((begins + ends) / 2)
        quadrature.discounted_growth(table, clock, n, (begins, ends), ELLIPSES, out)
        return out._replace(noises=out.noises + wrong)

    return number, grows


def _empty_growth(pieces: int) -> Growth:
    return Growth(np.empty((pieces, len(ELLIPSES))), np.empty(pieces), np.empty(pieces))


def largest_on_average(
    tails: Tails, grows: Grows, breaks: Sequence[float] | Floats, must_fill: bool
) -> tuple[Floats, float]:
    """The means of the k-th largest values, and a bound of their error; nothing changes beyond the breaks."""
    points = _points(breaks, must_fill)
    first = float(points[0])
    if len(points) == 1:
        return np.full(tails(points).shape[1], first), 0.0
    starts, ends = points[:-1], points[1:]
    total: Floats = np.zeros(tails(points[:1]).shape[1])
    error, allowed = 0.0, len(starts) + MOST_PIECES
    reach = max(float(tails((starts + ends) / 2)[:, 0] @ (ends - starts)), 1e-250 * float(points[-1] - first))
    while len(starts):
        sizes, noises, counts = grows(starts, ends)
        widths = ends - starts
        allowed -= len(starts)
        at_most = np.minimum(_rule_errors(sizes) * (widths / 2)[:, None], widths[:, None])
        noise = np.minimum(2.0 * noises * np.exp(np.minimum(2.0 * noises, 1.0)), 1.0) * widths
        tolerance = TOLERANCE * reach + NOISE * widths * np.minimum(counts, 1.0)
        fine = at_most + noise[:, None] <= tolerance[:, None]
        narrow = widths <= NARROW * np.maximum(np.abs(starts), np.abs(ends))
        taken = fine.any(axis=1) | narrow | (allowed <= 0)
        rule = np.where(fine.any(axis=1), fine.argmax(axis=1), len(RULES) - 1)
        for number in np.unique(rule[taken]):
            some = taken & (rule == number)
            total = total + _gauss(tails, starts[some], ends[some], RULES[number])
        error += float(np.minimum(at_most[np.arange(len(rule)), rule] + noise, widths)[taken].sum())
        rest = ~taken
        middles = (starts + ends)[rest] / 2
        starts, ends = np.concatenate([starts[rest], middles]), np.concatenate([middles, ends[rest]])
    return first + total, error + 4e-16 * abs(first)


def _rule_errors(sizes: Floats) -> Floats:
    """Bounds [piece, rule] of the error of Gauss's rules on [-1, 1], for a function of this size on each ellipse."""
    logs = np.log(64 / 15 / (1 - ELLIPSES**-2)) + sizes
    return np.stack([np.exp((logs - 2 * m * np.log(ELLIPSES)).min(axis=1).clip(-700, 700)) for m in RULES], axis=1)


def _points(breaks: Sequence[float] | Floats, must_fill: bool) -> Floats:
    """The breaks in order; those from 0 on, and 0, where a slot may stay empty."""
    points: Floats = np.unique(np.asarray(breaks, dtype=np.float64))
    return points if must_fill else np.unique(np.append(np.maximum(points, 0.0), 0.0))


def _gauss(tails: Tails, starts: Floats, ends: Floats, points: int) -> Floats:
    places, weights = np.polynomial.legendre.leggauss(points)
    half, middle = (ends - starts) / 2, (ends + starts) / 2
    total: Floats = np.zeros(0)
    for begin in range(0, len(starts), 4096):
        part = slice(begin, begin + 4096)
        at = tails((middle[part, None] + half[part, None] * places).ravel())
        sums: Floats = (half[part, None] * weights).ravel() @ at
        total = sums if begin == 0 else total + sums
    return total


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
