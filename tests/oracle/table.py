"""Several players at one table, by going through all sequences of rolls, and through all plays of one who sees all."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from . import Law, Multipliers, Score

Free = frozenset[int]
OwnRule = Callable[[Free, Score, int], int]
"""A slot for (own free slots, own points, roll)."""

ZERO = Fraction(0)


def results(
    law: Law, multipliers: Multipliers, rules: Sequence[OwnRule]
) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """For each player the share of the wins, the chance to be first alone, and the mean rank; ties are shared."""
    possible = [roll for roll in sorted(law) if law[roll] > 0]
    shares, sole, ranks = ([ZERO] * len(rules) for _ in range(3))
    for rolls in product(possible, repeat=len(multipliers)):
        chance = prod((law[roll] for roll in rolls), start=Fraction(1))
        scores = [_score(multipliers, rule, rolls) for rule in rules]
        winners = [player for player, score in enumerate(scores) if score == max(scores)]
        for player, score in enumerate(scores):
            shares[player] += chance / len(winners) if player in winners else ZERO
            sole[player] += chance if winners == [player] else ZERO
            before = sum(other > score for other in scores)
            beside = sum(other == score for other in scores) - 1
            ranks[player] += chance * (1 + before + Fraction(beside, 2))
    return shares, sole, ranks


def _score(multipliers: Multipliers, rule: OwnRule, rolls: Sequence[int]) -> Score:
    free, score = frozenset(range(1, len(multipliers) + 1)), ZERO
    for roll in rolls:
        slot = rule(free, score, roll)
        assert slot in free
        free, score = free - {slot}, score + multipliers[slot - 1] * roll
    return score


def answered_shares(law: Law, multipliers: Multipliers, others: Sequence[OwnRule]) -> list[Fraction]:
    """The shares of these, and last the greatest one of one more who sees all boards.

    Of slots that are as good for it, it takes the one with the greatest mean of its own score, then the smaller one.
    """
    possible = [roll for roll in sorted(law) if law[roll] > 0]
    start = frozenset(range(1, len(multipliers) + 1))

    @cache
    def mean(free: Free) -> Fraction:
        return sum((law[roll] * max(after(free, slot, roll) for slot in free) for roll in possible if free), ZERO)

    def after(free: Free, slot: int, roll: int) -> Fraction:
        return multipliers[slot - 1] * roll + mean(free - {slot})

    @cache
    def best(free: Free, score: Score, boards: tuple[tuple[Free, Score], ...]) -> tuple[Fraction, ...]:
        if not free:
            scores = [*(other for _, other in boards), score]
            first = [one == max(scores) for one in scores]
            return tuple(Fraction(is_first, sum(first)) for is_first in first)
        total = [ZERO] * (len(others) + 1)
        for roll in possible:
            moved = []
            for rule, (other_free, other_score) in zip(others, boards, strict=True):
                slot = rule(other_free, other_score, roll)
                moved.append((other_free - {slot}, other_score + multipliers[slot - 1] * roll))
            ways = {
                slot: best(free - {slot}, score + multipliers[slot - 1] * roll, tuple(moved)) for slot in sorted(free)
            }
            *_, chosen = max((ways[slot][-1], after(free, slot, roll), -slot) for slot in free)
            total = [one + law[roll] * share for one, share in zip(total, ways[-chosen], strict=True)]
        return tuple(total)

    return list(best(start, ZERO, tuple((start, ZERO) for _ in others)))
