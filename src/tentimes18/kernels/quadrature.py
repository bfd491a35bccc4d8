"""How large the chances that some values exceed t become in the complex plane: what an error of Gauss's rule needs.

On a piece from a to b the chance p_r(t) of a value is a polynomial; on the ellipse with foci a and b whose half axes
add up to ρ halves of the piece, it stays within R of p_r((a + b) / 2), by its Taylor series. The chance that at least k
values exceed t is a sum of coefficients of Π (1 - p_r + p_r w), so there it is at most

    Π (|1 - p_r| + |p_r|) min(1, Σ |p_r|), and its difference from 1 at most s^(1-n) Π (|1 - p_r| + s |p_r|)

for k <= n and 0 < s <= 1. A Poisson number has e^(|Λ| - Re Λ) and e^(s |Λ| - Re Λ) instead of the products. What other
cells of the law on the piece differ from the polynomial of the cell in its middle is added up as noise.
"""

import numpy as np

from tentimes18.kernels.excess import cell_of
from tentimes18.kernels.types import Clockwork, ExcessTable, Floats, Growth, IntGrid
from tentimes18.storage.compiled import compiled

__all__ = ["count_growth", "discounted_counts", "discounted_growth"]

SLIVER = 2.0**-50  # of a bound: so near to the end of a piece a break is the end itself
MOST_CELLS = 8  # of a law on a piece
SHORT = 0.25  # of the time in which a value loses all but 1/e: the longest half interval of an integral in time


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
        if other - begin > MOST_CELLS:
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
    laws: IntGrid,
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
def discounted_growth(
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
