"""The reference computations by hand, and against all strategies of games with two or three rounds."""

from fractions import Fraction
from itertools import product

import pytest

from tests.oracle import Law, Multipliers, Score, ties
from tests.oracle.aims import best_chance, best_cvar, best_quantile, best_utility
from tests.oracle.assignment import Tree, ValueDistribution, distribution_of_samples, in_order, random_number
from tests.oracle.duel import (
    HALF,
    Free,
    best_against_boards,
    best_against_mixed,
    equilibrium,
    equity_at_end,
    matrix_value,
    response,
)
from tests.oracle.play import closest_call, move_values, thresholds, value
from tests.oracle.sequences import expected_order_statistics, law_of_hindsight, law_of_random
from tests.oracle.table import answered_shares, results

COIN: Law = {1: Fraction(1, 2), 2: Fraction(1, 2)}
THREE_SIDES: Law = {side: Fraction(1, 3) for side in (1, 2, 3)}
SKEW: Law = {-2: Fraction(1, 6), 0: Fraction(1, 2), 5: Fraction(1, 3), 7: Fraction(0)}
BOTH: Free = frozenset({1, 2})
ALL: Free = frozenset({1, 2, 3})


def test_coin_with_two_slots() -> None:
    assert move_values(COIN, [1, 2], BOTH, 1) == {1: 4, 2: Fraction(7, 2)}
    assert move_values(COIN, [1, 2], BOTH, 2) == {1: 5, 2: Fraction(11, 2)}
    assert value(COIN, [1, 2], BOTH) == Fraction(19, 4)
    assert thresholds(COIN, 2)[1] == [Fraction(5, 4), Fraction(7, 4)]
    assert expected_order_statistics(COIN, 2) == [Fraction(5, 4), Fraction(7, 4)]
    assert law_of_hindsight(COIN, [1, 2]) == {3: Fraction(1, 4), 5: Fraction(1, 2), 6: Fraction(1, 4)}
    assert law_of_random(COIN, [1, 2]) == {score: Fraction(1, 4) for score in (3, 4, 5, 6)}
    assert closest_call(COIN, [1, 2], [BOTH]) == (Fraction(1, 2), [(BOTH, 1), (BOTH, 2)])


def test_arrivals_by_hand() -> None:
    coin: ValueDistribution = {Fraction(0): HALF, Fraction(1): HALF}
    signs: ValueDistribution = {Fraction(-2): HALF, Fraction(3): HALF}
    assert Tree(in_order([coin] * 3), (1,)).value == Fraction(7, 8)
    assert Tree(in_order([distribution_of_samples(range(1, 7))] * 2), (1,)).value == Fraction(17, 4)  # 7/2 < 4, 5, 6
    # Two slots that must be filled, three values -2 or 3: the first -2 is rejected.
    must = Tree(in_order([signs] * 3), (1, 1), may_stay_empty=False)
    assert must.value == Fraction(1, 8) * (6 + 3 * 6 + 3 * 1 - 4)
    assert Tree(random_number([coin] * 2, {1: HALF, 2: HALF}), (1,)).value == HALF + HALF * HALF * HALF


def test_several_players_by_hand() -> None:
    """Rolls 1 1, 1 2, 2 1, 2 2 in slots 1 and 2: the low slot first makes 3, 5, 4, 6, the high one first 3, 4, 5, 6."""

    def low(free: Free, _score: Score, _roll: int) -> int:
        return min(free)

    def high(free: Free, _score: Score, _roll: int) -> int:
        return max(free)

    assert results(COIN, (1, 2), [low, high]) == ([HALF] * 2, [HALF * HALF] * 2, [Fraction(3, 2)] * 2)
    shares, sole, ranks = results(COIN, (1, 2), [low, high, low])  # a win over the other is shared
    assert shares == [Fraction(7, 24), Fraction(5, 12), Fraction(7, 24)]
    assert sole == [0, HALF * HALF, 0]
    assert ranks == [Fraction(2)] * 3
    # 1 in the low slot and 2 in the high one makes 3, 5, 5, 6, as does the better of the two others.
    assert answered_shares(COIN, (1, 2), [low, high])[-1] == (Fraction(1, 3) + HALF) / 2


def laws_of_all_strategies(law: Law, multipliers: Multipliers) -> list[dict[Score, Fraction]]:
    """The score distributions of all deterministic strategies, with a choice after every sequence of rolls."""

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

    return laws_from(frozenset(range(1, len(multipliers) + 1)), Fraction(0))


def mean(law: dict[Score, Fraction]) -> Fraction:
    return sum((score * probability for score, probability in law.items()), Fraction(0))


def quantile(law: dict[Score, Fraction], q: Fraction) -> Score:
    return min(s for s in law if sum(p for score, p in law.items() if score <= s) >= q)


def mean_of_worst(law: dict[Score, Fraction], alpha: Fraction) -> Fraction:
    total, left = Fraction(0), alpha
    for score in sorted(law):
        taken = min(left, law[score])
        total += taken * score
        left -= taken
    return total / alpha


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
        assert worth(frozenset(range(1, len(multipliers) + 1)), 0) == max(
            (sum((p for score, p in one.items() if score >= target), Fraction(0)), mean(one)) for one in laws
        )
    for alpha in (Fraction(1, 10), Fraction(1, 2), Fraction(1)):
        wanted = max((mean_of_worst(one, alpha), mean(one)) for one in laws)
        assert ties.best_worst_share(law, multipliers, scores, alpha) == wanted


def by_size(free: Free, roll: int) -> int:
    return max(free) if roll > 1 else min(free)


def plans(law: Law, free: Free) -> list[dict[tuple[int, ...], int]]:
    """All ways to choose a slot for every sequence of rolls, the last slot being what is left."""

    def extend(history: tuple[int, ...], left: Free) -> list[dict[tuple[int, ...], int]]:
        if not left:
            return [{}]
        for_rolls = [
            [{(*history, roll): slot} | rest for slot in left for rest in extend((*history, roll), left - {slot})]
            for roll in law
            if law[roll] > 0
        ]
        return [{key: slot for part in parts for key, slot in part.items()} for parts in product(*for_rolls)]

    return extend((), free)


def equity_of_plans(
    law: Law,
    multipliers: Multipliers,
    mine: dict[tuple[int, ...], int],
    theirs: dict[tuple[int, ...], int],
    lead: Score,
    draw: Fraction,
) -> Fraction:
    """Through all sequences of rolls."""
    rounds = max(map(len, mine))
    equity = Fraction(0)
    for rolls in product([roll for roll in law if law[roll] > 0], repeat=rounds):
        chance, final = Fraction(1), Fraction(lead)
        for k, roll in enumerate(rolls, start=1):
            chance *= law[roll]
            final += roll * (multipliers[mine[rolls[:k]] - 1] - multipliers[theirs[rolls[:k]] - 1])
        equity += chance * equity_at_end(final, draw)
    return equity


@pytest.mark.parametrize(
    ("law", "multipliers", "free"),
    [(COIN, (1, 2), BOTH), (COIN, (1, 2, 4), ALL), (THREE_SIDES, (-1, Fraction(1, 2)), BOTH), (SKEW, (1, 3), BOTH)],
)
@pytest.mark.parametrize("draw", [Fraction(0), Fraction(1, 3), HALF, Fraction(1)])
def test_response_against_all_plans(law: Law, multipliers: Multipliers, free: Free, draw: Fraction) -> None:
    """The other side never looks at my board, so a plan for every sequence of rolls is all that I need."""

    def their_slot(rolls: tuple[int, ...], left: Free) -> dict[tuple[int, ...], int]:
        plan: dict[tuple[int, ...], int] = {}
        for roll in law:
            if law[roll] > 0 and left:
                slot = by_size(left, roll)
                plan |= {(*rolls, roll): slot} | their_slot((*rolls, roll), left - {slot})
        return plan

    theirs = their_slot((), free)
    for lead in (-1, 0, Fraction(1, 2), 2):
        equities = [equity_of_plans(law, multipliers, mine, theirs, lead, draw) for mine in plans(law, free)]
        assert response(law, multipliers, by_size, draw)(free, free, lead) == max(equities)


@pytest.mark.parametrize(
    ("law", "multipliers", "mine", "theirs"),
    [
        (COIN, (1, 2), {1, 2}, {1, 2}),
        (COIN, (1, 2, 4), {1, 3}, {2, 3}),
        ({-2: Fraction(2, 3), 5: Fraction(1, 3)}, (-1, 0, 2, 3), {1, 3}, {2, 4}),
    ],
)
def test_equilibrium_of_two_rounds_is_the_matrix_of_all_plans(
    law: Law, multipliers: Multipliers, mine: set[int], theirs: set[int]
) -> None:
    """With two rounds and two rolls the second move is forced, so that the whole duel is a game of 4 by 4."""
    for lead in range(-6, 7):
        matrix = [
            [equity_of_plans(law, multipliers, one, other, lead, HALF) for other in plans(law, frozenset(theirs))]
            for one in plans(law, frozenset(mine))
        ]
        assert len(matrix) == len(matrix[0]) == 4
        assert equilibrium(law, multipliers)(frozenset(mine), frozenset(theirs), lead) == matrix_value(matrix)


def test_replies_to_a_mix_by_hand() -> None:
    """With a coin that always shows 1, slot 1 or 2 against a half of each is worth its mean; a full slot loses."""
    one: Law = {1: Fraction(1)}

    def half_and_half(free: Free, _other: Free, _lead: Score, _roll: int) -> dict[int, Fraction]:
        return dict.fromkeys(free, Fraction(1, len(free)))

    assert best_against_mixed(one, [1, 2], half_and_half)(frozenset({2}), frozenset({1}), 0) == 1
    assert best_against_mixed(one, [1, 2], half_and_half)(BOTH, BOTH, 0) == HALF
    assert best_against_boards(COIN, (1, 2), lambda *_: {1: Fraction(1)}) == 1
    assert matrix_value([[3, -1], [-2, 1]]) == Fraction(1, 7)
    assert matrix_value([[1, 0, 0], [0, 2, 0], [0, 0, 3]]) == Fraction(6, 11)
