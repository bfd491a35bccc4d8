"""A pool: a handful of equal dice that are rolled together, and what counts of them.

**Explosions.** A die that shows its highest face h is rolled again and adds up, at most c times. With w_f the weight of
a face, over T, a die that exploded j times shows j h + f, over T^(c+1) in all:

    f < h:  w_h^j w_f T^(c-j)    for j = 0..c,        f = h:  w_h^(c+1)    for j = c.

**The k highest of n.** Let D_y[a] be the weights, by their sum, of a of the n dice that show more than y, whichever a.
Then with j more that show y, and y' the next lower face,

    D_y'[a + j] += binom(n - a, j) w_y^j · (D_y[a] shifted by j y),

and y is the k-th highest where at least b = k - a of the N = n - a others show y and the rest less, C_y in weight:

    law += (D_y[a] shifted by b y) · ((C_y + w_y)^N - Σ_{i<b} binom(N, i) w_y^i C_y^(N-i))    for a = 0..k-1.

The k lowest are the highest of the dice with all signs changed.
"""

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

from tentimes18.dice.sums import MAX_BITS, MAX_ROLLS, MAX_TOTAL_BITS, TOO_LONG, TOO_MANY, Weights, primitive, unpacked
from tentimes18.errors import InvalidDice

__all__ = ["MAX_EXPLOSIONS", "MAX_WORK", "Pool", "exploded", "kept_law", "kept_work"]

MAX_EXPLOSIONS: Final = 100
MAX_WORK: Final = 1e10  # products of digits, for all kept dice of one notation: about a second


class Pool(NamedTuple):
    """So many dice with these faces and weights; the ``kept`` highest or lowest of them count, times ``factor``."""

    faces: tuple[tuple[int, int], ...]
    size: int
    kept: int
    keeps_highest: bool
    factor: int


def exploded(one: Mapping[int, int], times: int) -> Weights:
    """The law of a die that is rolled again when it shows its highest face, at most so many times.

    >>> exploded({1: 1, 2: 1}, 2)
    {1: 4, 3: 2, 5: 1, 6: 1}
    """
    one = primitive(one)
    top, total = max(one), sum(one.values())
    bits = (times + 1) * math.log2(total)
    if bits > MAX_TOTAL_BITS:
        raise InvalidDice(TOO_LONG)
    rolls = (len(one) - 1) * (times + 1) + 1
    if rolls > MAX_ROLLS or rolls * bits > MAX_BITS:
        raise InvalidDice(TOO_MANY)
    law: Weights = {}
    for j in range(times + 1):
        scale = one[top] ** j * total ** (times - j)
        for face, weight in one.items():
            if face != top or j == times:
                law[j * top + face] = law.get(j * top + face, 0) + scale * weight
    return law


def kept_work(pool: Pool) -> float:
    """How long ``kept_law`` takes, in products of digits; raises ``InvalidDice`` where it has no room for the law."""
    count, kept = pool.size, pool.kept
    bits = count * math.log2(sum(weight for _, weight in pool.faces))
    if bits > MAX_TOTAL_BITS:
        raise InvalidDice(TOO_LONG)
    positions = _positions(pool)
    if positions > MAX_ROLLS or positions * bits > MAX_BITS:
        raise InvalidDice(
            f"the highest or lowest {kept} of {count} dice have up to {positions} different rolls; "
            f"at most {MAX_ROLLS} are accepted, fewer where there are many dice"
        )
    digits = bits / 30 + 1
    return len(pool.faces) * kept * (kept + 1) / 2 * positions * digits * digits


def kept_law(pool: Pool) -> Weights:
    """The law of the sum of the highest or lowest dice, without the factor.

    >>> kept_law(Pool(((1, 1), (2, 1)), size=2, kept=1, keeps_highest=True, factor=1))
    {1: 1, 2: 3}
    """
    count, kept = pool.size, pool.kept
    sign = 1 if pool.keeps_highest else -1
    one = {sign * face: weight for face, weight in pool.faces}
    low, step = min(one), _step(pool)
    below = sum(one.values())
    width = (below**count).bit_length() // 8 + 1
    law, above = 0, [1] + [0] * (kept - 1)
    for face in sorted(one, reverse=True):
        weight, shift = one[face], 8 * width * ((face - low) // step)
        below -= weight
        for taken, polynomial in enumerate(above):
            ends = polynomial * _at_least(kept - taken, count - taken, weight, below)
            law += ends << ((kept - taken) * shift)
        above = [
            sum(
                (above[taken] * math.comb(count - taken, more) * weight**more) << (more * shift)
                for taken, more in zip(range(so_far + 1), range(so_far, -1, -1), strict=True)
            )
            for so_far in range(kept)
        ]
    found = unpacked(law, kept * low, step, width, _positions(pool))
    return {sign * roll: weight for roll, weight in found.items()}


def _at_least(wanted: int, dice: int, weight: int, below: int) -> int:
    """The weight of all ways in which so many dice or more show a face, and the others less."""
    fewer: int = sum(math.comb(dice, i) * weight**i * below ** (dice - i) for i in range(wanted))
    every: int = (below + weight) ** dice
    return every - fewer


def _step(pool: Pool) -> int:
    least = pool.faces[0][0]
    return math.gcd(*(face - least for face, _ in pool.faces)) or 1


def _positions(pool: Pool) -> int:
    return pool.kept * (pool.faces[-1][0] - pool.faces[0][0]) // _step(pool) + 1
