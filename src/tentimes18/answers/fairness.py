"""Whether finished games are fair, by what is public of them."""

from collections.abc import Iterable, Sequence
from typing import TypedDict

from tentimes18.answers.review import BadLineAnswer, bad_lines_json
from tentimes18.play.verification import CheckedGame
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.records.formats import BadLine

__all__ = ["CheckedGameAnswer", "CheckedRoundAnswer", "VerificationAnswer", "checked_game", "verification"]


class CheckedRoundAnswer(TypedDict):
    """A round: its roll, none before it is opened, and what was committed to, none where that is no digest."""

    round: int
    roll: int | None
    commitment: str | None
    verified: bool
    problem: str | None


class CheckedGameAnswer(TypedDict):
    """A game by the line that it stands in, with the score that its board makes; ``problems`` beside its rounds."""

    line: int
    id: str | None
    dice: str
    slots: str
    score: Plain
    finished: bool
    verified: bool
    rounds: list[CheckedRoundAnswer]
    problems: list[str]


class VerificationAnswer(TypedDict):
    """How many games could be read, how many of them are verified, and the lines that are none."""

    games: int
    verified: int
    bad_lines: list[BadLineAnswer]
    results: list[CheckedGameAnswer]


def checked_game(checked: CheckedGame, line: int = 1) -> CheckedGameAnswer:
    """A game that was checked.

    >>> from tentimes18.play.verification import check_game
    >>> checked_game(check_game({"dice": "1d6", "slots": "2", "moves": "5@1"}))["problems"]
    ['nothing was committed to, so that nothing can be checked']
    """
    return {
        "line": line,
        "id": checked.id,
        "dice": str(checked.game.dice),
        "slots": checked.game.slots,
        "score": plain(checked.score),
        "finished": checked.finished,
        "verified": checked.verified,
        "rounds": [
            {
                "round": part.round,
                "roll": part.roll,
                "commitment": part.commitment,
                "verified": part.verified,
                "problem": part.problem,
            }
            for part in checked.rounds
        ],
        "problems": list(checked.problems),
    }


def verification(games: Iterable[tuple[int, CheckedGame]], bad: Sequence[BadLine] = ()) -> VerificationAnswer:
    """The games of a file, each with its line, and the lines that are none.

    >>> verification([], [BadLine(3, "JSON: too deep for a game")])["bad_lines"]
    [{'line': 3, 'reason': 'JSON: too deep for a game'}]
    """
    results = [checked_game(checked, line) for line, checked in games]
    return {
        "games": len(results),
        "verified": sum(result["verified"] for result in results),
        "bad_lines": bad_lines_json(bad),
        "results": results,
    }
