"""The oracle for equal chances, against all strategies of tiny games."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from . import Law, Multipliers, Score, ties

HALF = Fraction(1, 2)
GAMES: list[tuple[Law, Multipliers]] = [
    ({1: HALF, 2: HALF}, (1, 2, 3)),
    ({0: Fraction(1, 3), 5: Fraction(2, 3)}, (-1, 1, 1)),
    ({-1: Fraction(1, 4), 0: HALF, 2: Fraction(1, 4)}, (Fraction(1, 2), 3)),
]


def all_laws(law: Law, multipliers: Multipliers, free: frozenset[int], score: Score) -> Iterator[dict[Score, Fraction]]:
    """The law of the final score under each strategy from a state on."""
    if not free:
        yield {score: Fraction(1)}
        return
    moves = [
        [
            {final: law[roll] * share for final, share in found.items()}
            for slot in sorted(free)
            for found in all_laws(law, multipliers, free - {slot}, score + multipliers[slot - 1] * roll)
        ]
        for roll in sorted(law)
    ]
    for parts in product(*moves):
        mixed: dict[Score, Fraction] = {}
        for part in parts:
            for final, share in part.items():
                mixed[final] = mixed.get(final, Fraction(0)) + share
        yield mixed


@pytest.mark.parametrize(("law", "multipliers"), GAMES)
def test_no_strategy_has_a_better_pair(law: Law, multipliers: Multipliers) -> None:
    full = frozenset(range(1, len(multipliers) + 1))
    laws = list(all_laws(law, multipliers, full, 0))
    scores = sorted({score for found in laws for score in found})
    for target in [*scores, scores[-1] + 1]:
        worth, _ = ties.best_play(law, multipliers, lambda score, target=target: Fraction(score >= target))  # type: ignore[misc]
        assert worth(full, 0) == max(
            (
                sum((share for score, share in found.items() if score >= target), Fraction(0)),
                sum((score * share for score, share in found.items()), Fraction(0)),
            )
            for found in laws
        )


@pytest.mark.parametrize(("law", "multipliers"), GAMES)
@pytest.mark.parametrize("alpha", [Fraction(1, 10), HALF, Fraction(1)])
def test_no_strategy_has_a_better_worst_share(law: Law, multipliers: Multipliers, alpha: Fraction) -> None:
    full = frozenset(range(1, len(multipliers) + 1))
    laws = list(all_laws(law, multipliers, full, 0))

    def worst_mean(found: dict[Score, Fraction]) -> Fraction:
        left, total = alpha, Fraction(0)
        for score in sorted(found):
            part = min(left, found[score])
            left, total = left - part, total + part * score
        return total / alpha

    levels = sorted({Fraction(score) for found in laws for score in found})
    assert ties.best_worst_share(law, multipliers, levels, alpha) == max(
        (worst_mean(found), sum((score * share for score, share in found.items()), Fraction(0))) for found in laws
    )
