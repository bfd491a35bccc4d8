"""The answer on one roll: plain numbers in a fixed order, as the coach has them."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.answers.advice import AdviceAnswer, advice
from tentimes18.coach.advice import advise, advise_slots, reason
from tentimes18.coach.aims import Mean, aim_named
from tentimes18.coach.classes import classify
from tentimes18.coach.review import outlook
from tentimes18.game import Board, Game, Position
from tests.support.answers import assert_answer
from tests.support.games import games

SMALL = Game.parse("1d6", "1-4")
POSITION = Position(Board(SMALL).place(3, 2), Board(SMALL).place(3, 1))


@settings(max_examples=30)
@given(games(), st.data())
def test_for_the_mean(game: Game, data: st.DataObject) -> None:
    free = data.draw(st.sets(st.integers(1, game.size), min_size=1))
    roll = data.draw(st.sampled_from(game.dice.support))
    answer = advice(Position(Board(game)), roll, Mean(), free)
    found = advise_slots(game, free, roll)
    assert_answer(answer, AdviceAnswer)
    assert list(answer) == ["roll", "best", "best_slots", "moves", "reason"]
    assert (answer["roll"], answer["best"], answer["best_slots"]) == (roll, found.best, list(found.best_slots))
    assert answer["reason"] == reason(game, free, roll)
    for told, move in zip(answer["moves"], found.moves, strict=True):
        assert list(told) == ["slot", "value", "loss", "class"]
        assert (told["slot"], told["value"], told["loss"]) == (move.slot, float(move.worth), float(move.loss))
        assert told["class"] == classify(move.loss).name


def test_for_the_mean_values_count_from_here_on() -> None:
    answer = advice(POSITION, 4, Mean())
    assert [move["slot"] for move in answer["moves"]] == [move.slot for move in advise(POSITION, 4).moves]
    final = {move.slot: float(move.worth) for move in advise(POSITION, 4).moves}
    assert all(move["value"] + 6 == pytest.approx(final[move["slot"]]) for move in answer["moves"])


@pytest.mark.parametrize("name", ["target:30", "duel", "duel:optimal"])
def test_for_other_aims(name: str) -> None:
    aim = aim_named(SMALL, name)
    answer = advice(POSITION, 4, aim)
    assert_answer(answer, AdviceAnswer)
    mixes = ["mix", "opponent_mix"] if name == "duel" else []
    assert list(answer) == ["roll", "best", "best_slots", "moves", "aim", *mixes]
    assert answer["aim"] == name
    found = advise(POSITION, 4, aim)
    for told, move in zip(answer["moves"], found.moves, strict=True):
        assert (told["slot"], told["value"], told["loss"]) == (move.slot, float(move.worth), float(move.loss))
        assert told["class"] == classify(move.loss, aim.unit).name


def test_with_a_target() -> None:
    answer = advice(POSITION, 4, Mean(), target=Fraction(61, 2))
    for move in answer["moves"]:
        law = outlook(POSITION.board.place(4, move["slot"]))
        assert list(move)[4:] == ["mean", "sd", "chance"]
        assert (move["mean"], move["sd"], move["chance"]) == (law.mean, law.sd, law.at_least(31))
    assert_answer(answer, AdviceAnswer)
