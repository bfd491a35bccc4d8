"""Best play for other aims than the expected score.

The final score decides, so a state is (free slots, score so far), as the paper's conclusion notes. A strategy may use
all that has happened, and may toss coins. That does not help it to maximise an expectation E[u(S)] of the final score
S: from each state the best move for each roll is the best against the best continuation.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from . import Law, Multipliers, Score


def best_utility(law: Law, multipliers: Multipliers, utility: Callable[[Score], Fraction]) -> Fraction:
    """The greatest E[utility(final score)] over all strategies."""

    @cache
    def best(free: frozenset[int], score: Fraction) -> Fraction:
        if not free:
            return utility(score)
        return sum(
            (
                probability * max(best(free - {slot}, score + multipliers[slot - 1] * roll) for slot in free)
                for roll, probability in law.items()
                if probability > 0
            ),
            Fraction(0),
        )

    return best(frozenset(range(1, len(multipliers) + 1)), Fraction(0))


def best_chance(law: Law, multipliers: Multipliers, target: Score) -> Fraction:
    """The greatest P(final score >= target) over all strategies."""
    return best_utility(law, multipliers, lambda score: Fraction(1) if score >= target else Fraction(0))


def _reachable_scores(law: Law, multipliers: Multipliers) -> list[Fraction]:
    """All final scores that some strategy reaches with positive probability, ascending."""

    @cache
    def still_to_come(free: frozenset[int]) -> frozenset[Fraction]:
        if not free:
            return frozenset({Fraction(0)})
        return frozenset(
            multipliers[slot - 1] * roll + points
            for slot in free
            for roll, probability in law.items()
            if probability > 0
            for points in still_to_come(free - {slot})
        )

    return sorted(still_to_come(frozenset(range(1, len(multipliers) + 1))))


def best_quantile(law: Law, multipliers: Multipliers, q: Fraction) -> Fraction:
    """The largest s that is the q-quantile of the score of some strategy, 0 < q <= 1.

    The q-quantile of a distribution is the smallest s with P(S <= s) >= q. It is at least s exactly if P(S <= t) < q
    for all t < s. There are finitely many scores, so that says P(S < s) < q, or P(S >= s) > 1 - q, strictly.
    Some strategy has a q-quantile of at least s exactly if best_chance(s) > 1 - q. The answer is the largest
    reachable s with that property: the strategy behind it has a quantile of at least s, its quantile is itself
    reachable with that property, so it is s. With >= instead, a fair coin in one slot would have its upper side as
    median, although the smallest s with P(S <= s) >= 1/2 is the lower one.
    """
    if not 0 < q <= 1:
        raise ValueError("a quantile needs 0 < q <= 1")
    return max(s for s in _reachable_scores(law, multipliers) if best_chance(law, multipliers, s) > 1 - q)


def best_cvar(law: Law, multipliers: Multipliers, alpha: Fraction) -> Fraction:
    """The greatest mean of the worst alpha share of the score, over all strategies, 0 < alpha <= 1.

    For one distribution, that mean is the maximum over c of f(c) = c - E[(c - S)^+] / alpha (Rockafellar, Uryasev
    2000). The two maxima, over strategies and over c, may be taken in any order. For a fixed c the strategy maximises
    E[-(c - S)^+]. Reachable scores are enough as c: for each strategy f is linear between neighbouring scores of
    its distribution, has slope 1 below the smallest, and slope 1 - 1/alpha <= 0 above the greatest, so f is greatest at
    one of them.
    """
    if not 0 < alpha <= 1:
        raise ValueError("a share needs 0 < alpha <= 1")

    def best_for(c: Fraction) -> Fraction:
        return c + best_utility(law, multipliers, lambda score: -max(c - score, Fraction(0))) / alpha

    return max(best_for(c) for c in _reachable_scores(law, multipliers))
