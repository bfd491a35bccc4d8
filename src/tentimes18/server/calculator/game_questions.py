"""The questions of a game, and the process that answers them: what to do with a roll, and what the moves gave up.

They are light: advice for the mean, and the review of a game by it, take no compiled code, so this process is small.
"""

from collections.abc import Mapping
from typing import Any, Final

from tentimes18.answers.advice import AdviceAnswer, advice
from tentimes18.answers.review import OneReviewAnswer, one_review
from tentimes18.coach.aims import Mean, own_aim
from tentimes18.coach.review import review as measure
from tentimes18.game import Game
from tentimes18.plan import Limits
from tentimes18.queries.positions import read_position
from tentimes18.records.notation import record_from_json
from tentimes18.server.calculator.process import Question, answer_questions

__all__ = ["GAME_QUESTIONS", "advise_on_game", "review_game"]


def advise_on_game(limits: Limits, *, dice: str, slots: str, moves: str, roll: int) -> AdviceAnswer:
    """Where to place the roll that waits, for the mean.

    >>> advise_on_game(Limits(1e9, 10), dice="3d6", slots="1-10", moves="8@5", roll=9)["best"]
    3
    """
    return advice(read_position(Game.parse(dice, slots), moves), roll, Mean(), limits=limits)


def review_game(_: Limits, *, record: Mapping[str, Any]) -> OneReviewAnswer:
    """What each move gave up, and what was luck: by the aim of the game, where its tables are there, else by the mean.

    >>> review_game(Limits(1e9, 10), record={"dice": "1d6", "slots": "1,2", "moves": "5@1 4@2"})["loss"]
    1.5
    """
    played = record_from_json(record)
    return one_review(measure(played, own_aim(played) or Mean()), [])


GAME_QUESTIONS: Final[Mapping[str, Question]] = {"advice": advise_on_game, "review": review_game}

if __name__ == "__main__":
    answer_questions(GAME_QUESTIONS)
