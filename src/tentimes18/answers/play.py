"""A game that was played, to its end or not: its record, and the review of what was played so far."""

from typing import Any, TypedDict

from tentimes18.answers.review import ReviewAnswer, review_json
from tentimes18.play.game import GameInPlay
from tentimes18.records.notation import record_to_json

__all__ = ["PlayAnswer", "play"]


class PlayAnswer(TypedDict):
    """The game as it is kept, and its review; nothing where none was begun."""

    record: dict[str, Any] | None
    review: ReviewAnswer | None


def play(game: GameInPlay | None) -> PlayAnswer:
    """What became of a game.

    >>> play(None)
    {'record': None, 'review': None}
    """
    if game is None:
        return {"record": None, "review": None}
    return {"record": record_to_json(game.record), "review": review_json(game.review())}
