"""A drill so far: every question with its answer, and how good they were."""

from typing import TypedDict

from tentimes18.answers.numbers import Plain, plain
from tentimes18.coach.drill import Answer, Drill

__all__ = ["AnsweredQuestion", "DrillAnswer", "drill"]

# "class" is no name in Python: this notation takes it all the same.
AnsweredQuestion = TypedDict(
    "AnsweredQuestion",
    {"free": list[int], "roll": int, "answer": int, "best": list[int], "loss": Plain, "class": str},
)
"""Free slots and a roll, the slot that was named, all that are best, what it loses and the class of that."""


class DrillAnswer(TypedDict):
    """How many questions were asked and answered with a best slot, and what an answer loses on average."""

    asked: int
    right: int
    mean_loss: Plain | None
    questions: list[AnsweredQuestion]


def drill(drilled: Drill) -> DrillAnswer:
    """What was asked and answered.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tentimes18.game import Game
    >>> with TemporaryDirectory() as folder:
    ...     drilled = Drill(Game.parse("1d6", "1,2"), 1, seed=18, folder=Path(folder))
    ...     question = drilled.question()
    ...     _ = drilled.answer(question, question.advice.best)
    >>> drill(drilled)["right"], drill(drilled)["questions"][0]["class"]
    (1, 'best')
    """
    mean_loss = drilled.mean_loss
    return {
        "asked": len(drilled.answers),
        "right": drilled.right,
        "mean_loss": None if mean_loss is None else plain(mean_loss),
        "questions": [_question(answer) for answer in drilled.answers],
    }


def _question(answer: Answer) -> AnsweredQuestion:
    return {
        "free": list(answer.question.record.board.free_slots),
        "roll": answer.advice.roll,
        "answer": answer.slot,
        "best": list(answer.advice.best_slots),
        "loss": plain(answer.loss),
        "class": answer.move_class.name,
    }
