"""The answer of a drill: JSON as it is, in this order, and every number of it from the drill."""

from datetime import date
from pathlib import Path

from tentimes18.answers.drill import DrillAnswer, drill
from tentimes18.coach.drill import Drill
from tentimes18.game import Game
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
