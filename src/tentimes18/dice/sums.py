"""Sums of independent rolls, exploding dice and kept dice, as integer weights by roll.

A distribution is a polynomial, its weights the coefficients, so that a sum of rolls is a product. Products are taken in
one big integer (`_packed`). The coefficients c_k of (Σ a_i x^i)^n also come from those before:
k a_0 c_k = Σ_i ((n + 1) i - k) a_i c_{k-i}.

**Explosions.** A die that shows its highest face h is rolled again and adds up, at most c times. With w_f the weight of
a face, over T, a die that exploded j times shows j h + f, over T^(c+1) in all:

    f < h:  w_h^j w_f T^(c-j)    for j = 0..c,        f = h:  w_h^(c+1)    for j = c.

**The k highest of n.** Let D_y[a] be the weights, by their sum, of a of the n dice that show more than y, whichever a.
Then with j more that show y, and y' the next lower face,

    D_y'[a + j] += binom(n - a, j) w_y^j · (D_y[a] shifted by j y),

and y is the k-th highest where at least b = k - a of the N = n - a others show y and the rest less, C_y in weight:

    result += (D_y[a] shifted by b y) · ((C_y + w_y)^N - Σ_{i<b} binom(N, i) w_y^i C_y^(N-i))    for a = 0..k-1.

The k lowest are the highest of the dice with all signs changed.
"""

import math
from collections.abc import Iterable, Mapping
from functools import reduce
from heapq import heapify, heappop, heapreplace
from typing import NamedTuple, TypeAlias

from tentimes18.errors import InvalidDice

MAX_ROLLS = 10_000  # different rolls
MAX_ROLL = 10**15  # every roll is exact in float64
MAX_TOTAL_BITS = 13_000
MAX_BITS = 20_000_000  # of all weights together
MAX_PACKED_BITS = 10_000_000  # of a product: about a second
FEW_PACKED_BITS = 1_000_000
MAX_POWER_WORK = 1_300_000_000  # of the recurrence, as `power` counts it
MAX_EXPLOSIONS = 100
WORD = 30  # bits of a digit of Python's integers
TOO_MANY = f"too many different rolls; at most {MAX_ROLLS} are accepted"
TOO_FAR = "a roll is too large; at most 15 digits are accepted"
TOO_LONG = "the weights add up to a number of more than 3900 digits"
TOO_SLOW = "too many dice, faces or digits in their weights; at most about 1000d6"

Weights: TypeAlias = dict[int, int]
"""A distribution as weights by roll, over their sum."""


class Pool(NamedTuple):
    """Dice with these faces and weights; the ``kept`` highest or lowest of them count, times ``factor``."""

    faces: tuple[tuple[int, int], ...]
    size: int
    kept: int
    keeps_highest: bool
    factor: int

    @property
    def bits(self) -> float:
        """The bits of the product of the total weights of all dice."""
        return self.size * math.log2(sum(weight for _, weight in self.faces))


def primitive(weights: Mapping[int, int]) -> Weights:
    """The same distribution in the smallest integers."""
    divisor = math.gcd(*weights.values())
    return {roll: weight // divisor for roll, weight in weights.items()}


def add_up(terms: Iterable[Weights], constant: int = 0) -> Weights:
    """The distribution of a sum of independent rolls and a constant."""
    rest = list(terms)
    if sum(max(one) - min(one) for one in rest) < MAX_ROLLS:  # without gaps: the smallest first, so that few are large
        heap = [(len(one), place, one) for place, one in enumerate(rest)]
        heapify(heap)
        while len(heap) > 1:
            _, place, least = heappop(heap)
            both = _convolve(least, heap[0][2])
            heapreplace(heap, (len(both), place, both))
        rest = [one for _, _, one in heap]
    return reduce(_convolve, rest, {constant: 1})


def power(one: Weights, count: int) -> Weights:
    """The distribution of a sum of ``count`` equal dice.

    >>> power({1: 1, 2: 1}, 3)
    {3: 1, 4: 3, 5: 3, 6: 1}
    """
    if count == 1:
        return one
    one = primitive(one)
    if count * math.log2(sum(one.values())) > MAX_TOTAL_BITS:  # a power of a primitive polynomial is primitive (Gauss)
        raise InvalidDice(TOO_LONG)
    low = min(one)
    step = math.gcd(*(face - low for face in one)) or 1
    positions = count * (max(one) - low) // step + 1
    bits = count * sum(one.values()).bit_length()
    if positions > MAX_ROLLS and (len(one) + 1) ** min(count, 20) <= MAX_ROLLS:
        half = power(one, count // 2)  # few faces, far apart
        return _convolve(_convolve(half, half), one if count % 2 else {0: 1})
    if positions > MAX_ROLLS or positions * bits > MAX_BITS:
        raise InvalidDice(f"{count} dice with up to {positions} different rolls are too many; at most about 1000d6")
    words = (max(one.values()).bit_length() / WORD + 1) * (bits / WORD + 1)
    is_recurrent = positions * len(one) * (100 + words) <= MAX_POWER_WORK
    if positions * bits > (FEW_PACKED_BITS if is_recurrent else MAX_PACKED_BITS):
        if not is_recurrent:
            raise InvalidDice(TOO_SLOW)
        weights = _coefficients({(face - low) // step: weight for face, weight in one.items()}, count, positions)
        return {count * low + step * k: weight for k, weight in enumerate(weights) if weight}
    width = bits // 8 + 1
    return _unpacked(_packed(one, low, step, width) ** count, count * low, step, width, positions)


def _coefficients(one: Weights, count: int, positions: int) -> list[int]:
    """The coefficients of (Σ a_i x^i)^n by the recurrence."""
    first = one[0]
    others = [(i, weight) for i, weight in sorted(one.items()) if i > 0]
    c = [first**count]
    for k in range(1, positions):
        terms = [((count + 1) * i - k) * weight * c[k - i] for i, weight in others if i <= k]
        c.append(sum(terms) // (k * first))
    return c


def _convolve(left: Weights, right: Weights) -> Weights:
    """The distribution of the sum of two independent rolls."""
    low_left, low_right = min(left), min(right)
    span = max(left) - low_left + max(right) - low_right + 1
    if min(span, len(left) * len(right)) > MAX_ROLLS:
        raise InvalidDice(TOO_MANY)
    if span > MAX_ROLLS:
        result: Weights = {}
        for roll, count in left.items():
            for other, weight in right.items():
                result[roll + other] = result.get(roll + other, 0) + count * weight
        return result
    bits = sum(left.values()).bit_length() + sum(right.values()).bit_length()
    if span * bits > MAX_BITS:
        raise InvalidDice("too many dice; at most about 1000d6")
    width = bits // 8 + 1
    product = _packed(left, low_left, 1, width) * _packed(right, low_right, 1, width)
    return _unpacked(product, low_left + low_right, 1, width, span)


def _packed(weights: Weights, low: int, step: int, width: int) -> int:
    """The distribution as a polynomial in one big integer; ``width`` bytes per coefficient are enough for the total."""
    raw = bytearray(((max(weights) - low) // step + 1) * width)
    for roll, weight in weights.items():
        place = (roll - low) // step * width
        raw[place : place + width] = weight.to_bytes(width, "little")
    return int.from_bytes(raw, "little")


def _unpacked(packed: int, low: int, step: int, width: int, positions: int) -> Weights:
    raw = packed.to_bytes(positions * width, "little")
    weights = (int.from_bytes(raw[width * k : width * (k + 1)], "little") for k in range(positions))
    return {low + step * k: weight for k, weight in enumerate(weights) if weight}


def exploded(one: Mapping[int, int], times: int) -> Weights:
    """The distribution of a die that is rolled again when it shows its highest face, at most ``times`` times."""
    one = primitive(one)
    top, total = max(one), sum(one.values())
    bits = (times + 1) * math.log2(total)
    if bits > MAX_TOTAL_BITS:
        raise InvalidDice(TOO_LONG)
    rolls = (len(one) - 1) * (times + 1) + 1
    if rolls > MAX_ROLLS or rolls * bits > MAX_BITS:
        raise InvalidDice(TOO_MANY)
    result: Weights = {}
    for j in range(times + 1):
        scale = one[top] ** j * total ** (times - j)
        for face, weight in one.items():
            if face != top or j == times:
                result[j * top + face] = result.get(j * top + face, 0) + scale * weight
    return result


def kept_work(pool: Pool) -> float:
    """The products of digits that ``kept_sum`` takes; raises ``InvalidDice`` where the result is too large."""
    count, kept, bits = pool.size, pool.kept, pool.bits
    if bits > MAX_TOTAL_BITS:
        raise InvalidDice(TOO_LONG)
    positions = _positions(pool)
    if positions > MAX_ROLLS or positions * bits > MAX_BITS:
        raise InvalidDice(
            f"the highest or lowest {kept} of {count} dice have up to {positions} different rolls; "
            f"at most {MAX_ROLLS} are accepted, fewer where there are many dice"
        )
    return len(pool.faces) * kept * (kept + 1) / 2 * positions * (bits / WORD + 1) ** 2


def kept_sum(pool: Pool) -> Weights:
    """The distribution of the sum of the highest or lowest dice, without the factor."""
    count, kept = pool.size, pool.kept
    sign = 1 if pool.keeps_highest else -1
    one = {sign * face: weight for face, weight in pool.faces}
    low, step = min(one), _step(pool)
    below = sum(one.values())
    width = (below**count).bit_length() // 8 + 1
    result, above = 0, [1] + [0] * (kept - 1)
    for face in sorted(one, reverse=True):
        weight, shift = one[face], 8 * width * ((face - low) // step)
        below -= weight
        for a, polynomial in enumerate(above):
            rest = count - a
            fewer = sum(math.comb(rest, i) * weight**i * below ** (rest - i) for i in range(kept - a))
            result += polynomial * ((below + weight) ** rest - fewer) << ((kept - a) * shift)
        above = [
            sum((above[a] * math.comb(count - a, j - a) * weight ** (j - a)) << ((j - a) * shift) for a in range(j + 1))
            for j in range(kept)
        ]
    weights = _unpacked(result, kept * low, step, width, _positions(pool))
    return {sign * roll: weight for roll, weight in weights.items()}


def _step(pool: Pool) -> int:
    least = pool.faces[0][0]
    return math.gcd(*(face - least for face, _ in pool.faces)) or 1


def _positions(pool: Pool) -> int:
    return pool.kept * (pool.faces[-1][0] - pool.faces[0][0]) // _step(pool) + 1
