"""Small duels, the rules that play them, and both in the form of the reference computations."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Final

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.game import Game, Number, mask_of, slots_of
from tentimes18.solve.thresholds import Rule, optimal_rule
from tentimes18.strategies.named import bands, greedy, named, nearest
from tentimes18.strategies.strategy import ObjectiveStrategy, RuleStrategy
from tests.oracle import Score
from tests.oracle.duel import Free, reachable
from tests.oracle.duel import Rule as SetRule
from tests.support.games import law_of

RULES: Final[dict[str, Callable[[Game], Rule]]] = {
    "optimal": optimal_rule,
    "nearest": nearest,
    "greedy": greedy,
    "bands": bands,
}
GAMES: Final = [
    ("1d3", "1-4"),
    ("1d4", "1-3"),
    ("1d6", "1-3"),
    ("d{1,2,5}", "1-4"),
    ("d{1,2,5}", "1,10,100"),
    ("d{-3,0,4}:0=3", "-2,0,1/2,3"),
    ("2d2", "0.1,0.2,0.3"),
    ("1d4", "2,2,2"),
    ("1d3", "-1,-1,2,2"),
    ("d{-5,-1}", "-3--1"),
    ("d{7}", "1-4"),
    ("d{0}", "1-3"),
    ("1d6", "0"),
    ("1d6", "5"),
    ("1d6", "0,0"),
    ("d{1000000,1000001}", "1-3"),
    ("1d20", "1-2"),
]
TOO_LARGE: Final = [
    ("3d6", "1-40"),
    ("3d6", "1-1000"),
    ("3d6", "1-16"),
    ("1d1000", "1-11"),
    ("3d6", "1,2,1000000000000000000000003"),
    ("d{1,2,5}", "1,300000000000000001,900000000000000003"),
]
# In three slots with 1d6, the free slots of both, a lead, and what is to blame: with slot 3 filled against slot 2 the
# lead is the roll.
IMPOSSIBLE: Final[list[tuple[list[int], list[int], Number, str]]] = [
    ([1, 2], [1], 0, "free"),
    ([1], [1, 2, 3], 0, "free"),
    ([], [1], 0, "free"),
    ([1, 2, 3, 4], [1, 2, 3], 0, "free"),
    ([1, 2, 3], [1, 2, 3], 1, "lead"),
    ([1, 2], [1, 2], 1, "lead"),
    ([1, 2], [1, 3], -1, "lead"),
    ([1, 2], [1, 3], 7, "lead"),
    ([1, 3], [1, 2], 1, "lead"),
    ([1, 2], [1, 3], Fraction(1, 2), "lead"),
    ([1, 2], [1, 3], 10**30, "lead"),
    ([1], [3], 13, "lead"),
    ([3], [1], 13, "lead"),
]


def as_rule(rule: Rule) -> SetRule:
    @cache
    def of_set(free: Free, roll: int) -> int:
        return rule(mask_of(free), roll)

    return of_set


def positions(game: Game) -> Iterator[tuple[Free, Free, Score]]:
    """All that two players can come to while slots are free."""
    for (mine, theirs), leads in reachable(law_of(game.dice), game.multipliers).items():
        if mine:
            for lead in sorted(leads):
                yield mine, theirs, lead


def start_of(game: Game) -> tuple[Free, Free, int]:
    return frozenset(slots_of(game.all_free)), frozenset(slots_of(game.all_free)), 0


def stored_half(windows: DuelWindows, values: Floats, A: int, B: int, e: int) -> float:
    """The value of a position where only one of two that mirror each other is stored."""
    if windows.ranks[A] > windows.ranks[B]:
        return 1.0 - stored_half(windows, values, B, A, -e)
    return windows.read(values, A, B, e)


def wrong_values(table: Equilibrium, noise: float) -> Floats:
    """Its values with so much added to them at random, still such that each player has the rest of the other's."""
    values = np.clip(table.values + noise * np.random.default_rng(18).random(len(table.values)), 0.0, 1.0)
    for offsets, _, sizes in map(table.windows.of_size, range(table.game.size + 1)):
        for offset, size in zip(offsets.diagonal(), sizes.diagonal(), strict=True):
            same = values[offset : offset + size]  # both players have this set: the values mirror each other
            same[:] = (same + 1.0 - same[::-1]) / 2
    return values


def own_rule(game: Game, name: str) -> Callable[[frozenset[int], Any, int], int]:
    """A strategy by name as a slot for (own free slots, own points, roll)."""
    strategy = named(name)
    if isinstance(strategy, ObjectiveStrategy):
        solution = strategy.solve(game)
        return lambda free, score, roll: solution.choose(mask_of(free), score, roll)
    assert isinstance(strategy, RuleStrategy)
    rule = strategy.rule(game)
    return lambda free, _, roll: rule(mask_of(free), roll)


def own_rules(game: Game, names: Sequence[str]) -> list[Callable[[frozenset[int], Any, int], int]]:
    return [own_rule(game, name) for name in names]
