"""What laws are to the solver of assignments: the excess E[max(X - t, 0)], its slope, and the value of a chance.

A law is a row of cells with a polynomial each (`assignment.laws.cells` makes them). Whoever asks again and again for
bounds that hardly move keeps the cell of the last one as a hint.
"""

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.kernels.types import ExcessCell, ExcessTable

__all__ = ["above", "cell_of", "excess", "excesses", "quantiles", "tails"]

MOST_STEPS = 200
CLOSE = 4e-16


@compiled(inline="always")
def cell_of(left: Floats, first: int, end: int, t: float, hint: int) -> int:
    """The cell with left[cell] <= t < left[cell + 1] among those from first to end, looked for from the hint on."""
    if first <= hint < end and left[hint] <= t:
        if hint + 1 == end or t < left[hint + 1]:
            return hint
        low = hint + 1
    else:
        low = first
    high = end
    while high - low > 1:
        middle = (low + high) >> 1
        if left[middle] <= t:
            low = middle
        else:
            high = middle
    return low


@compiled(inline="always")
def excess(coefficients: Floats, c: int, degree: int, u: float) -> float:
    """The polynomial of cell c."""
    value: float = coefficients[c, degree]
    for m in range(degree - 1, -1, -1):
        value = value * u + coefficients[c, m]
    return value


@compiled(inline="always")
def above(coefficients: Floats, c: int, degree: int, u: float, inverse: float) -> float:
    """P(X > t): its slope downwards."""
    value: float = degree * coefficients[c, degree]
    for m in range(degree - 1, 0, -1):
        value = value * u + m * coefficients[c, m]
    return min(1.0, max(0.0, -value * inverse))


@compiled()
def excesses(table: ExcessTable, law: int, bounds: Floats, out: Floats) -> None:
    """out[m] = E[max(X - t, 0)] at t = bounds[m]."""
    starts, left, mid, inverse, coefficients, degrees = table
    first, end, degree = starts[law], starts[law + 1], degrees[law]
    c = first
    for m in range(len(bounds)):
        c = cell_of(left, first, end, bounds[m], c)
        out[m] = excess(coefficients, c, degree, (bounds[m] - mid[c]) * inverse[c])


@compiled()
def tails(table: ExcessTable, law: int, bounds: Floats, out: Floats) -> None:
    """out[m] = P(X > t) at t = bounds[m]."""
    starts, left, mid, inverse, coefficients, degrees = table
    first, end, degree = starts[law], starts[law + 1], degrees[law]
    c = first
    for m in range(len(bounds)):
        c = cell_of(left, first, end, bounds[m], c)
        out[m] = above(coefficients, c, degree, (bounds[m] - mid[c]) * inverse[c], inverse[c])


@compiled()
def _root(coefficients: Floats, cell: ExcessCell, v: float, a: float, b: float) -> float:
    """Where the chance falls to v between a and b: by the rule of false position, a stale end counting half."""
    c, degree, mid, inverse = cell
    over = above(coefficients, c, degree, (a - mid) * inverse, inverse) - v
    under = above(coefficients, c, degree, (b - mid) * inverse, inverse) - v
    side = 0
    for _ in range(MOST_STEPS):
        t = b - under * (b - a) / (under - over) if over > under else 0.5 * (a + b)
        if not a < t < b:
            t = 0.5 * (a + b)
        if b - a <= CLOSE * max(abs(a), abs(b)) or not a < t < b:
            break
        here = above(coefficients, c, degree, (t - mid) * inverse, inverse) - v
        if here > 0.0:
            a, over = t, here
            under *= 0.5 if side > 0 else 1.0
            side = 1
        else:
            b, under = t, here
            over *= 0.5 if side < 0 else 1.0
            side = -1
            if here == 0.0:
                break
    return b


@compiled()
def quantiles(table: ExcessTable, laws: Ints, chances: Floats, out: Floats) -> None:
    """out[m]: the least t with P(X > t) <= chances[m], by law number laws[m]."""
    starts, left, mid, inverse, coefficients, degrees = table
    for m in range(len(chances)):
        law, v = laws[m], chances[m]
        low, high, degree = starts[law], starts[law + 1] - 1, degrees[law]
        # The last cell whose left end is still exceeded with a larger chance; the first one begins at -∞.
        while low < high:
            c = (low + high + 1) >> 1
            if above(coefficients, c, degree, (left[c] - mid[c]) * inverse[c], inverse[c]) > v:
                low = c
            else:
                high = c - 1
        c = low
        if c == starts[law + 1] - 1:
            out[m] = left[c]
            continue
        right = left[c + 1]
        if c == starts[law] or above(coefficients, c, degree, (right - mid[c]) * inverse[c], inverse[c]) > v:
            out[m] = right  # the chance falls at the end of the cell, all at once
            continue
        out[m] = _root(coefficients, ExcessCell(c, degree, mid[c], inverse[c]), v, left[c], right)
