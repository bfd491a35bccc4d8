"""Hindsight: the k-th largest of all values, on average.

    E[k-th largest] = ∫_0^∞ P(at least k values exceed t) dt - ∫_-∞^0 (1 - P(at least k values exceed t)) dt,

and without the second integral where a slot may stay empty. Between two values of finite distributions the chance is
constant; else the integral is taken by Gauss's rule on pieces, which are halved until a bound of its error is small.

**Errors.** Let every P(X > t) have relative error ε. Then P(at least k exceed t) has a relative error of at most
(1 + ε)^k - 1 <= e^kε - 1: if all p_r are multiplied by s, its derivative is Σ_r p_r P(k-1 of the others exceed t) =
(k/s) P(k exceed t, and no more), at most k/s of it. So the k-th largest is off by that part of its height above the
first point of the integral. An absolute error δ of P(X > t) adds N ∫ δ dt at most.

Let f be analytic with |f| <= M on the ellipse with foci ±1 whose half axes add up to ρ. Then Gauss's rule with m points
is off by at most (64/15) M ρ^-2m / (1 - ρ^-2): the coefficients of Chebyshev's series are at most 2 M ρ^-j, the rule
is right up to degree 2m - 1 and for odd functions, and off by at most 2 + 2/15 for a polynomial of Chebyshev's of
degree 4 or more. M is that of P(at least k values exceed t), or of its difference from 1:

On a piece from a to b the chance p_r(t) of a value is a polynomial; on the ellipse with foci a and b whose half axes
add up to ρ halves of the piece, it stays within R of p_r((a + b) / 2), by its Taylor series. The chance that at least k
values exceed t is a sum of coefficients of Π (1 - p_r + p_r w), so there it is at most

    Π (|1 - p_r| + |p_r|) min(1, Σ |p_r|), and its difference from 1 at most s^(1-n) Π (|1 - p_r| + s |p_r|)

for k <= n and 0 < s <= 1. A Poisson number has e^(|Λ| - Re Λ) and e^(s |Λ| - Re Λ) instead of the products. What other
cells of the distribution on the piece differ from the polynomial of the cell in its middle is added up as noise.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import expm1, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment.arrival_models import EXACT_COST, HindsightRow, Rounds
from tentimes18.assignment.distributions import FiniteDistribution, UniformDistribution, ValueDistribution
from tentimes18.assignment.excess import FALL, ROUNDING, Cells, ExcessTable, above, cell_of, joined
from tentimes18.compiled import compiled
from tentimes18.limits import check_size

RULES = (2, 4, 8, 12, 16)  # points of Gauss's rule
ELLIPSES = np.array([1.5, 2.0, 3.0, 5.0, 9.0, 17.0, 33.0])
TOLERANCE = 1e-16  # of a piece, in parts of the whole
NOISE = 1e-13  # of a piece, in parts of what it adds
NARROW_PIECE = 1e-13  # in parts of its place: such a piece is not halved
MAX_PIECES = 1 << 15
MAX_BREAKS = 500  # of smooth distributions
ROUGH = 1e-6  # the least step of P(X > t), or of its slope, that makes a break
SLIVER = 2.0**-50  # of a bound: so near to the end of a piece a break is the end itself
MAX_CELLS_ON_PIECE = 8

Tails = Callable[[Floats], Floats]
"""P(at least k values exceed t), [t, k]."""


class Growth(NamedTuple):
    """Of some pieces: logarithms of bounds of a function on ellipses, [piece, ellipse]; what it is off; and a count."""

    sizes: Floats
    noises: Floats
    counts: Floats


Grows = Callable[[Floats, Floats], Growth]
"""How large that becomes on ellipses around pieces from begins to ends."""


def hindsight_of(rounds: Rounds) -> HindsightRow:
    """The k-th largest values on average, whatever the best play sees of them."""
    N, n, floats = rounds.size, rounds.n, rounds.floats
    scales, chances = floats.scales, floats.chances
    choices = rounds.choices
    S = choices.shape[1]
    is_random = rounds.starts != 1 or bool(np.any(floats.ends[:-1]))
    is_scaled, equal = bool(np.any(scales != 1)), _are_equal(rounds)
    numbers = [np.any(choices == number, axis=1) for number in range(len(rounds.dists))]
    points = corners([(dist, scales[used]) for dist, used in zip(rounds.dists, numbers, strict=True)])
    if not equal:
        check_size("hindsight", operations=50.0 * N * n * S * S * len(points), field="arrivals")
    table = joined([dist.cells for dist in rounds.dists])
    values = [(dist, float(np.count_nonzero(used))) for dist, used in zip(rounds.dists, numbers, strict=True)]
    # `count_tails` takes a sum and two products a round.
    rounding = equal_count_rounding(n, float(N)) if equal else (4.0 * N * (1 if S == 1 else 2 + S) + 16.0) * ROUNDING
    if is_scaled:  # powers of a discount
        rounding += 4.0 * N * ROUNDING
    grows: Grows | None = None
    if not all(isinstance(dist, FiniteDistribution) for dist in rounds.dists):
        each = (chances[:1], np.ones(1), np.array([float(N)])) if equal else (chances, scales, np.ones(N))
        grows = bernoulli_growth(table, choices[: len(each[0])], each, n, is_sure=not is_random)
    return expected_largest(tails_of(rounds), grows, points, values, rounds.must_fill, rounding)


def _are_equal(rounds: Rounds) -> bool:
    """Whether all values have one distribution and one scale, and their number is known."""
    scales, chances, ends = (np.asarray(array) for array in (rounds.scales, rounds.chances, rounds.ends))
    is_sure = rounds.starts == 1 and not np.any(ends[:-1])
    is_plain = bool(np.all(scales == 1) and np.all(chances == chances[0]))
    return len(rounds.dists) == 1 and (rounds.regimes is None or rounds.regimes.size == 1) and is_sure and is_plain


def tails_of(rounds: Rounds) -> Tails:
    """P(at least k values exceed t), whatever the rule sees of them."""
    rounds = rounds.floats
    equal, table = _are_equal(rounds), joined([dist.cells for dist in rounds.dists])
    arrays = rounds.choices, rounds.chances, rounds.scales, rounds.ends

    def tails(bounds: Floats) -> Floats:
        out = np.empty((len(bounds), rounds.n))
        if equal:
            equal_count_tails(rounds.chances[0] * rounds.dists[0].above(bounds), float(rounds.size), out)
        else:
            count_tails(table, arrays, rounds.chain(np.float64), bounds, out)
        return out

    return tails


def exact_hindsight_of(rounds: Rounds) -> list[Fraction]:
    """The same in Fractions, of finite distributions, or of uniform values without a discount."""
    is_sure = _are_equal(rounds) and rounds.chances[0] == 1 and rounds.n <= rounds.size
    if is_sure and isinstance(rounds.dists[0], UniformDistribution) and rounds.dists[0].support[0] >= 0:
        low, high = (Fraction(end) for end in rounds.dists[0].support)
        return [high - (high - low) * Fraction(k, rounds.size + 1) for k in range(1, rounds.n + 1)]
    choices = rounds.choices
    S = choices.shape[1]
    atoms = [dist.exact_atoms() for dist in rounds.dists]
    scales = [Fraction(scale) for scale in rounds.scales]
    count = sum(map(len, atoms)) * len(set(scales))
    operations = EXACT_COST * count * rounds.size * (rounds.n + 4) * S * S
    check_size("exact hindsight", operations=operations, field="arrivals")
    points = {
        value * scale
        for numbers, scale in set(zip(map(tuple, choices.tolist()), scales, strict=True))
        for number in numbers
        for value, _ in atoms[number]
    }
    if not rounds.must_fill:
        points = {max(point, Fraction(0)) for point in points} | {Fraction(0)}
    at = sorted(points)
    total = np.full(rounds.n, at[0])
    for low, high in pairwise(at):
        total = total + (high - low) * _exact_tails(rounds, scales, low)
    return total.tolist()


def _exact_tails(rounds: Rounds, scales: list[Fraction], bound: Fraction) -> Any:
    """The probabilities that at least k = 1..n values exceed the bound."""
    n = rounds.n
    begin, moves = rounds.chain(object)
    count = [[share, *([Fraction(0)] * n)] for share in begin]  # by regime: the chances of 0, 1, ..., n or more values
    tails = np.full(n, Fraction(0))
    for numbers, scale, chance, end in zip(rounds.choices.tolist(), scales, rounds.chances, rounds.ends, strict=True):
        for row, number in zip(count, numbers, strict=True):
            p = chance * rounds.dists[number].exact_above(bound / scale)
            row[n] += p * row[n - 1]
            for k in range(n - 1, 0, -1):
                row[k] += p * (row[k - 1] - row[k])
            row[0] -= p * row[0]
        if end:
            tails = tails + end * np.array(count).sum(axis=0)[:0:-1].cumsum()[::-1]
        if len(moves) > 1:
            count = (moves.T @ np.array(count)).tolist()
    return tails


def equal_count_rounding(n: int, rounds: float) -> float:
    """A bound of what `equal_count_tails` rounds, in parts of a chance.

    Logarithms, of chances above 10^-35 and of the number of rounds, add up.
    """
    return 2.0 * ROUNDING * (100.0 + n * (90.0 + log(min(rounds, 1e15))))


def expected_largest(
    tails: Tails,
    grows: Grows | None,
    points: Floats,
    values: Sequence[tuple[ValueDistribution, float]],
    must_fill: bool,
    rounding: float,
) -> HindsightRow:
    """The means of the k-th largest values with a bound of their error; ``rounding`` is that of the tails.

    ``values`` says how many values of each distribution there are, at most. Where ``grows`` is not there, the tails are
    steps between the points.
    """
    at = np.unique(points if must_fill else np.append(np.maximum(points, 0.0), 0.0))  # nothing changes beyond these
    first, error = float(at[0]), 0.0
    if len(at) == 1:
        row = np.full(tails(at).shape[1], first)
    elif grows is None:  # in the middle: at a point itself a rounding would decide on which side it lies
        row = first + np.diff(at) @ tails((at[:-1] + at[1:]) / 2)
    else:
        row, error = _integrated(tails, grows, at)
        row, error = first + row, error + 4e-16 * abs(first)
    n = len(row)
    errors = [(chance_errors(dist), number) for dist, number in values]
    relative = max(part for (part, _), _ in errors)
    absolute = sum(number * part for (_, part), number in errors)
    sums = (len(points) if grows is None else 64.0) * ROUNDING
    height = max(float(row.max()) - first, 0.0)
    error += (expm1(n * relative) + rounding + sums) * height + absolute
    error += 40.0 * ROUNDING * float(np.abs(row).max() + abs(first))
    return HindsightRow(row.tolist(), float(error))


def chance_errors(dist: ValueDistribution) -> tuple[float, float]:
    """Bounds of the relative error of P(X > t), and of the integral of its absolute error."""
    cells = dist.cells
    # Of a smooth distribution the error is in parts of the largest chance of a cell, and a slope is taken: a polynomial
    # of degree d that is at most δ on a cell has a slope of at most d² δ on half of it (Markov's inequality).
    relative = cells.error if isinstance(dist, FiniteDistribution) else 2.0 * FALL * cells.error
    degree = cells.coefficients.shape[1] - 1
    return relative, float(cells.coefficients[-1, 0]) + 4.0 * degree**2 * cells.floor * len(cells.left)


def corners(dists: Sequence[tuple[ValueDistribution, Floats]]) -> Floats:
    """Where the chances may jump, and where an integral may begin; each distribution with what multiplies it."""
    jumps: list[Floats] = [np.empty(0)]
    smooth: list[Floats] = [np.empty(0)]
    for dist, scales in dists:
        used = np.unique(scales)
        inner = dist.cells.left[1:]
        if isinstance(dist, FiniteDistribution):
            jumps.append(np.outer(used, inner).ravel())
        else:
            jumps.append(np.outer(used, inner[_is_rough(dist.cells)]).ravel())
            jumps.append(np.outer(used[[0, -1]], inner[[0, -1]]).ravel())
            smooth.append(np.outer(used[[0, -1]], inner).ravel())
    between = np.unique(np.concatenate(smooth))
    if len(between) > MAX_BREAKS:  # the integral makes its own pieces
        between = np.append(between[:: len(between) // MAX_BREAKS + 1], between[-1])
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
    return (np.abs(value - after) > 1e-12) | (np.abs(slope - turned) > ROUGH)


def bernoulli_growth(
    table: ExcessTable,
    dists: Ints,
    rounds: tuple[Floats, Floats, Floats],
    n: int,
    *,
    is_poisson: bool = False,
    is_sure: bool = True,
) -> Grows:
    """Of rounds with distributions [r, regime], chances, scales, and numbers of them."""

    def grows(begins: Floats, ends: Floats) -> Growth:
        out = Growth(np.empty((len(begins), len(ELLIPSES))), np.empty(len(begins)), np.empty(len(begins)))
        count_growth(table, dists, rounds, (is_poisson, is_sure, n), (begins, ends), ELLIPSES, out)
        return out

    return grows


def _integrated(tails: Tails, grows: Grows, points: Floats) -> tuple[Floats, float]:
    """The integrals of the tails from the first of these points to the last, and a bound of their error."""
    starts, ends = points[:-1], points[1:]
    total: Floats = np.zeros(tails(points[:1]).shape[1])
    error, allowed = 0.0, len(starts) + MAX_PIECES
    reach = max(float(tails((starts + ends) / 2)[:, 0] @ (ends - starts)), 1e-250 * float(points[-1] - points[0]))
    while len(starts):
        sizes, noises, counts = grows(starts, ends)
        widths = ends - starts
        allowed -= len(starts)
        at_most = np.minimum(_rule_errors(sizes) * (widths / 2)[:, None], widths[:, None])
        noise = np.minimum(2.0 * noises * np.exp(np.minimum(2.0 * noises, 1.0)), 1.0) * widths
        tolerance = TOLERANCE * reach + NOISE * widths * np.minimum(counts, 1.0)
        fine = at_most + noise[:, None] <= tolerance[:, None]
        narrow = widths <= NARROW_PIECE * np.maximum(np.abs(starts), np.abs(ends))
        taken = fine.any(axis=1) | narrow | (allowed <= 0)
        rule = np.where(fine.any(axis=1), fine.argmax(axis=1), len(RULES) - 1)
        for number in np.unique(rule[taken]):
            some = taken & (rule == number)
            total = total + _gauss(tails, starts[some], ends[some], RULES[number])
        error += float(np.minimum(at_most[np.arange(len(rule)), rule] + noise, widths)[taken].sum())
        rest = ~taken
        middles = (starts + ends)[rest] / 2
        starts, ends = np.concatenate([starts[rest], middles]), np.concatenate([middles, ends[rest]])
    return total, error


def _rule_errors(sizes: Floats) -> Floats:
    """Bounds [piece, rule] of the error of Gauss's rules on [-1, 1], for a function of this size on each ellipse."""
    logs = np.log(64 / 15 / (1 - ELLIPSES**-2)) + sizes
    return np.stack([np.exp((logs - 2 * m * np.log(ELLIPSES)).min(axis=1).clip(-700, 700)) for m in RULES], axis=1)


def _gauss(tails: Tails, starts: Floats, ends: Floats, points: int) -> Floats:
    places, weights = np.polynomial.legendre.leggauss(points)
    half, middle = (ends - starts) / 2, (ends + starts) / 2
    parts = (slice(begin, begin + 4096) for begin in range(0, len(starts), 4096))
    sums: list[Floats] = [
        (half[part, None] * weights).ravel() @ tails((middle[part, None] + half[part, None] * places).ravel())
        for part in parts
    ]
    return reduce(np.add, sums)


# The kernels.


@compiled()
def count_tails(
    table: ExcessTable,
    rounds: tuple[Ints, Floats, Floats, Floats],
    chain: tuple[Floats, Floats],
    bounds: Floats,
    out: Floats,
) -> None:
    """out[m, k - 1] = the chance that at least k of the values exceed bounds[m], for k = 1..n.

    ``rounds`` are the distributions [r, regime], chances, scales and ends. Sums of products of positive numbers: the
    relative error of a small chance is small, too.
    """
    starts, left, mid, inverse, coefficients, degrees = table
    dists, chances, scales, ends = rounds
    begin, transitions = chain
    n, S = out.shape[1], len(begin)
    count = np.empty((S, n + 1))
    moved = np.empty((S, n + 1))
    for m in range(len(bounds)):
        count[:] = 0.0
        count[:, 0] = begin
        out[m] = 0.0
        for r in range(len(chances)):
            t = bounds[m] / scales[r]
            for s in range(S):
                dist = dists[r, s]
                c = cell_of(left, starts[dist], starts[dist + 1], t, starts[dist])
                p = chances[r] * above(coefficients, c, degrees[dist], (t - mid[c]) * inverse[c], inverse[c])
                count[s, n] += p * count[s, n - 1]
                for k in range(n - 1, 0, -1):
                    count[s, k] = (1.0 - p) * count[s, k] + p * count[s, k - 1]
                count[s, 0] *= 1.0 - p
            if ends[r] > 0.0:
                tail = 0.0
                for k in range(n, 0, -1):
                    for s in range(S):
                        tail += count[s, k]
                    out[m, k - 1] += ends[r] * tail
            if S > 1:
                for s in range(S):
                    for k in range(n + 1):
                        total = 0.0
                        for other in range(S):
                            total += count[other, k] * transitions[other, s]
                        moved[s, k] = total
                count[:] = moved


@compiled()
def equal_count_tails(above_bound: Floats, rounds: float, out: Floats) -> None:
    """The same for a number of values of one distribution, each of which exceeds bound m with chance above_bound[m].

    An infinite number of rounds: a Poisson number of values, of which above_bound[m] are expected.
    """
    n = out.shape[1]
    for m in range(len(above_bound)):
        p = above_bound[m]
        if p <= 0.0 or (p >= 1.0 and rounds < np.inf):
            for k in range(n):
                out[m, k] = 1.0 if p > 0.0 and k + 1 <= rounds else 0.0
            continue
        # The log of the chance of exactly i values, from none on, and what its sum was rounded by.
        value = -p if rounds == np.inf else rounds * np.log1p(-p)
        log_odds = np.log(p) if rounds == np.inf else np.log(p) - np.log1p(-p)
        mean = p if rounds == np.inf else p * rounds
        lost, tail, i = 0.0, 0.0, 0.0
        while True:
            chance = np.exp(value + lost)
            if i < n:
                out[m, int(i)] = chance
            else:
                tail += chance
            left_over = 1.0 if rounds == np.inf else rounds - i
            if left_over <= 0.0:
                for k in range(int(i) + 1, n):
                    out[m, k] = 0.0
                break
            # Where more than n are expected, the complement to 1 is enough.
            if (i >= n and chance <= 1e-17 * tail) or (i == n - 1.0 and mean >= n):
                break
            term = log_odds + np.log(left_over / (i + 1.0)) + lost
            total = value + term
            part = total - value
            lost = (value - (total - part)) + (term - part)
            value = total
            i += 1.0
        if mean >= n:
            below = 0.0
            for k in range(n):
                below += out[m, k]
                out[m, k] = max(0.0, 1.0 - below)
        else:
            for k in range(n - 1, -1, -1):
                exactly = out[m, k]
                out[m, k] = tail
                tail += exactly


@compiled()
def taylor(coefficients: Floats, c: int, degree: int, inverse: float, u: float, step: float, out: Floats) -> None:
    """out[m]: the coefficients of P(X > t) in cell c, as a polynomial in (u' - u) / step."""
    out[:] = 0.0
    for m in range(degree):
        out[m] = -(m + 1) * coefficients[c, m + 1] * inverse
    for i in range(degree - 1):
        for m in range(degree - 2, i - 1, -1):
            out[m] += u * out[m + 1]
    power = 1.0
    for m in range(1, degree):
        power *= step
        out[m] *= power


@compiled()
def _differ(table: ExcessTable, dist: int, c: int, other: int, ends: tuple[float, float], work: Floats) -> float:
    """How far the polynomials of two cells are apart between two bounds, at most."""
    _, _, mid, inverse, coefficients, degrees = table
    middle, half = 0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0])
    taylor(coefficients, c, degrees[dist], inverse[c], (middle - mid[c]) * inverse[c], half * inverse[c], work[0])
    one, two = inverse[other], half * inverse[other]
    taylor(coefficients, other, degrees[dist], one, (middle - mid[other]) * one, two, work[1])
    total = 0.0
    for m in range(degrees[dist]):
        total += abs(work[0, m] - work[1, m])
    return total


@compiled()
def _expand(table: ExcessTable, dist: int, low: float, high: float, work: Floats) -> float:
    """work[2]: the polynomial of the cell in the middle, on the whole of the piece; the noise of the others."""
    starts, left, mid, inverse, coefficients, degrees = table
    first, end = starts[dist], starts[dist + 1]
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    c = cell_of(left, first, end, middle, first)
    low += SLIVER * abs(low)
    high -= SLIVER * abs(high)
    begin = cell_of(left, first, end, low, c)
    noise = 0.0
    other = begin
    while other < end and (other == begin or left[other] < high):
        if other - begin > MAX_CELLS_ON_PIECE:
            noise = 1.0
            break
        if other != c:
            one = max(low, left[other])
            two = high if other + 1 == end else min(high, left[other + 1])
            if one < two:
                noise = max(noise, _differ(table, dist, c, other, (one, two), work))
        other += 1
    taylor(coefficients, c, degrees[dist], inverse[c], (middle - mid[c]) * inverse[c], half * inverse[c], work[2])
    return noise


@compiled()
def _log_of(x: float, R: float, s: float, is_poisson: bool) -> float:
    """The logarithm of what a chance (or number) within R of x adds to the product."""
    worst = -np.inf
    for y in (x - R, x + R):
        if is_poisson:
            worst = max(worst, s * np.hypot(y, R) - y)
        else:
            size = np.hypot(1.0 - y, R) + s * np.hypot(y, R)
            worst = max(worst, np.log(size) if size > 0.0 else -1e300)
    return worst


@compiled()
def count_growth(
    table: ExcessTable,
    dists: Ints,
    rounds: tuple[Floats, Floats, Floats],
    kind: tuple[bool, bool, int],
    pieces: tuple[Floats, Floats],
    ellipses: Floats,
    out: Growth,
) -> None:
    """Of rounds [r] with distributions [r, regime], chances, scales and numbers of such rounds, for each piece.

    ``kind`` says whether the numbers are those of a Poisson process, whether all rounds come about, and how many slots
    there are. out.sizes gets logarithms [piece, ellipse].
    """
    chances, scales, numbers = rounds
    is_poisson, is_sure, n = kind
    begins, ends = pieces
    sizes, noises, counts = out
    N, S, E = dists.shape[0], dists.shape[1], len(ellipses)
    degree = table.coefficients.shape[1]
    work = np.empty((3, degree))
    here = np.empty((N, S))
    around = np.empty((N, S, E))
    for i in range(len(begins)):
        noise, count = 0.0, 0.0
        for r in range(N):
            worst, most = 0.0, 0.0
            for k in range(S):
                dist = dists[r, k]
                wrong = _expand(table, dist, begins[i] / scales[r], ends[i] / scales[r], work)
                worst = max(worst, chances[r] * wrong)
                factor = chances[r] * (numbers[r] if is_poisson else 1.0)
                here[r, k] = factor * work[2, 0]
                most = max(most, here[r, k])
                for e in range(E):
                    reach = 0.5 * (ellipses[e] + 1.0 / ellipses[e])
                    power, total = 1.0, 0.0
                    for m in range(1, degree):
                        power *= reach
                        total += abs(work[2, m]) * power
                    around[r, k, e] = factor * total
            noise += worst * numbers[r]
            count += most if is_poisson else most * numbers[r]
        noises[i], counts[i] = noise, count
        s = min(1.0, max(n - 1.0, 0.5) / max(count, 1e-300))
        for e in range(E):
            product, all_of_them = 0.0, 0.0
            missing = (1.0 - n) * np.log(s) if is_sure else np.inf
            for r in range(N):
                most, least, largest = 0.0, -np.inf, 0.0
                for k in range(S):
                    x, R = here[r, k], around[r, k, e]
                    most = max(most, _log_of(x, R, 1.0, is_poisson))
                    if is_sure:
                        least = max(least, _log_of(x, R, s, is_poisson))
                    largest = max(largest, abs(x) + R)
                number = 1.0 if is_poisson else numbers[r]
                product += number * most
                if is_sure:
                    missing += number * least
                all_of_them += number * largest
            if all_of_them < 1.0:
                product += np.log(max(all_of_them, 1e-300))
            sizes[i, e] = min(product, missing)
