"""Posted prices: arrivals that look after themselves, and a seller who tries every menu.

An arrival of value x sees a price p_i for each free slot and takes the one with the largest multiplier_i * x - p_i, or
leaves where all are below 0. Where two are equally good it takes the larger multiplier, and it buys rather than leaves.
Slots may stay empty.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import TypeAlias

from . import Multipliers
from .assignment import Action, Tree, ValueDistribution, in_order

Menu: TypeAlias = Mapping[int, Fraction]


def chosen(value: Fraction, menu: Menu, multipliers: Multipliers) -> Action:
    """What an arrival of this value takes."""
    best: Action = None
    for slot in sorted(menu):
        gain = multipliers[slot - 1] * value - menu[slot]
        if gain >= (0 if best is None else multipliers[best - 1] * value - menu[best]):
            best = slot
    return best


def sold(
    dists: Sequence[ValueDistribution], multipliers: Multipliers, menu: Callable[[int, frozenset[int]], Menu]
) -> tuple[Fraction, Fraction]:
    """The expected worth and the expected revenue where the menu depends on how many came before and what is free."""

    @cache
    def after(past: int, free: frozenset[int]) -> tuple[Fraction, Fraction]:
        if past == len(dists):
            return Fraction(0), Fraction(0)
        worth, revenue = Fraction(0), Fraction(0)
        prices = menu(past, free)
        for x, p in dists[past].items():
            slot = chosen(x, prices, multipliers)
            later = after(past + 1, free if slot is None else free - {slot})
            worth += p * (later[0] + (0 if slot is None else multipliers[slot - 1] * x))
            revenue += p * (later[1] + (0 if slot is None else prices[slot]))
        return worth, revenue

    return after(0, frozenset(range(1, len(multipliers) + 1)))


def externality_prices(
    dists: Sequence[ValueDistribution], multipliers: Multipliers
) -> Callable[[int, frozenset[int]], Menu]:
    """The price of a slot is what those who come later lose by it."""
    tree = Tree(in_order(dists), multipliers)

    def menu(past: int, free: frozenset[int]) -> Menu:
        return {slot: tree.worth(past + 1, free) - tree.worth(past + 1, free - {slot}) for slot in free}

    return menu


def best_revenue(dists: Sequence[ValueDistribution], multipliers: Multipliers) -> Fraction:
    """The largest expected revenue of all menus, for multipliers >= 0 and values >= 0.

    A menu matters only by who takes what. Going up through the multipliers, the smallest value that prefers the slot
    to the one below may be any value that can come, or none; a price that leaves such a value a gain could be raised.
    So p_i = p_{i-1} + (multiplier_i - multiplier_{i-1}) * y_i, with every y_i a value that can come or above them all,
    contains a best menu; all of them are tried.
    """

    @cache
    def after(past: int, free: frozenset[int]) -> Fraction:
        if past == len(dists):
            return Fraction(0)
        slots = sorted(free)
        steps = [*sorted(dists[past]), max(dists[past]) + 1]
        best = Fraction(0)
        for bounds in product(steps, repeat=len(slots)):
            prices: dict[int, Fraction] = {}
            price, below = Fraction(0), Fraction(0)
            for slot, bound in zip(slots, bounds, strict=True):
                price += (multipliers[slot - 1] - below) * bound
                below = Fraction(multipliers[slot - 1])
                prices[slot] = price
            total = Fraction(0)
            for x, p in dists[past].items():
                slot_taken = chosen(x, prices, multipliers)
                if slot_taken is None:
                    total += p * after(past + 1, free)
                else:
                    total += p * (prices[slot_taken] + after(past + 1, free - {slot_taken}))
            best = max(best, total)
        return best

    return after(0, frozenset(range(1, len(multipliers) + 1)))


def virtual_distribution(dist: ValueDistribution) -> dict[Fraction, Fraction]:
    """The distribution of what a sale to a value brings, ironed: slopes of the least concave majorant of the revenue
    curve.

    Selling one thing to all values of at least x brings x * P(X >= x). Over the chance of a sale, q, these are the
    points of a curve from (0, 0); a seller who mixes two prices gets any point between two of them.
    """
    points = [(Fraction(0), Fraction(0))]
    for x in sorted(dist, reverse=True):
        chance = points[-1][0] + dist[x]
        points.append((chance, x * chance))
    hull: list[tuple[Fraction, Fraction]] = []
    for q, revenue in points:
        while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (q - hull[-2][0]) <= (revenue - hull[-2][1]) * (
            hull[-1][0] - hull[-2][0]
        ):
            hull.pop()
        hull.append((q, revenue))
    found: dict[Fraction, Fraction] = {}
    for (q, revenue), (q_next, revenue_next) in pairwise(hull):
        slope = (revenue_next - revenue) / (q_next - q)
        found[slope] = found.get(slope, Fraction(0)) + q_next - q
    return found
