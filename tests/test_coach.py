"""Advice against the move values of the oracle."""

from fractions import Fraction

import pytest
from hypothesis import given

from tentimes18 import Board, Game, IllegalMove, InvalidGame, advise, mask_of, named, slots_of
from tests.conftest import games, law_of
from tests.oracle.play import best_slots, move_values


@given(games())
def test_moves_are_worth_what_the_oracle_says(game: Game) -> None:
    law = law_of(game.dice)
    for free in range(1, game.all_free + 1):
        slots = frozenset(slots_of(free))
        for roll in game.dice.support:
            advice = advise(game, free, roll)
            values = move_values(law, game.multipliers, slots, roll)
            best = max(values.values())
            assert {move.slot: move.value for move in advice.moves} == values
            assert all(move.loss == best - move.value for move in advice.moves)
            assert [(move.loss, move.slot) for move in advice.moves] == sorted(
                (best - worth, slot) for slot, worth in values.items()
            )
            assert list(advice.best_slots) == best_slots(law, game.multipliers, slots, roll)
            assert advice.best == advice.best_slots[0]
            assert advice.roll == roll


def test_classic_first_move() -> None:
    game = Game.classic()
    advice = advise(game, game.all_free, 9)
    assert [move.slot for move in advice.moves] == [4, 3, 5, 2, 6, 1, 7, 8, 9, 10]
    # The paper: 9 in slot 3 instead of 4 loses 0.03455.
    assert round(advice.moves[1].loss, 5) == Fraction("0.03455")
    assert advice.best_slots == (4,)


@pytest.mark.parametrize(
    ("dice", "slots", "free", "roll", "best"),
    [
        ("1d3", "1-3", (1, 2), 2, (1, 2)),
        ("1d3", "1-3", (1, 3), 2, (1, 3)),
        ("1d3", "1-3", (1, 2, 3), 2, (2,)),
        ("1d3", "4,4,4", (1, 2, 3), 3, (1, 2, 3)),
        ("3d6", "1,5,5,9", (1, 2, 3, 4), 11, (2, 3)),
        ("7", "1-4", (1, 2, 4), 7, (1, 2, 4)),
    ],
)
def test_ties_are_all_best(dice: str, slots: str, free: tuple[int, ...], roll: int, best: tuple[int, ...]) -> None:
    game = Game.parse(dice, slots)
    advice = advise(game, mask_of(free), roll)
    assert advice.best_slots == best
    board = Board.replay(game, ((game.dice.support[0], slot) for slot in range(1, game.size + 1) if slot not in free))
    assert named("optimal").choose(board, roll) == advice.best == best[0]


@pytest.mark.parametrize("roll", [2, 19, -9, 0, 10**20])
def test_a_roll_the_dice_never_show(roll: int) -> None:
    with pytest.raises(IllegalMove, match=f"never shows {roll}"):
        advise(Game.classic(), 1023, roll)


@pytest.mark.parametrize("free", [0, 1 << 10, 1023 | 1 << 12, -1])
def test_not_a_free_set(free: int) -> None:
    with pytest.raises(InvalidGame):
        advise(Game.classic(), free, 9)
