"""The one implementation of a loss, against the oracle, and the classes of moves."""

from fractions import Fraction

import pytest
from hypothesis import given

from tentimes18.coach.advice import advise_slots
from tentimes18.coach.losses import Unit, board_losses, classify, difference
from tentimes18.coach.review import review
from tentimes18.game import Board
from tentimes18.records.notation import Record
from tests.oracle import play
from tests.support.games import law_of
from tests.support.solved import boards, few


@given(boards(max_slots=4, max_rolls=4, min_free=1))
@few
def test_moves_are_worth_what_the_oracle_says(board: Board) -> None:
    distribution, free = law_of(board.game.dice), frozenset(board.free_slots)
    for roll in board.game.dice.support:
        values = {move.slot: move.worth for move in advise_slots(board.game, free, roll).moves}
        assert values == play.move_values(distribution, board.game.multipliers, free, roll)


@given(boards(max_slots=4, max_rolls=4))
@few
def test_a_board_and_a_review_say_the_same(board: Board) -> None:
    moves, losses = review(Record(board)).moves, board_losses(board)
    assert [tuple(loss) for loss in losses] == [(move.loss, move.is_choice) for move in moves]
    assert [loss.move_class for loss in losses] == [move.move_class for move in moves]


@pytest.mark.parametrize(
    ("loss", "name", "mark"),
    [
        (Fraction(0), "best", ""),
        (Fraction(1, 10**30), "fine", ""),
        (Fraction(1, 4) - Fraction(1, 10**30), "fine", ""),
        (Fraction(1, 4), "good", ""),
        (1 - Fraction(1, 10**30), "good", ""),
        (Fraction(1), "inaccuracy", "?!"),
        (3 - Fraction(1, 10**30), "inaccuracy", "?!"),
        (Fraction(3), "mistake", "?"),
        (8 - Fraction(1, 10**30), "mistake", "?"),
        (Fraction(8), "blunder", "??"),
        (Fraction(10**9), "blunder", "??"),
    ],
)
def test_classes_at_their_bounds(loss: Fraction, name: str, mark: str) -> None:
    assert classify(loss)[:2] == classify(loss / 100, Unit.chance)[:2] == (name, mark)
    if loss.denominator < 10**6:  # in float64 as well, where a chance is a difference of two
        assert classify(float(loss))[:2] == classify(float(loss / 100), Unit.chance)[:2] == (name, mark)
        for start in (0.05, 0.3, 0.55, 0.7):
            if 0 < loss <= 8:
                assert classify((start + float(loss / 100)) - start, Unit.chance)[:2] == (name, mark)


def test_a_difference_is_exact_or_more_than_rounding() -> None:
    assert difference(Fraction(1), Fraction(1) - Fraction(1, 10**30)) == Fraction(1, 10**30)
    assert difference(0.1 + 0.2, 0.3) == 0
    assert difference(0.5, 0.25) == 0.25
