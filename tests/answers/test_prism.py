"""The answer for model checkers is the model itself."""

import pytest

from tentimes18.answers.prism import PrismAnswer, prism
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.solve.prism_model import prism_model
from tests.support.answers import assert_answer


def test_the_model_and_what_to_ask() -> None:
    game = Game.parse("1d6", "1-3")
    answer = prism(game)
    assert_answer(answer, PrismAnswer)
    assert answer["model"].splitlines() == prism_model(game).splitlines()
    assert answer["model"].endswith("endrewards\n")
    assert f"// check     {answer['property']}\n" in answer["model"]


def test_a_model_that_is_too_large() -> None:
    with pytest.raises(TooLarge) as refused:
        prism(Game.parse("3d6", "1-40"))
    assert refused.value.field == "slots"
