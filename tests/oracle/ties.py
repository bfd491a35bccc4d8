"""Best play for an aim, and among all such play the one with the best mean.

A final score S is worth the pair (u(S), S) to such a player: of two strategies the one with the greater E[u(S)] is
better, and with equal ones that with the greater E[S]. Pairs are added and compared like numbers, first by their first
parts, so from each state (free slots, score so far) the best move for each roll is the best against the best
continuation, as it is for one number alone. Of moves that are equal in both, the smallest slot is taken.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from . import Law, Multipliers, Score

Pair: TypeAlias = tuple[Fraction, Fraction]
Worth: TypeAlias = Callable[[frozenset[int], Score], Pair]
Choice: TypeAlias = Callable[[frozenset[int], Score, int], int]


def best_play(law: Law, multipliers: Multipliers, utility: Callable[[Score], Fraction]) -> tuple[Worth, Choice]:
    """From each state the greatest (E[utility(S)], E[S]), and for each roll the slot that leads to it."""

    def after(free: frozenset[int], score: Score, roll: int, slot: int) -> Pair:
        return worth(free - {slot}, score + multipliers[slot - 1] * roll)

    def choose(free: frozenset[int], score: Score, roll: int) -> int:
        best = max(after(free, score, roll, slot) for slot in free)
        return min(slot for slot in free if after(free, score, roll, slot) == best)

    @cache
    def worth(free: frozenset[int], score: Score) -> Pair:
        if not free:
            return utility(score), Fraction(score)
        expected, mean = Fraction(0), Fraction(0)
        for roll, probability in law.items():
            if probability > 0:
                found = after(free, score, roll, choose(free, score, roll))
                expected += probability * found[0]
                mean += probability * found[1]
        return expected, mean

    return worth, choose


def best_worst_share(law: Law, multipliers: Multipliers, levels: list[Fraction], alpha: Fraction) -> Pair:
    """The greatest mean of the worst alpha share of the score, and the greatest mean of all strategies that have it.

    By `aims.best_cvar` a strategy has the greatest mean of its worst share exactly if it has the greatest
    c - E[(c - S)^+] / alpha for some c; of reachable scores c, ``levels``, at least one will do for each strategy.
    """
    full = frozenset(range(1, len(multipliers) + 1))

    def best_for(c: Fraction) -> Pair:
        shortfall, mean = best_play(law, multipliers, lambda score: -max(c - score, Fraction(0)))[0](full, Fraction(0))
        return c + shortfall / alpha, mean

    return max(best_for(c) for c in levels)
