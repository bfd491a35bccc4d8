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
    """Of each player the share of the wins, the chance to be first alone, and the mean rank; ties are shared."""
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


def best_share(law: Law, multipliers: Multipliers, others: Sequence[OwnRule]) -> Fraction:
    """The greatest share of the wins against these: after each roll the best slot, with all boards in sight."""
    possible = [roll for roll in sorted(law) if law[roll] > 0]
    start = frozenset(range(1, len(multipliers) + 1))

    @cache
    def best(free: Free, score: Score, boards: tuple[tuple[Free, Score], ...]) -> Fraction:
        if not free:
            top = max(other for _, other in boards)
            tied = sum(other == top for _, other in boards)
            return Fraction(1) if score > top else Fraction(1, tied + 1) if score == top else ZERO
        total = ZERO
        for roll in possible:
            moved = []
            for rule, (other_free, other_score) in zip(others, boards, strict=True):
                slot = rule(other_free, other_score, roll)
                moved.append((other_free - {slot}, other_score + multipliers[slot - 1] * roll))
            total += law[roll] * max(
                best(free - {slot}, score + multipliers[slot - 1] * roll, tuple(moved)) for slot in free
            )
        return total

    return best(start, ZERO, tuple((start, ZERO) for _ in others))
