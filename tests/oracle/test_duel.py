"""The duels of the reference computations against results by hand, and against all strategies of small games."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import Law, Multipliers, Score
from tests.oracle.duel import (
    HALF,
    Free,
    Matrix,
    best_against_boards,
    best_against_mixed,
    equilibrium,
    equity_at_end,
    fixed,
    laws_followed,
    matrix_value,
    reachable,
    response,
)

COIN: Law = {1: Fraction(1, 2), 2: Fraction(1, 2)}
SKEW: Law = {-2: Fraction(1, 6), 0: Fraction(1, 2), 5: Fraction(1, 3), 7: Fraction(0)}
THREE_SIDES: Law = {side: Fraction(1, 3) for side in (1, 2, 3)}
BOTH: Free = frozenset({1, 2})
ALL: Free = frozenset({1, 2, 3})


def smallest(free: Free, _roll: int) -> int:
    return min(free)


def by_size(free: Free, roll: int) -> int:
    return max(free) if roll > 1 else min(free)


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        ([[3]], Fraction(3)),
        ([[1, 2, 3]], Fraction(1)),
        ([[1], [2], [3]], Fraction(3)),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], Fraction(0)),
        ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], Fraction(0)),
        ([[1, 0], [0, 1]], HALF),
        ([[3, -1], [-2, 1]], Fraction(1, 7)),
        ([[2, -3], [-3, 4]], Fraction(-1, 12)),
        ([[4, 1, 3], [2, 0, 9], [5, 1, 2]], Fraction(1)),
        ([[0, 0], [0, 0]], Fraction(0)),
        ([[1, 1, 0], [1, 0, 1], [0, 1, 1]], Fraction(2, 3)),
        ([[1, 0, 0], [0, 2, 0], [0, 0, 3]], Fraction(6, 11)),
        ([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], Fraction(1, 4)),
        ([[0, 5, -2, 1], [4, -3, 2, 2]], Fraction(1, 3)),
        ([[1, 2], [3, 0], [Fraction(3, 2), Fraction(3, 2)]], Fraction(3, 2)),
    ],
)
def test_matrix_games(matrix: Matrix, value: Fraction) -> None:
    assert matrix_value(matrix) == value


entries = st.integers(0, 3) | st.fractions(0, 1, max_denominator=5)
matrices = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(entries, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    )
)


@given(matrix=matrices)
def test_laws_of_matrix_games(matrix: list[list[Fraction | int]]) -> None:
    """The other player's view; a shift and a scale; a doubled row and a better one; the bounds of pure moves."""
    value = matrix_value(matrix)
    columns = list(zip(*matrix, strict=True))
    assert matrix_value([[-entry for entry in column] for column in columns]) == -value
    assert matrix_value([[2 * entry + 5 for entry in row] for row in matrix]) == 2 * value + 5
    assert matrix_value([*matrix, matrix[0]]) == value
    assert matrix_value([*matrix, [entry + 1 for entry in matrix[-1]]]) >= value
    assert max(min(row) for row in matrix) <= value <= min(max(column) for column in columns)


def test_coin_with_two_slots_by_hand() -> None:
    """Against `smallest`: a first 2 into slot 2 leads by 2 and wins or draws; a first 1 goes where it goes, a draw."""
    assert response(COIN, [1, 2], smallest)(BOTH, BOTH, 0) == HALF * HALF + HALF * (HALF * 1 + HALF * HALF)
    assert fixed(COIN, [1, 2], by_size, smallest)(BOTH, BOTH, 0) == (Fraction(1, 4), Fraction(3, 4), Fraction(0))
    assert response(COIN, [1, 2], smallest, Fraction(0))(BOTH, BOTH, 0) == Fraction(1, 4)
    assert response(COIN, [1, 2], smallest, Fraction(1))(BOTH, BOTH, 0) == 1
    assert equilibrium(COIN, [1, 2])(BOTH, BOTH, 0) == HALF


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


def test_best_reply_to_a_mix() -> None:
    """Matching pennies with a coin that always shows 1: my slot 1 or 2 against a half of each is worth its mean."""
    one: Law = {1: Fraction(1)}

    def half_and_half(free: Free, _other: Free, _lead: Score, _roll: int) -> dict[int, Fraction]:
        return dict.fromkeys(free, Fraction(1, len(free)))

    assert best_against_mixed(one, [1, 2], half_and_half)(frozenset({2}), frozenset({1}), 0) == 1
    assert best_against_mixed(one, [1, 2], half_and_half)(BOTH, BOTH, 0) == HALF
    against_random = best_against_mixed(COIN, [1, 2], half_and_half)
    wanted = HALF * (HALF * HALF + HALF * (HALF * 1 + HALF * HALF)) * 2
    assert against_random(BOTH, BOTH, 0) == wanted


def test_laws_of_both_scores_by_hand() -> None:
    """Slots 1 and 2 in turn against the larger first for a 2: of 1, 1 and 2, 2 and 1, 2 alike; 2, 1 makes 4 and 5."""
    mine, theirs = laws_followed(COIN, [1, 2], lambda free, _other, _lead, roll: smallest(free, roll), by_size)
    quarter = Fraction(1, 4)
    assert mine == {3: quarter, 5: quarter, 4: quarter, 6: quarter}
    assert theirs == {3: quarter, 5: 2 * quarter, 6: quarter}


def test_boards_of_a_rule_are_its_free_slots() -> None:
    multipliers = (1, 2, 4)
    wanted = response(THREE_SIDES, multipliers, by_size, Fraction(1, 3))(ALL, ALL, 0)
    found = best_against_boards(
        THREE_SIDES, multipliers, lambda own, _, roll: {by_size(ALL - own.keys(), roll): Fraction(1)}, Fraction(1, 3)
    )
    assert found == wanted


def test_what_goes_to_a_full_slot_is_lost() -> None:
    always_first = best_against_boards(COIN, (1, 2), lambda *_: {1: Fraction(1)})
    assert always_first == 1
    half = best_against_boards(
        {1: Fraction(1)}, (1, 1), lambda own, *_: {1: HALF, 2: HALF} if own else {1: Fraction(1)}
    )
    assert half == HALF + HALF * HALF  # all else is a draw


@pytest.mark.parametrize("draw", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_what_a_draw_is_worth_to_one_is_missing_to_the_other(draw: Fraction) -> None:
    one, other = (equilibrium(THREE_SIDES, (1, 2, 4), worth) for worth in (draw, 1 - draw))
    for (mine, theirs), leads in reachable(THREE_SIDES, (1, 2, 4)).items():
        assert all(one(mine, theirs, lead) == 1 - other(theirs, mine, -lead) for lead in leads)
