"""Dice: the exact law of one roll, and its notation.

Notation, in a grammar:

    dice   = term { ("+" | "-") term }
    term   = [ count ] "d" ( faces | "{" integer { "," integer } "}" ) [ ":" weight { "," weight } ] | integer
    weight = face "=" positive integer

``3d6`` is the sum of three six-sided dice, ``2d12:12=2`` two twelve-sided dice whose face 12 has weight 2 (the others
have weight 1), ``d{1,1,2,3,5,8}`` one die with these six faces, ``2d6+1d8+3`` a sum, ``1d6-3`` a shifted die. A face
that is listed twice counts twice, and so does a weight given to it. Blanks may stand around signs and commas.
"""

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from heapq import heapify, heappop, heapreplace
from itertools import accumulate
from typing import Final, SupportsIndex

from tentimes18.errors import InvalidDice, quoted

__all__ = ["MAX_ROLL", "Dice"]

MAX_ROLLS: Final = 10_000
MAX_ROLL: Final = 10**15  # every roll is exact in float64
MAX_TOTAL_BITS: Final = 13_000
MAX_BITS: Final = 20_000_000
MAX_STEPS: Final = 2_000_000  # of the recurrence for a sum of equal dice
TOO_MANY: Final = f"too many different rolls; at most {MAX_ROLLS} are accepted"
TOO_LONG: Final = "the weights add up to a number of more than 3900 digits"
ACCEPTED: Final = "accepted: 3d6, 2d12:12=2, d{1,1,2,3,5,8}, and sums like 2d6+1d8+3 or 1d6-3"

_INTEGER = r"[+-]?[0-9]{1,15}"
_TERM = re.compile(
    rf"(?P<count>[0-9]{{1,15}})?d(?:(?P<sides>[0-9]{{1,15}})|\{{(?P<faces>{_INTEGER}(?:,{_INTEGER})*)?\}})(?::(?P<weights>.*))?"
)
_WEIGHT = re.compile(rf"({_INTEGER})=([+-]?[0-9]{{1,4000}})")
_BLANKS = re.compile(r" ?([-+:=,{}dD]) ?")
# A sign starts a new term, except right behind "=", ":", "," or "{", where it belongs to a number.
_TERM_START = re.compile(r"(?<=[^=:,{])(?=[+-])")


@dataclass(frozen=True, slots=True)
class Dice:
    """The exact law of one roll: integer counts over one total.

    >>> dice = Dice.parse("3d6")
    >>> dice.support[:3], dice.counts[:3], dice.total
    ((3, 4, 5), (1, 3, 6), 216)
    >>> dice.mean, dice.variance
    (Fraction(21, 2), Fraction(35, 4))

    Two dice are equal when their laws are, whatever they were made from.

    >>> Dice.parse("1d6") == Dice.from_mapping({face: 10 for face in range(1, 7)})
    True
    """

    support: tuple[int, ...]
    counts: tuple[int, ...]
    notation: str = field(compare=False)
    total: int = field(init=False, compare=False, repr=False)
    _count_up_to: tuple[int, ...] = field(init=False, compare=False, repr=False)
    _sum_up_to: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        count_up_to = tuple(accumulate(self.counts, initial=0))
        weighted = (roll * count for roll, count in zip(self.support, self.counts, strict=True))
        object.__setattr__(self, "total", count_up_to[-1])
        object.__setattr__(self, "_count_up_to", count_up_to)
        object.__setattr__(self, "_sum_up_to", tuple(accumulate(weighted, initial=0)))

    @classmethod
    def parse(cls, notation: str) -> "Dice":
        """Read dice from their notation.

        >>> Dice.parse("2d12:12=2").probability(24)
        Fraction(4, 169)
        >>> Dice.parse("d{1,1,2,3,5,8}").support
        (1, 2, 3, 5, 8)
        >>> Dice.parse("3x6")
        Traceback (most recent call last):
        tentimes18.errors.InvalidDice: dice '3x6': cannot read '3x6'; accepted: 3d6, 2d12:12=2, ...
        """
        plain = " ".join(notation.split())  # first, so that no stretch of blanks is gone through twice
        text = (_BLANKS.sub(r"\1", plain) if " " in plain else plain).lower()
        try:
            law = _law_of_terms(_TERM_START.split(text))
        except InvalidDice as error:
            raise error.about("dice", notation) from None
        return cls._normalised(law, text)

    @classmethod
    def from_mapping(cls, law: Mapping[int, int | Fraction]) -> "Dice":
        """Make dice from a mapping of rolls to weights, such as a die of icepool or dyce.

        >>> print(Dice.from_mapping({0: Fraction(1, 2), 10: Fraction(1, 3), 20: Fraction(1, 6)}))
        d{0,10,20}:0=3,10=2
        """
        weights: dict[int, Fraction] = {}
        for roll, weight in law.items():
            if not isinstance(roll, SupportsIndex) or isinstance(roll, bool):
                raise InvalidDice(f"roll {quoted(roll)} is not an integer", field="dice")
            if not isinstance(weight, SupportsIndex | Fraction) or isinstance(weight, bool):
                raise InvalidDice(
                    f"weight {quoted(weight)} of roll {quoted(roll)} is not an integer or a Fraction", field="dice"
                )
            exact = Fraction(weight if isinstance(weight, Fraction) else weight.__index__())
            if exact <= 0:
                raise InvalidDice(f"weight {quoted(weight)} of roll {quoted(roll)} must be positive", field="dice")
            weights[roll.__index__()] = exact
        if not weights:
            raise InvalidDice("no faces; give at least one roll with a positive weight", field="dice")
        if len(weights) > MAX_ROLLS:
            raise InvalidDice(f"{len(weights)} different rolls, at most {MAX_ROLLS} are accepted", field="dice")
        common = math.lcm(*(weight.denominator for weight in weights.values()))
        return cls._normalised({roll: int(weight * common) for roll, weight in weights.items()}, None)

    @classmethod
    def _normalised(cls, law: dict[int, int], notation: str | None) -> "Dice":
        divisor = math.gcd(*law.values())
        support = tuple(sorted(law))
        counts = tuple(law[roll] // divisor for roll in support)
        if max(abs(support[0]), abs(support[-1])) >= MAX_ROLL:
            raise InvalidDice("a roll is too large; at most 15 digits are accepted", field="dice")
        if sum(counts).bit_length() > MAX_TOTAL_BITS:
            raise InvalidDice(TOO_LONG, field="dice")
        return cls(support, counts, _canonical(support, counts) if notation is None else notation)

    @property
    def mean(self) -> Fraction:
        """E[X], the expected roll."""
        return Fraction(self._sum_up_to[-1], self.total)

    @property
    def variance(self) -> Fraction:
        """Var[X], the variance of a roll."""
        squares = sum(roll * roll * count for roll, count in zip(self.support, self.counts, strict=True))
        return Fraction(squares, self.total) - self.mean**2

    def probability(self, roll: int) -> Fraction:
        """P(X = roll).

        >>> Dice.parse("3d6").probability(10), Dice.parse("3d6").probability(2)
        (Fraction(1, 8), Fraction(0, 1))
        """
        position = bisect_right(self.support, roll)
        if position == 0 or self.support[position - 1] != roll:
            return Fraction(0)
        return Fraction(self.counts[position - 1], self.total)

    def phi(self, bound: Fraction | float) -> Fraction:
        """φ(t) = E[min(X, t)]: exact, for every real bound t.

        >>> Dice.parse("1d6").phi(2), Dice.parse("1d6").phi(100)
        (Fraction(11, 6), Fraction(7, 2))
        """
        position = bisect_right(self.support, bound)
        above = self.total - self._count_up_to[position]
        if above == 0:
            return self.mean
        return (self._sum_up_to[position] + above * Fraction(bound)) / self.total

    def below(self, position: int) -> tuple[int, int]:
        """Count and sum of the rolls among the first ``position`` of the support, as numerators over ``total``."""
        return self._count_up_to[position], self._sum_up_to[position]

    def __str__(self) -> str:
        return self.notation


def _law_of_terms(terms: list[str]) -> dict[int, int]:
    """The law of a sum: constants are added up and equal dice taken together, however they were written."""
    constant = 0
    dice: dict[tuple[tuple[int, int], ...], int] = {}
    for term, times in Counter(terms).items():
        sign = -1 if term.startswith("-") else 1
        body = term[1:] if term[:1] in ("+", "-") else term
        if re.fullmatch(r"[0-9]{1,15}", body):
            constant += times * sign * int(body)
            continue
        match = _TERM.fullmatch(body)
        if match is None:
            raise InvalidDice(f"cannot read {quoted(term)}; {ACCEPTED}")
        count = int(match["count"] or 1)
        if count < 1:
            raise InvalidDice("the number of dice must be at least 1")
        faces = tuple(sorted((sign * face, weight) for face, weight in _parse_faces(match).items()))
        dice[faces] = dice.get(faces, 0) + times * count
    if len(dice) > 1:
        _verify_sum(dice)
    laws = [_power(dict(faces), count) for faces, count in dice.items()]
    if sum(max(law) - min(law) for law in laws) < MAX_ROLLS:  # without gaps: the smallest first, so that few are large
        heap = [(len(law), place, law) for place, law in enumerate(laws)]
        heapify(heap)
        while len(heap) > 1:
            _, place, least = heappop(heap)
            law = _convolve(least, heap[0][2])
            heapreplace(heap, (len(law), place, law))
        laws = [law for _, _, law in heap]
    return reduce(_convolve, laws, {constant: 1})


def _verify_sum(dice: Mapping[tuple[tuple[int, int], ...], int]) -> None:
    """Raise ``InvalidDice`` where a sum will be too large, before anything is computed."""
    rolls, spread, bits = 1, 1, 0.0
    for faces, count in dice.items():
        rolls += count * (len(faces) - 1)  # a sum of sets has at least that many more members
        spread += count * (faces[-1][0] - faces[0][0])
        bits += count * math.log2(sum(weight for _, weight in faces) // math.gcd(*(weight for _, weight in faces)))
    if rolls > MAX_ROLLS:
        raise InvalidDice(TOO_MANY)
    if spread <= MAX_ROLLS and spread * bits > MAX_BITS:
        raise InvalidDice("too many dice; at most about 1000d6")
    if bits > MAX_TOTAL_BITS:
        raise InvalidDice(TOO_LONG)


def _parse_faces(match: re.Match[str]) -> dict[int, int]:
    one: dict[int, int] = {}
    if match["sides"] is None:
        if not match["faces"]:
            raise InvalidDice("a die without faces; give at least one, as in d{1,2,3}")
        for face in match["faces"].split(","):
            one[int(face)] = one.get(int(face), 0) + 1
    else:
        sides = int(match["sides"])
        if sides < 1:
            raise InvalidDice("a die without faces; the number of sides must be at least 1")
        if sides > MAX_ROLLS:
            raise InvalidDice(f"a die with {sides} faces is too large; at most {MAX_ROLLS} are accepted")
        one = dict.fromkeys(range(1, sides + 1), 1)
    if match["weights"] is not None:
        given: set[int] = set()
        for item in match["weights"].split(","):
            pair = _WEIGHT.fullmatch(item)
            if pair is None:
                raise InvalidDice(f"cannot read the weight {quoted(item)}; write face=weight, as in 2d12:12=2")
            face, weight = int(pair[1]), int(pair[2])
            if face not in one:
                raise InvalidDice(f"there is no face {face} to give a weight to")
            if weight <= 0:
                raise InvalidDice(f"weight {quoted(weight)} of {face} must be positive")
            if face in given:
                raise InvalidDice(f"face {face} is given a weight twice")
            given.add(face)
            one[face] *= weight
    return one


def _power(one: dict[int, int], count: int) -> dict[int, int]:
    """Law of a sum of ``count`` equal dice."""
    if count == 1:
        return one
    primitive = math.gcd(*one.values())
    one = {face: weight // primitive for face, weight in one.items()}
    if count * math.log2(sum(one.values())) > MAX_TOTAL_BITS:  # as no roll has a common factor (Gauss), none goes away
        raise InvalidDice(TOO_LONG)
    low = min(one)
    step = math.gcd(*(face - low for face in one)) or 1
    positions = count * (max(one) - low) // step + 1
    bits = count * sum(one.values()).bit_length()
    if positions > MAX_ROLLS and (len(one) + 1) ** min(count, 20) <= MAX_ROLLS:
        half = _power(one, count // 2)  # few faces, far apart
        return _convolve(_convolve(half, half), one if count % 2 else {0: 1})
    if positions > MAX_ROLLS or positions * bits > MAX_BITS:
        raise InvalidDice(f"{count} dice with up to {positions} different rolls are too many; at most about 1000d6")
    if positions * len(one) <= MAX_STEPS:
        weights = _powers({(face - low) // step: weight for face, weight in one.items()}, count, positions)
        return {count * low + step * k: weight for k, weight in enumerate(weights) if weight}
    width = bits // 8 + 1
    return _unpacked(_packed(one, low, step, width) ** count, count * low, step, width, positions)


def _powers(one: dict[int, int], count: int, positions: int) -> list[int]:
    """The coefficients of (Σ a_i x^i)^n, one from those before: k a_0 c_k = Σ_i ((n + 1) i - k) a_i c_{k-i}."""
    first = one[0]
    others = [(i, weight) for i, weight in sorted(one.items()) if i > 0]
    found = [first**count]
    for k in range(1, positions):
        terms = [((count + 1) * i - k) * weight * found[k - i] for i, weight in others if i <= k]
        found.append(sum(terms) // (k * first))
    return found


def _convolve(left: dict[int, int], right: dict[int, int]) -> dict[int, int]:
    """Law of the sum of two independent rolls."""
    low_left, low_right = min(left), min(right)
    span = max(left) - low_left + max(right) - low_right + 1
    if min(span, len(left) * len(right)) > MAX_ROLLS:
        raise InvalidDice(TOO_MANY)
    if span > MAX_ROLLS:
        law: dict[int, int] = {}
        for roll, count in left.items():
            for other, weight in right.items():
                law[roll + other] = law.get(roll + other, 0) + count * weight
        return law
    bits = sum(left.values()).bit_length() + sum(right.values()).bit_length()
    if span * bits > MAX_BITS:
        raise InvalidDice("too many dice; at most about 1000d6")
    width = bits // 8 + 1
    product = _packed(left, low_left, 1, width) * _packed(right, low_right, 1, width)
    return _unpacked(product, low_left + low_right, 1, width, span)


def _packed(law: dict[int, int], low: int, step: int, width: int) -> int:
    """The law as a polynomial in one big integer: products and powers of it are those of the polynomial.

    Each coefficient gets ``width`` bytes, enough for the total weight, so that none runs over into its neighbour.
    """
    raw = bytearray(((max(law) - low) // step + 1) * width)
    for roll, weight in law.items():
        place = (roll - low) // step * width
        raw[place : place + width] = weight.to_bytes(width, "little")
    return int.from_bytes(raw, "little")


def _unpacked(packed: int, low: int, step: int, width: int, positions: int) -> dict[int, int]:
    raw = packed.to_bytes(positions * width, "little")
    weights = (int.from_bytes(raw[width * k : width * (k + 1)], "little") for k in range(positions))
    return {low + step * k: weight for k, weight in enumerate(weights) if weight}


def _canonical(support: tuple[int, ...], counts: tuple[int, ...]) -> str:
    faces = ",".join(map(str, support))
    weights = ",".join(f"{roll}={count}" for roll, count in zip(support, counts, strict=True) if count > 1)
    return f"d{{{faces}}}" + (f":{weights}" if weights else "")
