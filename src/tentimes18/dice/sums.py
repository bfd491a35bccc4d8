"""Laws of sums of independent rolls, as integer weights by roll; what would be too large is refused beforehand.

A law is a polynomial, its weights the coefficients, so that a sum of rolls is a product. Products are taken in one big
integer (`_packed`), powers by a recurrence where that is faster. Either way takes a time that is known from the number
of coefficients and of their digits; names come from strangers, so what takes longer than seconds is refused.
"""

import math
from collections.abc import Iterable, Mapping
from functools import reduce
from heapq import heapify, heappop, heapreplace
from typing import Final, TypeAlias

from tentimes18.errors import InvalidDice

__all__ = [
    "MAX_BITS",
    "MAX_ROLL",
    "MAX_ROLLS",
    "MAX_SECONDS",
    "MAX_TOTAL_BITS",
    "TOO_FAR",
    "TOO_LONG",
    "TOO_MANY",
    "TOO_SLOW",
    "Weights",
    "packed_seconds",
    "power",
    "primitive",
    "sum_law",
    "unpacked",
]

MAX_ROLLS: Final = 10_000
MAX_ROLL: Final = 10**15  # every roll is exact in float64
MAX_TOTAL_BITS: Final = 13_000
MAX_BITS: Final = 20_000_000
MAX_SECONDS: Final = 2.0
SECONDS_A_STEP: Final = 1.5e-7  # of the recurrence for a sum of equal dice, and
SECONDS_A_PRODUCT: Final = 1.5e-9  # of two digits in it
SECONDS_A_PACKED_DIGIT: Final = 6e-9  # to the power of Karatsuba
DIGIT: Final = 30  # bits
TOO_MANY: Final = f"too many different rolls; at most {MAX_ROLLS} are accepted"
TOO_FAR: Final = "a roll is too large; at most 15 digits are accepted"
TOO_LONG: Final = "the weights add up to a number of more than 3900 digits"
TOO_SLOW: Final = "so many dice, faces and digits of their weights take too long; at most about 1000d6"

Weights: TypeAlias = dict[int, int]
"""A law as weights by roll, over their sum."""


def primitive(law: Mapping[int, int]) -> Weights:
    """The same law in the smallest integers.

    >>> primitive({1: 2, 2: 4})
    {1: 1, 2: 2}
    """
    divisor = math.gcd(*law.values())
    return {roll: weight // divisor for roll, weight in law.items()}


def sum_law(laws: Iterable[Weights], constant: int = 0) -> Weights:
    """The law of a sum of independent rolls and a constant.

    >>> sum_law([{0: 1, 1: 1}, {0: 1, 1: 1}], 5)
    {5: 1, 6: 2, 7: 1}
    """
    terms = list(laws)
    if sum(max(law) - min(law) for law in terms) < MAX_ROLLS:  # without gaps: the smallest first, so that few are large
        heap = [(len(law), place, law) for place, law in enumerate(terms)]
        heapify(heap)
        while len(heap) > 1:
            _, place, least = heappop(heap)
            law = _convolve(least, heap[0][2])
            heapreplace(heap, (len(law), place, law))
        terms = [law for _, _, law in heap]
    return reduce(_convolve, terms, {constant: 1})


def power(one: Weights, count: int) -> Weights:
    """The law of a sum of so many equal dice.

    >>> power({1: 1, 2: 1}, 3)
    {3: 1, 4: 3, 5: 3, 6: 1}
    """
    if count == 1:
        return one
    one = primitive(one)
    if count * math.log2(sum(one.values())) > MAX_TOTAL_BITS:  # as no roll has a common factor (Gauss), none goes away
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
    largest, longest = max(one.values()).bit_length() / DIGIT + 1, bits / DIGIT + 1
    by_steps = positions * len(one) * (SECONDS_A_STEP + SECONDS_A_PRODUCT * largest * longest)
    packed = packed_seconds(positions * bits)
    if min(by_steps, packed) > MAX_SECONDS:
        raise InvalidDice(TOO_SLOW)
    if by_steps <= packed:
        weights = _powers({(face - low) // step: weight for face, weight in one.items()}, count, positions)
        return {count * low + step * k: weight for k, weight in enumerate(weights) if weight}
    width = bits // 8 + 1
    return unpacked(_packed(one, low, step, width) ** count, count * low, step, width, positions)


def _powers(one: Weights, count: int, positions: int) -> list[int]:
    """The coefficients of (Σ a_i x^i)^n, one from those before: k a_0 c_k = Σ_i ((n + 1) i - k) a_i c_{k-i}."""
    first = one[0]
    others = [(i, weight) for i, weight in sorted(one.items()) if i > 0]
    found = [first**count]
    for k in range(1, positions):
        terms = [((count + 1) * i - k) * weight * found[k - i] for i, weight in others if i <= k]
        found.append(sum(terms) // (k * first))
    return found


def _convolve(left: Weights, right: Weights) -> Weights:
    """Law of the sum of two independent rolls."""
    low_left, low_right = min(left), min(right)
    span = max(left) - low_left + max(right) - low_right + 1
    if min(span, len(left) * len(right)) > MAX_ROLLS:
        raise InvalidDice(TOO_MANY)
    if span > MAX_ROLLS:
        law: Weights = {}
        for roll, count in left.items():
            for other, weight in right.items():
                law[roll + other] = law.get(roll + other, 0) + count * weight
        return law
    bits = sum(left.values()).bit_length() + sum(right.values()).bit_length()
    if span * bits > MAX_BITS:
        raise InvalidDice("too many dice; at most about 1000d6")
    width = bits // 8 + 1
    product = _packed(left, low_left, 1, width) * _packed(right, low_right, 1, width)
    return unpacked(product, low_left + low_right, 1, width, span)


def packed_seconds(bits: float) -> float:
    """How long it takes to multiply laws up to one of so many bits, or to take a power of one.

    >>> packed_seconds(1e6) < 0.05 < 0.5 < packed_seconds(1e7)
    True
    """
    return float(1.5 * SECONDS_A_PACKED_DIGIT * (bits / 2 / DIGIT) ** math.log2(3))


def _packed(law: Weights, low: int, step: int, width: int) -> int:
    """The law as a polynomial in one big integer: products and powers of it are those of the polynomial.

    Each coefficient gets ``width`` bytes, enough for the total weight, so that none runs over into its neighbour.
    """
    raw = bytearray(((max(law) - low) // step + 1) * width)
    for roll, weight in law.items():
        place = (roll - low) // step * width
        raw[place : place + width] = weight.to_bytes(width, "little")
    return int.from_bytes(raw, "little")


def unpacked(packed: int, low: int, step: int, width: int, positions: int) -> Weights:
    """The law of a polynomial in one big integer, ``width`` bytes for each of so many positions.

    >>> unpacked(0x010201, 5, 1, 1, 3)
    {5: 1, 6: 2, 7: 1}
    """
    raw = packed.to_bytes(positions * width, "little")
    weights = (int.from_bytes(raw[width * k : width * (k + 1)], "little") for k in range(positions))
    return {low + step * k: weight for k, weight in enumerate(weights) if weight}
