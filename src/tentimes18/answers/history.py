"""The games that were played: each with what it lost, its luck and its skill, and those of each kind in sum."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypedDict

from tentimes18.answers.review import BadLineAnswer, SummaryAnswer, bad_lines_json, summary_json
from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.records.files import BadLine, Line
from tentimes18.records.notation import Record, record_to_json

if TYPE_CHECKING:
    from tentimes18.coach.summary import Summary

__all__ = ["UNKNOWN", "GameMeasures", "HistoryAnswer", "chosen_games", "history", "measures_of"]


class GameMeasures(TypedDict):
    """What a game lost, its luck and its skill, by the mean; unknown of a game that is too large."""

    loss: float | None
    luck: float | None
    skill: float | None


UNKNOWN: Final[GameMeasures] = {"loss": None, "luck": None, "skill": None}


class HistoryAnswer(TypedDict):
    """The games as they are kept, each with its measures, their sums by kind, and what is not finished or no game."""

    games: list[dict[str, Any]]
    summaries: list[SummaryAnswer]
    unfinished: list[dict[str, Any]]
    bad_lines: list[BadLineAnswer]


def chosen_games(
    lines: Iterable[Line | BadLine], dice: str | None = None, slots: str | None = None, last: int | None = None
) -> tuple[list[Line], list[BadLine]]:
    """The games with these dice and slots, of those the last ones, in the order of play; and what is no game.

    >>> from tentimes18.records.notation import parse_record
    >>> games = [Line(1, parse_record("1d6 1,2: 5@1")), Line(2, parse_record("8@5")), BadLine(3, "no game")]
    >>> [[line.number for line in found] for found in chosen_games(games, dice="3d6")]
    [[2], [3]]
    """
    wanted = Dice.parse(dice) if dice is not None else None
    multipliers = Game.parse("3d6", slots).multipliers if slots is not None else None
    found: list[Line] = []
    bad: list[BadLine] = []
    for line in lines:
        if isinstance(line, BadLine):
            bad.append(line)
            continue
        game = line.record.board.game
        if (wanted is None or game.dice == wanted) and (multipliers is None or game.multipliers == multipliers):
            found.append(line)
    return found if last is None else found[-last:], bad


def measures_of(summaries: "Iterable[tuple[Sequence[Line], Summary]]") -> dict[int, GameMeasures]:
    """The measures of each game, by the number of its line.

    >>> from tentimes18.answers.review import summaries_of
    >>> from tentimes18.records.notation import parse_record
    >>> measures_of(summaries_of([Line(7, parse_record("1d6 1,2: 5@1 4@2"))])[0])
    {7: {'loss': 1.5, 'luck': 3.25, 'skill': 1.5}}
    """
    found: dict[int, GameMeasures] = {}
    for lines, summary in summaries:
        table = summary.table
        sums = (table.losses.sum(axis=1), table.lucks.sum(axis=1), table.is_choice.sum(axis=1))
        for line, loss, luck, choices in zip(lines, *(part.tolist() for part in sums), strict=True):
            found[line.number] = {"loss": loss, "luck": luck, "skill": loss / choices if choices else None}
    return found


def history(
    lines: Iterable[Line],
    bad: Sequence[BadLine],
    unfinished: Iterable[Record],
    summaries: "Sequence[tuple[Sequence[Line], Summary]]",
) -> HistoryAnswer:
    """The games of a player.

    >>> history([], [], [], [])
    {'games': [], 'summaries': [], 'unfinished': [], 'bad_lines': []}
    """
    measures = measures_of(summaries)
    return {
        "games": [{**record_to_json(line.record), **measures.get(line.number, UNKNOWN)} for line in lines],
        "summaries": [summary_json(summary) for _, summary in summaries],
        "unfinished": [record_to_json(record) for record in unfinished],
        "bad_lines": bad_lines_json(bad),
    }
