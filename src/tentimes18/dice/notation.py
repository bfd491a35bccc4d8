"""The notation of dice, read into a law.

    dice   = term { ("+" | "-") term }
    term   = pool | integer
    pool   = [ count ] "d" ( sides | "{" face { "," face } "}" ) [ ":" load { "," load } ]
             [ "!" [ "x" explosions ] ] [ ( "kh" | "kl" | "dh" | "dl" ) [ number ] ] [ "*" factor ]
    face   = integer [ ":" weight ]
    load   = integer "=" weight

``3d6`` is the sum of three six-sided dice, ``2d12:12=2`` two twelve-sided dice whose face 12 has weight 2 (the others
have weight 1), ``d{1,1,2,3,5,8}`` one die with these six faces, ``d{0:3,1:2,5:1}`` one with these weights. A face that
is listed twice counts twice, and so does a weight given to it. ``1d6!x3`` explodes: rolled again when it shows its
highest face, at most three times, which is also what ``1d6!`` means. ``4d6kh3`` keeps the three highest, ``2d20kl1``
the lowest; ``4d6dl1`` drops the lowest. ``2d6*2`` counts twice. Each die explodes before any is kept, and what is kept
is multiplied. ``2d6+1d8+3`` is a sum, ``1d6-3`` a shifted die. Blanks may stand around signs and commas.

A number behind "!" alone is refused: elsewhere it names the face that explodes.
"""

import math
import re
from collections import Counter
from typing import Final, NamedTuple

from tentimes18.dice.pools import MAX_EXPLOSIONS, MAX_WORK, Pool, exploded, kept_law, kept_work
from tentimes18.dice.sums import (
    MAX_BITS,
    MAX_ROLL,
    MAX_ROLLS,
    MAX_SECONDS,
    MAX_TOTAL_BITS,
    TOO_FAR,
    TOO_LONG,
    TOO_SLOW,
    Weights,
    packed_seconds,
    power,
    primitive,
    sum_law,
)
from tentimes18.errors import InvalidDice, quoted

__all__ = ["ALL_DICE", "EXPLOSIONS", "DiceLimits", "canonical_of", "read_dice"]

EXPLOSIONS: Final = 3  # of a die that does not say how many
ROUNDING: Final = 1e-6  # of bits that are added up
ACCEPTED: Final = "accepted: 3d6, 2d12:12=2, d{1,1,2,3,5,8}, d{0:3,5:1}, 4d6kh3, 1d6!, 2d6*2, and sums like 2d6+1d8-3"

_INTEGER = r"[+-]?[0-9]{1,15}"
_FACE = rf"{_INTEGER}(?::[+-]?[0-9]{{1,4000}})?"
_TERM = re.compile(
    rf"(?P<dice>(?P<count>[0-9]{{1,15}})?d(?:(?P<sides>[0-9]{{1,15}})|\{{(?P<faces>{_FACE}(?:,{_FACE})*)?\}})"
    r"(?::(?P<loads>[^!*a-z]*))?)"
    r"(?P<explodes>!(?:x(?P<explosions>[0-9]{1,15}))?)?"
    r"(?P<keeps>[kd][hl](?P<number>[0-9]{1,15})?)?"
    r"(?:\*(?P<factor>[0-9]{1,15}))?"
)
_LOAD = re.compile(rf"({_INTEGER})=([+-]?[0-9]{{1,4000}})")
_BLANKS = re.compile(r" ?([-+:=,{}dDkKhHlLxX!*]) ?")
# A sign starts a new term, except right behind "=", ":", "," or "{", where it belongs to a number.
_TERM_START = re.compile(r"(?<=[^=:,{])(?=[+-])")


class DiceLimits(NamedTuple):
    """The most that dice may be: different rolls, bits of their total, products of digits to keep some of them.

    >>> read_dice("8d6", DiceLimits(rolls=30))
    Traceback (most recent call last):
    tentimes18.errors.InvalidDice: too many different rolls; at most 30 are accepted
    """

    rolls: int = MAX_ROLLS
    bits: int = MAX_TOTAL_BITS
    work: float = MAX_WORK


ALL_DICE: Final = DiceLimits()
"""Those of the notation itself."""


def read_dice(notation: str, limits: DiceLimits = ALL_DICE) -> tuple[Weights, str]:
    """The law of dice, and their notation without blanks, that says how often dice explode and what is kept.

    What surely is beyond the limits is refused before it is computed.

    >>> read_dice("1 D 2 ! - 3")
    ({-2: 8, 0: 4, 2: 2, 4: 1, 5: 1}, '1d2!x3-3')
    """
    plain = " ".join(notation.split())  # first, so that no stretch of blanks is gone through twice
    text = (_BLANKS.sub(r"\1", plain) if " " in plain else plain).lower()
    parts = _TERM_START.split(text)
    constant = 0
    pools: Counter[Pool] = Counter()
    written: dict[str, str] = {}
    room = _Room(limits)
    for part, times in Counter(parts).items():
        sign = part[:1] if part[:1] in ("+", "-") else ""
        body = part[len(sign) :]
        factor = -1 if sign == "-" else 1
        written[part] = part
        if re.fullmatch(r"[0-9]{1,15}", body):
            constant += times * factor * int(body)
            continue
        pool, canonical = _read_pool(part, body, limits.rolls)
        written[part] = sign + canonical
        factor *= pool.factor
        if len(pool.faces) == 1:
            if pool.size > MAX_BITS:
                raise InvalidDice(f"{pool.size} dice are too many; at most about 1000d6")
            constant += times * factor * pool.kept * pool.faces[0][0]
        else:
            pool = pool._replace(factor=factor)
            room.take(pool, times)
            pools[pool] += times
    room.verify_sum(constant)
    return sum_law(_laws(pools), constant), "".join(written[part] for part in parts)


class _Room:
    """What a sum will need, counted while it is read: it is refused before anything is computed."""

    def __init__(self, limits: DiceLimits) -> None:
        self.limits = limits
        self.rolls, self.least, self.most, self.terms = 1, 0, 0, 0
        self.bits = self.work = 0.0

    def take(self, pool: Pool, times: int) -> None:
        """Make room for a pool, so many times."""
        faces, kept = pool.faces, times * pool.kept
        self.terms += 1
        self.rolls += kept * (len(faces) - 1)  # a sum of sets has at least that many more members
        ends = (kept * pool.factor * faces[0][0], kept * pool.factor * faces[-1][0])
        self.least, self.most = self.least + min(ends), self.most + max(ends)
        self.bits += times * pool.size * math.log2(sum(weight for _, weight in faces))
        if self.rolls > self.limits.rolls:
            raise InvalidDice(f"too many different rolls; at most {self.limits.rolls} are accepted")
        if self.limits.bits < MAX_TOTAL_BITS and self.bits > self.limits.bits + ROUNDING:
            raise InvalidDice(f"the weights multiply to more than 2^{self.limits.bits}; take fewer dice or faces")
        if pool.kept < pool.size:
            self.work += kept_work(pool)
        if self.work > self.limits.work:
            least = ", at most about 200d6kh100" if self.limits.work == MAX_WORK else ""
            raise InvalidDice(f"keeping the highest or lowest of so many dice takes too long{least}")

    def verify_sum(self, constant: int) -> None:
        """Raise ``InvalidDice`` where the sum of all is too large."""
        if max(abs(self.least + constant), abs(self.most + constant)) >= MAX_ROLL:
            raise InvalidDice(TOO_FAR)
        spread = self.most - self.least + 1
        if self.terms > 1 and spread <= MAX_ROLLS and packed_seconds(spread * self.bits) > MAX_SECONDS:
            raise InvalidDice(TOO_SLOW)
        if self.terms > 1 and self.bits > MAX_TOTAL_BITS:
            raise InvalidDice(TOO_LONG)


def _laws(pools: Counter[Pool]) -> list[Weights]:
    """The laws of the terms of a sum; equal dice are taken together, however they were written."""
    dice: Counter[tuple[tuple[int, int], ...]] = Counter()
    kept: list[Weights] = []
    for pool, times in pools.items():
        if pool.kept < pool.size:
            law = {pool.factor * roll: weight for roll, weight in kept_law(pool).items()}
            kept.append(power(primitive(law), times))
        else:
            dice[tuple(sorted((pool.factor * face, weight) for face, weight in pool.faces))] += times * pool.size
    return [power(dict(faces), count) for faces, count in dice.items()] + kept


def _read_pool(part: str, body: str, most_rolls: int) -> tuple[Pool, str]:
    """The pool that a term stands for, and its notation."""
    match = _TERM.fullmatch(body)
    if match is None:
        if re.search(r"![0-9]", body):
            raise InvalidDice(f"cannot read {quoted(part)}; write !x3 for at most 3 explosions, of the highest face")
        raise InvalidDice(f"cannot read {quoted(part)}; {ACCEPTED}")
    count = int(match["count"] or 1)
    if count < 1:
        raise InvalidDice("the number of dice must be at least 1")
    one, canonical = primitive(_read_faces(match, most_rolls)), match["dice"]
    if match["explodes"]:
        explosions = int(match["explosions"] or EXPLOSIONS)
        if not 1 <= explosions <= MAX_EXPLOSIONS:
            raise InvalidDice(f"a die that explodes {explosions} times; accepted: 1 to {MAX_EXPLOSIONS}")
        one, canonical = exploded(one, explosions), f"{canonical}!x{explosions}"
    kept, keeps_highest = count, True
    if match["keeps"]:
        kept, keeps_highest = _read_kept(match, count)
        canonical += f"k{'h' if keeps_highest else 'l'}{kept}"
    factor = int(match["factor"] or 1)
    if match["factor"]:
        if factor < 1:
            raise InvalidDice("dice are multiplied by at least 1")
        canonical += f"*{factor}"
    return Pool(tuple(sorted(one.items())), count, kept, keeps_highest, factor), canonical


def _read_kept(match: re.Match[str], count: int) -> tuple[int, bool]:
    """How many dice are kept, and whether the highest."""
    drops, of_the_high = match["keeps"][0] == "d", match["keeps"][1] == "h"
    number = int(match["number"] or 1)
    if drops:
        number = count - number
    if not 1 <= number <= count:
        raise InvalidDice(f"{quoted(match['keeps'])} of {count} dice; accepted: to keep 1 to {count} of them")
    return number, of_the_high != drops


def _read_faces(match: re.Match[str], most_rolls: int) -> Weights:
    one: Weights = {}
    if match["sides"] is None:
        if not match["faces"]:
            raise InvalidDice("a die without faces; give at least one, as in d{1,2,3}")
        for item in match["faces"].split(","):
            text, _, weight = item.partition(":")
            face = int(text)
            one[face] = one.get(face, 0) + _positive(weight or "1", face)
    else:
        sides = int(match["sides"])
        if sides < 1:
            raise InvalidDice("a die without faces; the number of sides must be at least 1")
        if sides > most_rolls:
            raise InvalidDice(f"a die with {sides} faces is too large; at most {most_rolls} are accepted")
        one = dict.fromkeys(range(1, sides + 1), 1)
    if match["loads"] is not None:
        given: set[int] = set()
        for item in match["loads"].split(","):
            pair = _LOAD.fullmatch(item)
            if pair is None:
                raise InvalidDice(f"cannot read the weight {quoted(item)}; write face=weight, as in 2d12:12=2")
            face, weight_of_it = int(pair[1]), pair[2]
            if face not in one:
                raise InvalidDice(f"there is no face {face} to give a weight to")
            if face in given:
                raise InvalidDice(f"face {face} is given a weight twice")
            given.add(face)
            one[face] *= _positive(weight_of_it, face)
    return one


def _positive(text: str, face: int) -> int:
    weight = int(text)
    if weight <= 0:
        raise InvalidDice(f"weight {quoted(weight)} of {face} must be positive")
    return weight


def canonical_of(law: Weights) -> str:
    """Notation for a law that was not written.

    >>> canonical_of({0: 3, 10: 2, 20: 1})
    'd{0,10,20}:0=3,10=2'
    """
    faces = ",".join(map(str, law))
    weights = ",".join(f"{roll}={count}" for roll, count in law.items() if count > 1)
    return f"d{{{faces}}}" + (f":{weights}" if weights else "")
