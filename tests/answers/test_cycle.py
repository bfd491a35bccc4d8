"""Circles: exact fractions as texts, and nothing where there is no circle."""

from fractions import Fraction

from tentimes18.answers.cycle import CycleAnswer, cycle
from tentimes18.duel.response_cycle import find_cycle
from tentimes18.game import Game
from tests.support.answers import assert_answer


def test_circle() -> None:
    game = Game.parse("1d6", "1-4")
    found = find_cycle(game)
    assert found is not None
    answer = cycle(game)
    assert_answer(answer, CycleAnswer)
    assert answer["names"] == list(found.names)
    for told, result in zip(answer["results"], found.results, strict=True):
        assert [Fraction(told["win"]), Fraction(told["draw"]), Fraction(told["loss"])] == [
            result.win,
            result.draw,
            result.loss,
        ]


def test_no_circle() -> None:
    assert cycle(Game.parse("1d3", "1-2")) == {"names": [], "results": []}
