"""The notation of dice, read into the weights of a distribution.

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
is multiplied. ``2d6+1d8+3`` is a sum, ``1d6-3`` a shifted die. Blanks are allowed around signs and commas.

A number behind "!" alone is rejected: elsewhere it names the face that explodes.
"""

import re
from collections import Counter
from typing import NamedTuple

from tentimes18.dice import sums
from tentimes18.dice.sums import Pool, Weights
from tentimes18.errors import InvalidDice, quoted

MAX_WORK = 1e10  # products of digits, for all kept dice of one notation: about a second
EXPLOSIONS = 3  # of a die that does not say how many
ROUNDING = 1e-6  # of bits that are added up
ACCEPTED = "accepted: 3d6, 2d12:12=2, d{1,1,2,3,5,8}, d{0:3,5:1}, 4d6kh3, 1d6!, 2d6*2, and sums like 2d6+1d8-3"

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
    """Limits of dice: different rolls, bits of their total weight, products of digits to keep some of them."""

    rolls: int = sums.MAX_ROLLS
    bits: int = sums.MAX_TOTAL_BITS
    work: float = MAX_WORK


ALL_DICE = DiceLimits()  # those of the notation itself


def read_dice(notation: str, limits: DiceLimits = ALL_DICE) -> tuple[Weights, str]:
    """The weights of dice, and their full notation without blanks. Dice far beyond the limits are rejected early."""
    plain = " ".join(notation.split())  # first, so that no run of blanks is read twice
    text = (_BLANKS.sub(r"\1", plain) if " " in plain else plain).lower()
    parts = _TERM_START.split(text)
    constant = 0
    pools: Counter[Pool] = Counter()
    written: dict[str, str] = {}
    rolls = 1
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
            if pool.size > sums.MAX_BITS:
                raise InvalidDice(f"{pool.size} dice are too many; at most about 1000d6")
            constant += times * factor * pool.kept * pool.faces[0][0]
        else:
            pools[pool._replace(factor=factor)] += times
            rolls += times * pool.kept * (len(pool.faces) - 1)  # a sum of sets has at least that many more members
            if rolls > limits.rolls:
                raise InvalidDice(f"too many different rolls; at most {limits.rolls} are accepted")
    _check_size(pools, constant, limits)
    return sums.add_up(_terms(pools), constant), "".join(written[part] for part in parts)


def _check_size(pools: Counter[Pool], constant: int, limits: DiceLimits) -> None:
    """Raise ``InvalidDice`` where the sum is too large, before anything is computed."""
    low = high = constant
    bits = work = 0.0
    for pool, times in pools.items():
        ends = [times * pool.kept * pool.factor * pool.faces[place][0] for place in (0, -1)]
        low, high = low + min(ends), high + max(ends)
        bits += times * pool.bits
        if pool.kept < pool.size:
            work += sums.kept_work(pool)
    if limits.bits < sums.MAX_TOTAL_BITS and bits > limits.bits + ROUNDING:
        raise InvalidDice(f"the weights multiply to more than 2^{limits.bits}; take fewer dice or faces")
    if work > limits.work:
        least = ", at most about 200d6kh100" if limits.work == MAX_WORK else ""
        raise InvalidDice(f"too many dice to keep the highest or lowest of{least}")
    if max(abs(low), abs(high)) >= sums.MAX_ROLL:
        raise InvalidDice(sums.TOO_FAR)
    if len(pools) > 1 and bits > sums.MAX_TOTAL_BITS:
        raise InvalidDice(sums.TOO_LONG)
    if len(pools) > 1 and high - low < sums.MAX_ROLLS and (high - low) * bits > sums.MAX_PACKED_BITS:
        raise InvalidDice(sums.TOO_SLOW)


def _terms(pools: Counter[Pool]) -> list[Weights]:
    """The terms of a sum; equal dice are one term, in whatever notation."""
    dice: Counter[tuple[tuple[int, int], ...]] = Counter()
    kept: list[Weights] = []
    for pool, times in pools.items():
        if pool.kept < pool.size:
            one = {pool.factor * roll: weight for roll, weight in sums.kept_sum(pool).items()}
            kept.append(sums.power(sums.primitive(one), times))
        else:
            dice[tuple(sorted((pool.factor * face, weight) for face, weight in pool.faces))] += times * pool.size
    return [sums.power(dict(faces), count) for faces, count in dice.items()] + kept


def _read_pool(part: str, body: str, most_rolls: int) -> tuple[Pool, str]:
    match = _TERM.fullmatch(body)
    if match is None:
        if re.search(r"![0-9]", body):
            raise InvalidDice(f"cannot read {quoted(part)}; write !x3 for at most 3 explosions, of the highest face")
        raise InvalidDice(f"cannot read {quoted(part)}; {ACCEPTED}")
    count = int(match["count"] or 1)
    if count < 1:
        raise InvalidDice("the number of dice must be at least 1")
    one, canonical = sums.primitive(_read_faces(match, most_rolls)), match["dice"]
    if match["explodes"]:
        explosions = int(match["explosions"] or EXPLOSIONS)
        if not 1 <= explosions <= sums.MAX_EXPLOSIONS:
            raise InvalidDice(f"a die that explodes {explosions} times; accepted: 1 to {sums.MAX_EXPLOSIONS}")
        one, canonical = sums.exploded(one, explosions), f"{canonical}!x{explosions}"
    kept, keeps_highest = count, True
    if match["keeps"]:
        kept = int(match["number"] or 1)
        keeps_highest = match["keeps"][:2] in ("kh", "dl")
        if match["keeps"][0] == "d":
            kept = count - kept
        if not 1 <= kept <= count:
            raise InvalidDice(f"{quoted(match['keeps'])} of {count} dice; accepted: to keep 1 to {count} of them")
        canonical += f"k{'h' if keeps_highest else 'l'}{kept}"
    factor = int(match["factor"] or 1)
    if match["factor"]:
        if factor < 1:
            raise InvalidDice("dice are multiplied by at least 1")
        canonical += f"*{factor}"
    return Pool(tuple(sorted(one.items())), count, kept, keeps_highest, factor), canonical


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
        loaded: set[int] = set()
        for item in match["loads"].split(","):
            pair = _LOAD.fullmatch(item)
            if pair is None:
                raise InvalidDice(f"cannot read the weight {quoted(item)}; write face=weight, as in 2d12:12=2")
            face, weight_of_it = int(pair[1]), pair[2]
            if face not in one:
                raise InvalidDice(f"there is no face {face} to give a weight to")
            if face in loaded:
                raise InvalidDice(f"face {face} is given a weight twice")
            loaded.add(face)
            one[face] *= _positive(weight_of_it, face)
    return one


def _positive(text: str, face: int) -> int:
    weight = int(text)
    if weight <= 0:
        raise InvalidDice(f"weight {quoted(weight)} of {face} must be positive")
    return weight


def canonical_of(weights: Weights) -> str:
    """Notation for weights that have none."""
    faces = ",".join(map(str, weights))
    loads = ",".join(f"{roll}={weight}" for roll, weight in weights.items() if weight > 1)
    return f"d{{{faces}}}" + (f":{loads}" if loads else "")
