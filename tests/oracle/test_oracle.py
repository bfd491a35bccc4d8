"""The reference computations against results by hand, against the paper, and against each other."""

from fractions import Fraction
from itertools import combinations, permutations, product

import pytest

from tests.oracle import Law, Multipliers, Score
from tests.oracle.aims import best_chance, best_cvar, best_quantile, best_utility
from tests.oracle.play import best_slots, closest_call, move_values, paper_thresholds, thresholds, value
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


@pytest.mark.parametrize(
    ("j", "printed"),
    [
        (10, "6.720 7.868 8.730 9.466 10.160 10.840 11.534 12.270 13.132 14.280"),
        (7, "7.239 8.553 9.570 10.500 11.430 12.447 13.761"),
        (4, "8.120 9.771 11.229 12.880"),
        (2, "9.292 11.708"),
        (1, "10.500"),
    ],
)
def test_printed_thresholds(j: int, printed: str) -> None:
    assert [round(cell, 3) for cell in paper_thresholds(THREE_DICE, 10)[j - 1]] == [
        Fraction(number) for number in printed.split()
    ]


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


def test_closest_call_of_the_classic_game() -> None:
    multipliers = range(1, 11)
    boards = [frozenset(free) for k in range(2, 11) for free in combinations(multipliers, k)]
    gap, where = closest_call(THREE_DICE, multipliers, boards)
    assert round(gap, 5) == Fraction("0.02989")
    assert (frozenset(range(1, 8)), 10) in where
    # The paper says seven consecutive slots; a roll of 10 only needs neighbours as third and fourth of seven.
    assert {free for free, roll in where if roll == 10} == {
        free for free in boards if len(free) == 7 and sorted(free)[3] - sorted(free)[2] == 1
    }


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


def test_hindsight_is_the_best_order() -> None:
    multipliers: Multipliers = (-2, Fraction(1, 3), 3)
    best: dict[Score, Fraction] = {}
    for rolls in product(SKEW, repeat=3):
        score = max(
            sum((Fraction(m * roll) for m, roll in zip(multipliers, order, strict=True)), Fraction(0))
            for order in permutations(rolls)
        )
        best[score] = best.get(score, Fraction(0)) + SKEW[rolls[0]] * SKEW[rolls[1]] * SKEW[rolls[2]]
    assert law_of_hindsight(SKEW, multipliers) == {score: p for score, p in best.items() if p > 0}


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
