"""The answer of a drill: JSON as it is, in this order, and every number of it from the drill."""

from datetime import date
from pathlib import Path

from tentimes18.answers.drill import CloseCallsAnswer, DrillAnswer, close_calls_answer, drill
from tentimes18.coach.advice import advise
from tentimes18.coach.drill import Drill, Source
from tentimes18.coach.losses import classify
from tentimes18.game import Board, Game
from tentimes18.records.notation import parse_moves
from tests.support.answers import assert_answer

CLASSIC = Game.classic()


def test_nothing_asked(tmp_path: Path) -> None:
    assert drill(Drill(CLASSIC, folder=tmp_path)) == {"asked": 0, "right": 0, "mean_loss": None, "questions": []}


def test_every_answer(tmp_path: Path) -> None:
    drilled = Drill(CLASSIC, 4, seed=1, folder=tmp_path, today=date(2026, 11, 15))
    while question := drilled.question():
        drilled.answer(question, question.advice.moves[-1 if len(drilled.answers) % 2 else 0].slot)
    found = drill(drilled)
    assert_answer(found, DrillAnswer)
    assert (found["asked"], found["right"]) == (4, 2)
    assert found["mean_loss"] == float(sum(answer.loss for answer in drilled.answers) / 4)
    for row, answer in zip(found["questions"], drilled.answers, strict=True):
        assert list(row) == ["free", "roll", "answer", "best", "loss", "class"]
        assert row["free"] == list(answer.question.record.board.free_slots)
        assert (row["roll"], row["answer"]) == (answer.question.record.roll, answer.slot)
        assert row["best"] == list(answer.advice.best_slots)
        assert row["loss"] == float(answer.loss)
        assert row["class"] == answer.move_class.name
        assert (row["answer"] in row["best"]) == (row["loss"] == 0)


def test_close_calls_are_those_of_the_drill_with_the_same_seed(tmp_path: Path) -> None:
    found = close_calls_answer(CLASSIC, 6, 18)
    assert_answer(found, CloseCallsAnswer)
    assert (found["dice"], found["slots"], found["seed"]) == ("3d6", "1-10", 18)
    drilled = Drill(CLASSIC, 6, seed=18, source=Source.close, folder=tmp_path)
    for call in found["questions"]:
        question = drilled.question()
        assert question is not None
        drilled.answer(question, question.advice.best)
        board = Board.replay(CLASSIC, parse_moves(call["moves"]))
        assert (board, call["roll"]) == (question.record.board, question.record.roll)
        assert call["board"] == {str(slot): roll for roll, slot in board.placements}
        assert call["free"] == list(board.free_slots)
        advice = advise(board, call["roll"])
        assert call["best"] == list(advice.best_slots)
        assert [(row["slot"], row["value"], row["loss"], row["class"]) for row in call["worths"]] == [
            (move.slot, float(move.worth), float(move.loss), classify(move.loss).name) for move in advice.moves
        ]


def test_no_more_close_calls_than_there_are() -> None:
    assert close_calls_answer(Game.parse("1d3", "1"), 5, 0)["questions"] == []
    assert 0 < len(close_calls_answer(Game.parse("1d3", "1,2"), 50, 0)["questions"]) < 50
