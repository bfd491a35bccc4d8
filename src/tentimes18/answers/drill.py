"""Drills: close calls to be answered, and a drill so far, every question with its answer and how good they were."""

from itertools import islice
from random import Random
from typing import TypedDict

from tentimes18.coach.drill import Answer, Drill, Question, close_calls
from tentimes18.coach.losses import classify
from tentimes18.game import Game
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.records.notation import format_moves

__all__ = [
    "AnsweredQuestion",
    "CloseCall",
    "CloseCallsAnswer",
    "DrillAnswer",
    "SlotWorth",
    "close_calls_answer",
    "drill",
]

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


SlotWorth = TypedDict("SlotWorth", {"slot": int, "value": Plain, "loss": Plain, "class": str})
"""A slot for a roll: the expected final score under the best play after it, what it gives up, the class of that."""


class CloseCall(TypedDict):
    """A position with a roll to place: the moves that led to it, and what every free slot is worth, the best first."""

    moves: str
    board: dict[str, int]
    free: list[int]
    roll: int
    best: list[int]
    worths: list[SlotWorth]


class CloseCallsAnswer(TypedDict):
    """Close calls in a game, no two the same; the same seed gives the same ones."""

    dice: str
    slots: str
    seed: int
    questions: list[CloseCall]


def close_calls_answer(game: Game, count: int, seed: int) -> CloseCallsAnswer:
    """So many close calls, fewer where a game has no more, as a drill with this seed asks them.

    >>> found = close_calls_answer(Game.parse("1d6", "1,2"), 1, 18)
    >>> found["questions"][0]["worths"][0]["loss"], found["questions"][0]["worths"][0]["class"]
    (0, 'best')
    """
    calls = islice(close_calls(game, Random(f"drill {seed}")), count)
    return {
        "dice": str(game.dice),
        "slots": game.slots,
        "seed": seed,
        "questions": [_close_call(call) for call in calls],
    }


def _close_call(call: Question) -> CloseCall:
    board, advice = call.record.board, call.advice
    return {
        "moves": format_moves(board.placements),
        "board": {str(slot): roll for roll, slot in board.placements},
        "free": list(board.free_slots),
        "roll": advice.roll,
        "best": list(advice.best_slots),
        "worths": [
            {
                "slot": move.slot,
                "value": plain(move.worth),
                "loss": plain(move.loss),
                "class": classify(move.loss).name,
            }
            for move in advice.moves
        ],
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
