"""Rules as arrays against the rules."""

from hypothesis import given

from tentimes18.game import Board, mask_of
from tentimes18.solve.rule_slots import rule_slots
from tentimes18.solve.rules import optimal_rule
from tests.support.solved import boards, last_or_first


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
