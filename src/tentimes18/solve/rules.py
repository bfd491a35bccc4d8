"""Rules: a slot for what they look at, the free slots and the roll, or the score so far as well; that of `optimal`."""

from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from tentimes18.errors import IllegalMove
from tentimes18.game import Game, Number, slots_of
from tentimes18.solve.thresholds import exact_thresholds

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
