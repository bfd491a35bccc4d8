"""The closest calls: every field is the core's."""

from dataclasses import asdict

import pytest

from tentimes18.answers.closest import ClosestAnswer, closest
from tentimes18.answers.numbers import plain
from tentimes18.game import Game
from tentimes18.solve.closest import ClosestCall, closest_calls, exact_ties
from tests.support.answers import assert_answer


def as_dict(call: ClosestCall) -> dict[str, object]:
    return asdict(call) | {"loss": plain(call.loss), "example": list(call.example)}


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "1-10"), ("1d3", "1-4"), ("3d6", "1,1,2"), ("3d6", "5")])
def test_closest(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    answer = closest(game)
    assert_answer(answer, ClosestAnswer)
    assert answer == {
        "first_move": [as_dict(call) for call in closest_calls(game, first_move=True)],
        "game": [as_dict(call) for call in closest_calls(game)],
        "ties": [asdict(tie) for tie in exact_ties(game)],
    }


def test_a_loss_that_is_whole() -> None:
    """It stays an integer."""
    answer = closest(Game.parse("d{0,2}", "1,2"))
    assert [type(call["loss"]) for call in answer["game"]] == [int, int]
