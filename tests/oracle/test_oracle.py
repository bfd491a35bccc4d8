"""The reference computations against results by hand, against the paper, and against each other."""

from fractions import Fraction
from itertools import product

import pytest

from tests.oracle import Law, Multipliers, Score, ties
from tests.oracle.aims import best_chance, best_cvar, best_quantile, best_utility
from tests.oracle.play import best_slots, closest_call, move_values, thresholds, value
from tests.oracle.sequences import (
    expected_hindsight,
    expected_order_statistics,
    expected_random,
    law_of,
    law_of_hindsight,
    law_of_random,
    slot_laws,
)


def sum_of_two(one: Law, other: Law) -> Law:
    total: dict[int, Fraction] = {}
    for (a, p), (b, q) in product(one.items(), other.items()):
        total[a + b] = total.get(a + b, Fraction(0)) + p * q
    return total


COIN: Law = {1: Fraction(1, 2), 2: Fraction(1, 2)}
THREE_SIDES: Law = {side: Fraction(1, 3) for side in (1, 2, 3)}
SKEW: Law = {-2: Fraction(1, 6), 0: Fraction(1, 2), 5: Fraction(1, 3), 7: Fraction(0)}
SIX_SIDES: Law = {side: Fraction(1, 6) for side in range(1, 7)}
THREE_DICE = sum_of_two(sum_of_two(SIX_SIDES, SIX_SIDES), SIX_SIDES)
LOADED: Law = {side: Fraction(2 if side == 12 else 1, 13) for side in range(1, 13)}
TWO_LOADED = sum_of_two(LOADED, LOADED)

ODD_MULTIPLIERS: Multipliers = (-1, 0, Fraction(1, 2), Fraction(1, 2))


def all_slots(multipliers: Multipliers) -> frozenset[int]:
    return frozenset(range(1, len(multipliers) + 1))


def mean(law: dict[Score, Fraction]) -> Fraction:
    return sum((score * probability for score, probability in law.items()), Fraction(0))


def laws_of_all_strategies(law: Law, multipliers: Multipliers) -> list[dict[Score, Fraction]]:
    """The score laws of all strategies without coin tosses, each one choosing anew after every sequence of rolls."""

    def laws_from(free: frozenset[int], score: Fraction) -> list[dict[Score, Fraction]]:
        if not free:
            return [{score: Fraction(1)}]
        continuations = [
            [rest for slot in free for rest in laws_from(free - {slot}, score + multipliers[slot - 1] * roll)]
            for roll in law
        ]
        laws = []
        for choice in product(*continuations):
            mixed: dict[Score, Fraction] = {}
            for probability, rest in zip(law.values(), choice, strict=True):
                for final, chance in rest.items():
                    mixed[final] = mixed.get(final, Fraction(0)) + probability * chance
            laws.append(mixed)
        return laws

    return laws_from(all_slots(multipliers), Fraction(0))


def quantile(law: dict[Score, Fraction], q: Fraction) -> Score:
    return min(s for s in law if sum(p for score, p in law.items() if score <= s) >= q)


def mean_of_worst(law: dict[Score, Fraction], alpha: Fraction) -> Fraction:
    total, left = Fraction(0), alpha
    for score in sorted(law):
        taken = min(left, law[score])
        total += taken * score
        left -= taken
    return total / alpha


def test_coin_with_two_slots() -> None:
    both = frozenset({1, 2})
    assert move_values(COIN, [1, 2], both, 1) == {1: 4, 2: Fraction(7, 2)}
    assert move_values(COIN, [1, 2], both, 2) == {1: 5, 2: Fraction(11, 2)}
    assert value(COIN, [1, 2], both) == Fraction(19, 4)
    assert thresholds(COIN, 2)[1] == [Fraction(5, 4), Fraction(7, 4)]
    assert expected_order_statistics(COIN, 2) == [Fraction(5, 4), Fraction(7, 4)]
    assert law_of_hindsight(COIN, [1, 2]) == {3: Fraction(1, 4), 5: Fraction(1, 2), 6: Fraction(1, 4)}
    assert law_of_random(COIN, [1, 2]) == {score: Fraction(1, 4) for score in (3, 4, 5, 6)}
    assert closest_call(COIN, [1, 2], [both]) == (Fraction(1, 2), [(both, 1), (both, 2)])


def test_classic_game() -> None:
    multipliers = range(1, 11)
    board = all_slots(multipliers)
    assert round(value(THREE_DICE, multipliers, board), 10) == Fraction("642.2393504256")
    assert round(value(THREE_DICE, multipliers, board - {3}), 5) == Fraction("603.39355")
    first_moves = [best_slots(THREE_DICE, multipliers, board, roll) for roll in range(3, 19)]
    assert first_moves == [[slot] for slot in (1, 1, 1, 1, 2, 2, 4, 5, 6, 7, 9, 9, 10, 10, 10, 10)]
    gap, where = closest_call(THREE_DICE, multipliers, [board])
    assert round(gap, 5) == Fraction("0.03455")
    assert where == [(board, 9), (board, 12)]


@pytest.mark.parametrize(
    ("law", "multipliers"),
    [(COIN, (1, 2, 3, 4)), (SIX_SIDES, (1, 2, 3)), (SKEW, ODD_MULTIPLIERS), (THREE_SIDES, (-2, -2, 0, 3))],
)
def test_laws_agree_with_values(law: Law, multipliers: Multipliers) -> None:
    def optimal(free: frozenset[int], _score: Score, roll: int) -> int:
        return best_slots(law, multipliers, free, roll)[0]

    n = len(multipliers)
    best = law_of(law, multipliers, optimal)
    slots = slot_laws(law, multipliers, optimal)
    expected_rolls = [sum((roll * p for roll, p in slot.items()), Fraction(0)) for slot in slots]
    for one in [best, law_of_hindsight(law, multipliers), law_of_random(law, multipliers)]:
        assert sum(one.values()) == 1
    for slot in slots:
        assert sum(slot.values()) == 1
    assert mean(best) == value(law, multipliers, all_slots(multipliers))
    assert mean(best) == sum(m * expected for m, expected in zip(multipliers, expected_rolls, strict=True))
    assert mean(best) == best_utility(law, multipliers, Fraction)
    assert expected_hindsight(law, multipliers) == sum(
        m * expected for m, expected in zip(multipliers, expected_order_statistics(law, n), strict=True)
    )
    assert expected_random(law, multipliers) == sum(multipliers) * sum(roll * p for roll, p in law.items())
    if len(set(multipliers)) == n:
        assert expected_rolls == thresholds(law, n)[n - 1]


@pytest.mark.parametrize(
    ("law", "multipliers"),
    [
        (COIN, (1, 2, 3)),
        ({-1: Fraction(1, 3), 2: Fraction(2, 3)}, (-1, Fraction(1, 2), 2)),
        (THREE_SIDES, (1, 3)),
        ({0: Fraction(1, 6), 2: Fraction(1, 2), 3: Fraction(1, 3)}, (1, 2)),
    ],
)
def test_aims_against_all_strategies(law: Law, multipliers: Multipliers) -> None:
    def utility(score: Score) -> Fraction:
        return Fraction(score * score - 7 * score, 5)

    laws = laws_of_all_strategies(law, multipliers)
    for target in {score for one in laws for score in one}:
        assert best_chance(law, multipliers, target) == max(
            sum(p for score, p in one.items() if score >= target) for one in laws
        )
    assert best_utility(law, multipliers, utility) == max(
        sum(p * utility(score) for score, p in one.items()) for one in laws
    )
    for share in [Fraction(k, 24) for k in range(1, 25)]:
        assert best_quantile(law, multipliers, share) == max(quantile(one, share) for one in laws)
        assert best_cvar(law, multipliers, share) == max(mean_of_worst(one, share) for one in laws)


@pytest.mark.parametrize(
    ("law", "multipliers"),
    [
        (COIN, (1, 2, 3)),
        ({0: Fraction(1, 3), 5: Fraction(2, 3)}, (-1, 1, 1)),
        ({-1: Fraction(1, 4), 0: Fraction(1, 2), 2: Fraction(1, 4)}, (Fraction(1, 2), 3)),
    ],
)
def test_best_means_of_all_strategies_with_the_best_aim(law: Law, multipliers: Multipliers) -> None:
    laws = laws_of_all_strategies(law, multipliers)
    scores = sorted({Fraction(score) for one in laws for score in one})
    for target in [*scores, scores[-1] + 1]:
        worth, _ = ties.best_play(law, multipliers, lambda score, target=target: Fraction(score >= target))  # type: ignore[misc]
        assert worth(all_slots(multipliers), 0) == max(
            (sum((p for score, p in one.items() if score >= target), Fraction(0)), mean(one)) for one in laws
        )
    for alpha in (Fraction(1, 10), Fraction(1, 2), Fraction(1)):
        wanted = max((mean_of_worst(one, alpha), mean(one)) for one in laws)
        assert ties.best_worst_share(law, multipliers, scores, alpha) == wanted
