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
degree 4 or more. M is that of P(at least k values exceed t), or of its difference from 1:

On a piece from a to b the chance p_r(t) of a value is a polynomial; on the ellipse with foci a and b whose half axes
add up to ρ halves of the piece, it stays within R of p_r((a + b) / 2), by its Taylor series. The chance that at least k
values exceed t is a sum of coefficients of Π (1 - p_r + p_r w), so there it is at most

    Π (|1 - p_r| + |p_r|) min(1, Σ |p_r|), and its difference from 1 at most s^(1-n) Π (|1 - p_r| + s |p_r|)

for k <= n and 0 < s <= 1. A Poisson number has e^(|Λ| - Re Λ) and e^(s |Λ| - Re Λ) instead of the products. What other
cells of the law on the piece differ from the polynomial of the cell in its middle is added up as noise.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment.arrival_models import EXACT_COST, HindsightRow, Rounds
from tentimes18.assignment.distributions import FiniteLaw, UniformLaw, ValueLaw
from tentimes18.assignment.excess import FALL, ROUNDING, Cells, ExcessTable, above, cell_of, joined
from tentimes18.compiled import compiled
from tentimes18.limits import check_size

RULES = (2, 4, 8, 12, 16)  # points of Gauss's rule
ELLIPSES = np.array([1.5, 2.0, 3.0, 5.0, 9.0, 17.0, 33.0])
TOLERANCE = 1e-16  # of a piece, in parts of the whole
NOISE = 1e-13  # of a piece, in parts of what it adds
NARROW_PIECE = 1e-13  # in parts of its place: such a piece is not halved
MAX_PIECES = 1 << 15
MAX_BREAKS = 500  # of smooth laws
ROUGH = 1e-6  # the least step of P(X > t), or of its slope, that makes a break
SLIVER = 2.0**-50  # of a bound: so near to the end of a piece a break is the end itself
MAX_CELLS_ON_PIECE = 8
SHORT = 0.25  # of the time in which a value loses all but 1/e: the longest half interval of an integral in time

Tails = Callable[[Floats], Floats]
"""P(at least k values exceed t), [t, k]."""


class Clockwork(NamedTuple):
    """Arrivals whose values lose e^-decay in a unit of time; between two edges the rate is a polynomial on [-1, 1]."""

    decay: float
    edges: Floats
    rates: Floats


class Growth(NamedTuple):
    """Of some pieces: logarithms of bounds of a function on ellipses, [piece, ellipse]; what it is off; and a count."""

    sizes: Floats
    noises: Floats
    counts: Floats


Grows = Callable[[Floats, Floats], Growth]
"""How large that becomes on ellipses around pieces from begins to ends."""


def hindsight_of(rounds: Rounds) -> HindsightRow:
    """The k-th largest values on average, whatever the best play sees of them."""
    N, n, regimes = rounds.size, rounds.n, rounds.regimes
    arrays = (rounds.scales, rounds.chances, rounds.ends)
    scales, chances, ends = (np.asarray(array, dtype=np.float64) for array in arrays)
    choices = rounds.choices
    S = choices.shape[1]
    is_random = rounds.starts != 1 or bool(np.any(ends[:-1]))
    is_scaled = bool(np.any(scales != 1))
    equal = len(rounds.laws) == 1 and not is_random and not is_scaled and bool(np.all(chances == chances[0]))
    numbers = [np.any(choices == number, axis=1) for number in range(len(rounds.laws))]
    points = corners([(law, scales[used]) for law, used in zip(rounds.laws, numbers, strict=True)])
    if not equal:
        check_size("hindsight", operations=50.0 * N * n * S * S * len(points), field="arrivals")
    table = joined([law.cells for law in rounds.laws])
    begin, transitions = (
        (np.ones(1), np.ones((1, 1)))
        if regimes is None
        else (np.array(regimes.begin, dtype=np.float64), np.array(regimes.transitions, dtype=np.float64))
    )

    def tails(bounds: Floats) -> Floats:
        out = np.empty((len(bounds), n))
        if equal:
            equal_count_tails(chances[0] * rounds.laws[0].above(bounds), float(N), out)
        else:
            count_tails(table, (choices, chances, scales, ends), (begin, transitions), bounds, out)
        return out

    values = [Values(law, float(np.count_nonzero(used))) for law, used in zip(rounds.laws, numbers, strict=True)]
    rounding = equal_count_rounding(n, float(N)) if equal else count_rounding(N * (1 if S == 1 else 2 + S))
    if is_scaled:  # powers of a discount
        rounding += 4.0 * N * ROUNDING
    grows: Grows | None = None
    if not all(isinstance(law, FiniteLaw) for law in rounds.laws):
        each = (chances[:1], np.ones(1), np.array([float(N)])) if equal else (chances, scales, np.ones(N))
        grows = bernoulli_growth(table, choices[: len(each[0])], each, n, is_sure=not is_random)
    return expected_largest(tails, grows, points, values, rounds.must_fill, rounding)


def exact_hindsight_of(rounds: Rounds) -> list[Fraction]:
    """The same in Fractions, of finite distributions, or of uniform values without a discount."""
    if _is_uniform(rounds):
        low, high = (Fraction(end) for end in rounds.laws[0].support)
        return [high - (high - low) * Fraction(k, rounds.size + 1) for k in range(1, rounds.n + 1)]
    choices = rounds.choices
    S = choices.shape[1]
    atoms = [law.exact_atoms() for law in rounds.laws]
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
    total = [at[0]] * rounds.n
    for low, high in pairwise(at):
        tails = _exact_tails(rounds, choices, atoms, scales, low)
        total = [so_far + (high - low) * tail for so_far, tail in zip(total, tails, strict=True)]
    return total


def _exact_tails(rounds: Rounds, choices: Ints, atoms: Sequence[Any], scales: list[Fraction], bound: Fraction) -> Any:
    """The probabilities that at least k = 1..n values exceed the bound."""
    n, regimes = rounds.n, rounds.regimes
    S = choices.shape[1]
    begin = [1] if regimes is None else regimes.begin
    count = [[Fraction(share), *([Fraction(0)] * n)] for share in begin]
    tails = [Fraction(0)] * n
    for numbers, scale, chance, end in zip(choices.tolist(), scales, rounds.chances, rounds.ends, strict=True):
        for row, number in zip(count, numbers, strict=True):
            weights = (weight for value, weight in atoms[number] if value * scale > bound)
            p = Fraction(chance) * sum(weights, Fraction(0))
            row[n] += p * row[n - 1]
            for k in range(n - 1, 0, -1):
                row[k] += p * (row[k - 1] - row[k])
            row[0] -= p * row[0]
        if end:
            for k in range(n):
                tails[k] += Fraction(end) * sum((sum(row[k + 1 :], Fraction(0)) for row in count), Fraction(0))
        if regimes is not None:
            moves = [[Fraction(share) for share in row] for row in regimes.transitions]
            count = [
                [sum((moves[r][s] * count[r][k] for r in range(S)), Fraction(0)) for k in range(n + 1)]
                for s in range(S)
            ]
    return tails


def _is_uniform(rounds: Rounds) -> bool:
    """Whether the order statistics of a uniform distribution are all there is to know."""
    is_plain = all(chance == 1 for chance in rounds.chances) and all(scale == 1 for scale in rounds.scales)
    is_known = rounds.starts == 1 and not any(rounds.ends[:-1]) and rounds.n <= rounds.size
    law = rounds.laws[0]
    return is_plain and is_known and len(rounds.laws) == 1 and isinstance(law, UniformLaw) and law.support[0] >= 0


class Values(NamedTuple):
    """How many values of a law there are, at most."""

    law: ValueLaw
    number: float


def count_rounding(rounds: int) -> float:
    """A bound of what `count_tails` rounds, in parts of a chance: a sum and two products a round."""
    return (4.0 * rounds + 16.0) * ROUNDING


def equal_count_rounding(n: int, rounds: float) -> float:
    """The same of `equal_count_tails`: logarithms, of chances above 10^-35 and of the number of rounds, add up."""
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
    rough: NDArray[np.bool_] = (np.abs(value - after) > 1e-12) | (np.abs(slope - turned) > ROUGH)
    return rough


def bernoulli_growth(
    table: ExcessTable,
    laws: Ints,
    rounds: tuple[Floats, Floats, Floats],
    n: int,
    *,
    is_poisson: bool = False,
    is_sure: bool = True,
) -> Grows:
    """Of rounds with laws [r, regime], chances, scales, and numbers of them."""

    def grows(begins: Floats, ends: Floats) -> Growth:
        out = _empty_growth(len(begins))
        count_growth(table, laws, rounds, (is_poisson, is_sure, n), (begins, ends), ELLIPSES, out)
        return out

    return grows


def discounted_growth(table: ExcessTable, clock: Clockwork, n: int) -> tuple[Callable[[Floats], Floats], Grows]:
    """How many values exceed some bounds where time passes, and how their chances grow."""
    rule = np.polynomial.legendre.leggauss(12)
    wrong = 0.0

    def number(bounds: Floats) -> Floats:
        nonlocal wrong
        out = np.empty(len(bounds))
        wrong = max(wrong, discounted_counts(table, clock, bounds, rule, out))
        return out

    def grows(begins: Floats, ends: Floats) -> Growth:
        out = _empty_growth(len(begins))
        out.counts[:] = number((begins + ends) / 2)
        _discounted_growth(table, clock, n, (begins, ends), ELLIPSES, out)
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
    error, allowed = 0.0, len(starts) + MAX_PIECES
    reach = max(float(tails((starts + ends) / 2)[:, 0] @ (ends - starts)), 1e-250 * float(points[-1] - first))
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
    laws, chances, scales, ends = rounds
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
                law = laws[r, s]
                c = cell_of(left, starts[law], starts[law + 1], t, starts[law])
                p = chances[r] * above(coefficients, c, degrees[law], (t - mid[c]) * inverse[c], inverse[c])
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
    """The same for so many values of one law, each of which exceeds bound m with chance above_bound[m].

    An infinite number of rounds: a Poisson number of values, of which above_bound[m] are to be expected.
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
            # Where more than n are to be expected, what is missing of 1 tells enough.
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
def _taylor(coefficients: Floats, c: int, degree: int, inverse: float, u: float, step: float, out: Floats) -> None:
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
def _differ(table: ExcessTable, law: int, c: int, other: int, ends: tuple[float, float], work: Floats) -> float:
    """How far the polynomials of two cells are apart between two bounds, at most."""
    _, _, mid, inverse, coefficients, degrees = table
    middle, half = 0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0])
    _taylor(coefficients, c, degrees[law], inverse[c], (middle - mid[c]) * inverse[c], half * inverse[c], work[0])
    one, two = inverse[other], half * inverse[other]
    _taylor(coefficients, other, degrees[law], one, (middle - mid[other]) * one, two, work[1])
    total = 0.0
    for m in range(degrees[law]):
        total += abs(work[0, m] - work[1, m])
    return total


@compiled()
def _expand(table: ExcessTable, law: int, low: float, high: float, work: Floats) -> float:
    """work[2]: the polynomial of the cell in the middle, on the whole of the piece; the noise of the others."""
    starts, left, mid, inverse, coefficients, degrees = table
    first, end = starts[law], starts[law + 1]
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
                noise = max(noise, _differ(table, law, c, other, (one, two), work))
        other += 1
    _taylor(coefficients, c, degrees[law], inverse[c], (middle - mid[c]) * inverse[c], half * inverse[c], work[2])
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
    laws: Ints,
    rounds: tuple[Floats, Floats, Floats],
    kind: tuple[bool, bool, int],
    pieces: tuple[Floats, Floats],
    ellipses: Floats,
    out: Growth,
) -> None:
    """Of rounds [r] with laws [r, regime], chances, scales and numbers of such rounds, for each piece.

    ``kind`` says whether the numbers are those of a Poisson process, whether all rounds come about, and how many slots
    there are. out.sizes gets logarithms [piece, ellipse].
    """
    chances, scales, numbers = rounds
    is_poisson, is_sure, n = kind
    begins, ends = pieces
    sizes, noises, counts = out
    N, S, E = laws.shape[0], laws.shape[1], len(ellipses)
    degree = table.coefficients.shape[1]
    work = np.empty((3, degree))
    here = np.empty((N, S))
    around = np.empty((N, S, E))
    for i in range(len(begins)):
        noise, count = 0.0, 0.0
        for r in range(N):
            worst, most = 0.0, 0.0
            for k in range(S):
                law = laws[r, k]
                wrong = _expand(table, law, begins[i] / scales[r], ends[i] / scales[r], work)
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


@compiled()
def _polynomial_size(rates: Floats, u: float, radius: float, work: Floats) -> float:
    """The most that a polynomial is within a radius of u."""
    degree = len(rates)
    work[:degree] = rates
    for i in range(degree - 1):
        for m in range(degree - 2, i - 1, -1):
            work[m] += u * work[m + 1]
    total, power = 0.0, 1.0
    for m in range(degree):
        total += abs(work[m]) * power
        power *= radius
    return total


@compiled()
def discounted_counts(
    table: ExcessTable, clock: Clockwork, bounds: Floats, nodes: tuple[Floats, Floats], out: Floats
) -> float:
    """out[m]: how many values exceed bounds[m] if they lose e^-decay in a unit of time; a bound of the largest error.

    By Gauss's rule between the times at which a value passes from one cell of the law to the next, or the rate does.
    """
    _, left, mid, inverse, coefficients, degrees = table
    decay, edges, rates = clock
    places, weights = nodes
    degree, M, cells = degrees[0], len(nodes[0]), len(left)
    work = np.empty(max(coefficients.shape[1], rates.shape[1]))
    worst = 0.0
    for i in range(len(bounds)):
        t = bounds[i]
        total, error = 0.0, 0.0
        for j in range(len(rates)):
            begin, end = edges[j], edges[j + 1]
            now = begin
            c = cell_of(left, 0, cells, t * np.exp(decay * begin), 0)
            while now < end and c < cells - 1:
                until = end
                if t > 0.0 and left[c + 1] < t * np.exp(decay * end):
                    until = min(end, max(now, np.log(left[c + 1] / t) / decay))
                _taylor(coefficients, c, degree, inverse[c], 0.0, 1.0, work)
                is_flat = True
                for m in range(1, degree):
                    is_flat = is_flat and work[m] == 0.0
                parts = 1 if is_flat or t == 0.0 else int(np.ceil(0.5 * decay * (until - now) / SHORT))
                if until > now:
                    half = 0.5 * (until - now) / parts
                    for part in range(parts):
                        middle = now + (2 * part + 1) * half
                        for q in range(M):
                            time = middle + half * places[q]
                            u = (t * np.exp(decay * time) - mid[c]) * inverse[c]
                            p = 0.0
                            for m in range(degree - 1, -1, -1):
                                p = p * u + work[m]
                            v = 2.0 * (time - begin) / (end - begin) - 1.0
                            rate = 0.0
                            for m in range(rates.shape[1] - 1, -1, -1):
                                rate = rate * v + rates[j, m]
                            total += half * weights[q] * rate * min(1.0, max(0.0, p))
                        if not is_flat:
                            rho, reach = 8.0, 4.0625
                            x = t * np.exp(decay * middle)
                            spread = x * np.expm1(decay * half * reach) * abs(inverse[c])
                            u = abs((x - mid[c]) * inverse[c])
                            p, rate, power = 0.0, 0.0, 1.0
                            for m in range(degree - 1, -1, -1):
                                p = p * (u + spread) + abs(work[m])
                            for m in range(rates.shape[1]):
                                rate += abs(rates[j, m]) * power
                                power *= reach
                            error += half * 4.4 * rho ** (-2.0 * M) * p * rate
                now = until
                c += 1
        out[i] = max(total, 0.0)
        worst = max(worst, error)
    return worst


@compiled()
def _discounted_growth(
    table: ExcessTable, clock: Clockwork, n: int, pieces: tuple[Floats, Floats], ellipses: Floats, out: Growth
) -> None:
    """The same as `count_growth` of values that lose e^-decay in a unit of time; out.counts holds their numbers.

    With z = t (1 + ζ) the number is ∫ λ(u) P(X > z e^(ru)) du over the cells of the law as they are at t, and what the
    breaks between them pass until z: an integral of λ times the step from one polynomial to the next.
    """
    _, left, mid, inverse, coefficients, degrees = table
    decay, edges, rates = clock
    begins, ends = pieces
    sizes, noises, counts = out
    degree, cells, until = degrees[0], len(left), edges[len(edges) - 1]
    work = np.empty((3, coefficients.shape[1]))
    rate_work = np.empty(rates.shape[1])
    highest = 0.0
    for j in range(len(rates)):
        highest = max(highest, _polynomial_size(rates[j], 0.0, 1.0, rate_work))
    for i in range(len(begins)):
        t, half = 0.5 * (begins[i] + ends[i]), 0.5 * (ends[i] - begins[i])
        far = t * np.exp(decay * until)
        noises[i] = 0.0
        for e in range(-1, len(ellipses)):  # -1: the piece itself, for noise
            away = half / t * (0.5 * (ellipses[e] + 1.0 / ellipses[e]) if e >= 0 else 1.0)
            if away >= 0.7:
                if e < 0:
                    noises[i] = 1.0
                else:
                    sizes[i, e] = np.inf
                continue
            turned = -np.log1p(-away)  # |ln(1 + ζ)|, at most
            R = 0.0
            for c in range(cells):
                right = np.inf if c + 1 == cells else left[c + 1]
                low, high = max(t, left[c]), min(far, right)
                if e >= 0 and low < high:
                    _taylor(coefficients, c, degree, inverse[c], 0.0, 1.0, work[0])
                    u = max(abs((low - mid[c]) * inverse[c]), abs((high - mid[c]) * inverse[c]))
                    spread = high * away * inverse[c]
                    near, wide, change = 1.0, 1.0, 0.0
                    for m in range(1, degree):
                        near *= u
                        wide *= u + spread
                        change += abs(work[0, m]) * (wide - near)
                    R += change * highest * np.log(high / low) / decay
                if c == 0 or not left[c] > 0.0:
                    continue
                passed = np.log(left[c] / t) / decay
                radius = turned / decay
                if passed < -radius or passed > until + radius:
                    continue
                reach = left[c] * np.expm1(2.0 * turned)
                step = _differ(table, 0, c - 1, c, (left[c] - reach, left[c] + reach), work)
                if step == 0.0:
                    continue
                # As far as the break itself goes on the piece, it must meet one polynomial of the rate only.
                moved = -np.log1p(-half / t) / decay * (1.0 - 1e-9)
                j = cell_of(edges, 0, len(edges), passed, 0)
                is_inside = passed - moved >= edges[j] - SLIVER * until and j < len(rates)
                is_inside = is_inside and passed + np.log1p(half / t) / decay <= edges[j + 1] + SLIVER * until
                is_outside = passed + moved <= 0.0 or passed - moved >= until
                if e < 0:
                    if not is_inside and not is_outside:
                        noises[i] += moved * highest * step
                elif is_inside:
                    scale = 2.0 / (edges[j + 1] - edges[j])
                    v = (passed - edges[j]) * scale - 1.0
                    R += radius * step * _polynomial_size(rates[j], v, radius * scale, rate_work)
            if e < 0:
                continue
            count = counts[i]
            s = min(1.0, max(n - 1.0, 0.5) / max(count, 1e-300))
            product = _log_of(count, R, 1.0, True)
            if count + R < 1.0:
                product += np.log(max(count + R, 1e-300))
            missing = (1.0 - n) * np.log(s) + _log_of(count, R, s, True)
            sizes[i, e] = min(product, missing)
