"""Rules: a slot for what they look at, the free slots and the roll, or the score so far as well; that of `optimal`."""

from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

from tentimes18.errors import IllegalMove
from tentimes18.game import Game, Number, slots_of
from tentimes18.plan import Plan, kept_together, power_of_two
from tentimes18.solve.thresholds import exact_plan, exact_thresholds

__all__ = ["OptimalRule", "Rule", "ScoreRule", "optimal_rule", "slots_plan"]

SECONDS_A_SLOT: Final = 6e-9  # of `optimal`, for a set and a roll
SECONDS_A_CALL: Final = 2e-6  # of another rule
SECONDS_A_RANK: Final = 4e-7

Rule: TypeAlias = Callable[[int, int], int]
"""A slot for (free set, roll)."""
ScoreRule: TypeAlias = Callable[[int, Number, int], int]
"""A slot for (free set, score so far, roll)."""


class OptimalRule:
    """The slot that `optimal` takes; of equally good ones the one with the smaller number."""

    def __init__(self, game: Game) -> None:
        rows = exact_thresholds(game.dice, game.size)
        self.ranks = [{x: row.rank(x) for x in game.dice.support} for row in rows]
        self.first_equal = [bisect_left(game.multipliers, multiplier) for multiplier in game.multipliers]

    def __call__(self, free: int, roll: int) -> int:
        """The best free slot for this roll."""
        slots = slots_of(free)
        if not slots:
            raise IllegalMove("the board is full")
        rank = self.ranks[len(slots) - 2][roll] if len(slots) > 1 else 1
        first = self.first_equal[slots[rank - 1] - 1]
        return next(slot for slot in slots if slot > first)


@lru_cache(maxsize=16)
def optimal_rule(game: Game) -> OptimalRule:
    """The rule of `optimal` for a game.

    >>> optimal_rule(Game.classic())(Game.classic().all_free, 9)
    4
    """
    return OptimalRule(game)


def slots_plan(game: Game, n: int, *, is_optimal: bool) -> Plan:
    """What the slots of a rule take for all sets of n slots and all rolls; those of `optimal` need its thresholds."""
    entries = power_of_two(n) * len(game.dice.support)
    if not is_optimal:
        return Plan(f"the slots that a rule takes on {n:,} slots", SECONDS_A_CALL * entries, entries)
    ranks = Plan("the ranks", 2 * SECONDS_A_RANK * n * len(game.dice.support), 150.0 * n * len(game.dice.support))
    slots = Plan("the slots", SECONDS_A_SLOT * entries, entries)
    return kept_together(f"the slots of optimal on {n:,} slots", exact_plan(game.dice, game.size), ranks, slots)
