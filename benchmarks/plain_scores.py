"""Laws of scores and best chances, written down plainly: the baselines."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tentimes18.game import Game, slots_of
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.thresholds import Rule

__all__ = ["numpy_chances", "python_chances", "python_law"]


def python_law(game: Game, rule: Rule) -> dict[int, float]:
    """The law of the score under a rule: a dictionary of scores for each set of free slots, smaller sets first."""
    law = _law(game)
    multipliers = [int(multiplier) for multiplier in game.multipliers]
    laws: list[dict[int, float]] = [{0: 1.0}]
    for free in range(1, 1 << game.size):
        found: dict[int, float] = {}
        for roll, chance in law:
            slot = rule(free, roll)
            points = multipliers[slot - 1] * roll
            for score, share in laws[free ^ 1 << (slot - 1)].items():
                found[score + points] = found.get(score + points, 0.0) + chance * share
        laws.append(found)
    return laws[-1]


def python_chances(game: Game) -> dict[int, float]:
    """The best chance of every target from the empty board, by a function that remembers what it has computed."""
    law = _law(game)
    multipliers = [int(multiplier) for multiplier in game.multipliers]
    low, high = (sum(multipliers) * roll for roll in (game.dice.support[0], game.dice.support[-1]))

    @cache
    def chance(free: int, needed: int) -> float:
        if not free:
            return float(needed <= 0)
        return sum(
            p * max(chance(free ^ 1 << (slot - 1), needed - multipliers[slot - 1] * roll) for slot in slots_of(free))
            for roll, p in law
        )

    return {target: chance(game.all_free, target) for target in range(low, high + 1)}


def numpy_chances(game: Game) -> NDArray[np.float64]:
    """The same, for all targets from the least score on: an array over what is needed for each set, by whole arrays."""
    lattice = lattice_of(game)
    chances = [count / game.dice.total for count in game.dice.counts]
    tables = [np.ones(1)]
    for free in range(1, 1 << game.size):
        slots = slots_of(free)
        table = np.zeros(lattice.width(free) + 1)
        for position, p in enumerate(chances):
            best = np.zeros(len(table))
            for slot in slots:
                smaller, shift = tables[free ^ 1 << (slot - 1)], lattice.shifts[slot - 1][position]
                best[:shift] = 1.0
                part = best[shift : shift + len(smaller)]
                np.maximum(part, smaller, out=part)
            table += p * best
        tables.append(table)
    return tables[-1]


def _law(game: Game) -> list[tuple[int, float]]:
    return [(roll, count / game.dice.total) for roll, count in zip(game.dice.support, game.dice.counts, strict=True)]
