"""Distributions of dice that explode, are kept or multiplied, by going through everything that they can show."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from . import Law


def _shown(one: Law, explosions: int) -> Iterator[tuple[int, Fraction]]:
    """Every way that one die can end, rolled again after its highest face as long as it may."""
    for face, chance in one.items():
        if face == max(one) and explosions:
            for more, of_more in _shown(one, explosions - 1):
                yield face + more, chance * of_more
        else:
            yield face, chance


def pool_law(
    one: Law, count: int, explosions: int = 0, kept: int | None = None, *, highest: bool = True, factor: int = 1
) -> dict[int, Fraction]:
    """The distribution of ``count`` dice: explosions are limited, then some are kept and multiplied."""
    law: dict[int, Fraction] = {}
    for dice in product(list(_shown(one, explosions)), repeat=count):
        values = sorted((value for value, _ in dice), reverse=highest)[:kept]
        roll = factor * sum(values)
        law[roll] = law.get(roll, Fraction(0)) + prod((chance for _, chance in dice), start=Fraction(1))
    return law


def sum_of(one: Law, other: Law) -> dict[int, Fraction]:
    """Every pair of rolls, one after the other."""
    law: dict[int, Fraction] = {}
    for (roll, chance), (more, of_more) in product(one.items(), other.items()):
        law[roll + more] = law.get(roll + more, Fraction(0)) + chance * of_more
    return law
