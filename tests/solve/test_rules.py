"""The lattice of scores, the rule of `optimal`, and both as arrays."""

from math import gcd

import pytest
from hypothesis import given, settings

from tentimes18.errors import IllegalMove
from tentimes18.game import Board, Game, mask_of, slots_of
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.move_arrays import rule_slots, slot_order
from tentimes18.solve.thresholds import optimal_rule
from tests.oracle import play
from tests.oracle.play import move_values
from tests.support.games import games, law_of
from tests.support.solved import boards, few, last_or_first


@given(games())
def test_no_coarser_unit_would_do(game: Game) -> None:
    lattice = lattice_of(game)
    found = gcd(*(shift for row in lattice.shifts for shift in row))
    assert lattice.unit > 0
    assert found in (0, 1)  # 0 where all points are the same


@given(boards(max_slots=4, max_rolls=4, min_free=1))
@few
def test_the_first_of_the_best_slots(board: Board) -> None:
    game = board.game
    for roll in game.dice.support:
        best = play.best_slots(law_of(game.dice), game.multipliers, frozenset(board.free_slots), roll)
        assert optimal_rule(game)(board.free, roll) == min(best)


def test_a_full_board_has_no_slot() -> None:
    with pytest.raises(IllegalMove, match="full"):
        optimal_rule(Game.classic())(0, 10)


@given(boards(max_slots=5, max_rolls=5, min_free=1))
def test_arrays_of_slots(board: Board) -> None:
    """The array holds the slots that the rule takes, for `optimal` by its own kernel and for others one by one."""
    game, slots = board.game, board.free_slots
    for rule in (optimal_rule(game), last_or_first):
        found = rule_slots(game, rule, board.free)
        assert found.shape == (1 << len(slots), len(game.dice.support))
        for A in range(1, 1 << len(slots)):
            free = mask_of(slots[i] for i in range(len(slots)) if A >> i & 1)
            assert [slots[i] for i in found[A]] == [rule(free, roll) for roll in game.dice.support]


@settings(max_examples=20)
@given(game=games(max_slots=4, max_rolls=4))
def test_by_the_mean(game: Game) -> None:
    order, optimal = slot_order(game), optimal_rule(game)
    for A in range(1, game.all_free + 1):
        for x, roll in enumerate(game.dice.support):
            slots = [slot + 1 for slot in order[A, x].tolist() if slot >= 0]
            assert sorted(slots) == list(slots_of(A))
            assert slots[0] == optimal(A, roll)
            values = move_values(law_of(game.dice), game.multipliers, frozenset(slots), roll)
            assert slots == [slot for _, slot in sorted((-value, slot) for slot, value in values.items())]
