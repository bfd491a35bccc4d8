"""The games that were played: each with what it lost, its luck and its skill, and those of each kind in sum."""

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypedDict

from tentimes18.answers.review import BadLineAnswer, SummaryAnswer, bad_lines_json, summary_json
from tentimes18.coach.skill import level_of
from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.records.formats import BadLine, Line
from tentimes18.records.notation import Record, record_to_json

if TYPE_CHECKING:
    from tentimes18.coach.summary import MeasuredGames

__all__ = ["UNKNOWN", "GameMeasures", "HistoryAnswer", "chosen_games", "history", "measures_of"]


class GameMeasures(TypedDict):
    """What a game lost, its luck and its skill by the aim named last; unknown of a game that is too large.

    They are points, or chances where the aim is one. ``level`` is the word for the skill.
    """

    loss: float | None
    luck: float | None
    skill: float | None
    level: str | None
    measured_by: str | None


UNKNOWN: Final[GameMeasures] = {"loss": None, "luck": None, "skill": None, "level": None, "measured_by": None}


class HistoryAnswer(TypedDict):
    """The games as they are kept, each with its measures, their sums by kind, and what is not finished or no game.

    The ``number`` of a game is the line that it stands in.
    """

    games: list[dict[str, Any]]
    summaries: list[SummaryAnswer]
    unfinished: list[dict[str, Any]]
    bad_lines: list[BadLineAnswer]


def chosen_games(
    lines: Iterable[Line | BadLine],
    dice: str | None = None,
    slots: str | None = None,
    last: int | None = None,
    name: str | None = None,
) -> tuple[list[Line], list[BadLine]]:
    """The games with these dice and slots and of this player, of those the last ones, in order; and what is no game.

    >>> from tentimes18.records.notation import parse_record
    >>> games = [Line(1, parse_record("1d6 1,2: 5@1; name=Ada")), Line(2, parse_record("8@5")), BadLine(3, "no game")]
    >>> [[line.number for line in found] for found in chosen_games(games, dice="3d6")]
    [[2], [3]]
    >>> [line.number for line in chosen_games(games, name="ada")[0]]
    [1]
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
        if (
            (wanted is None or game.dice == wanted)
            and (multipliers is None or game.multipliers == multipliers)
            and (name is None or _plain(line.record.tags.get("name", "")) == _plain(name))
        ):
            found.append(line)
    return found if last is None else found[-last:], bad


def _plain(name: object) -> str:
    """A name as people tell one from another: without regard to capitals and blanks."""
    return " ".join(str(name).split()).casefold()


def measures_of(kinds: "Iterable[MeasuredGames]", wanted: Container[int] | None = None) -> dict[int, GameMeasures]:
    """The measures of each game, or of those that are wanted, by the number of its line.

    >>> from tentimes18.coach.summary import measured_kinds
    >>> from tentimes18.records.notation import parse_record
    >>> measures_of(measured_kinds([Line(7, parse_record("1d6 1,2: 5@1 4@2"))])[0])
    {7: {'loss': 1.5, 'luck': 3.25, 'skill': 1.5, 'level': 'beginner', 'measured_by': 'mean'}}
    """
    found: dict[int, GameMeasures] = {}
    for games in kinds:
        table, lost_by_chance = games.summary.table, games.random_loss
        unit = None if lost_by_chance is None else float(lost_by_chance)
        sums = (table.losses.sum(axis=1), table.lucks.sum(axis=1), table.is_choice.sum(axis=1))
        for line, loss, luck, choices in zip(games.lines, *(part.tolist() for part in sums), strict=True):
            if wanted is not None and line.number not in wanted:
                continue
            skill = loss / choices if choices else None
            level = level_of(skill, unit)
            found[line.number] = {
                "loss": loss,
                "luck": luck,
                "skill": skill,
                "level": None if level is None else level.name,
                "measured_by": games.summary.aim.name,
            }
    return found


def history(
    lines: Iterable[Line],
    bad: Sequence[BadLine],
    unfinished: Iterable[Record],
    kinds: "Sequence[MeasuredGames]",
) -> HistoryAnswer:
    """The games of a player.

    >>> history([], [], [], [])
    {'games': [], 'summaries': [], 'unfinished': [], 'bad_lines': []}
    """
    measures = measures_of(kinds)
    return {
        "games": [
            {**record_to_json(line.record), **measures.get(line.number, UNKNOWN), "number": line.number}
            for line in lines
        ],
        "summaries": [summary_json(games) for games in kinds],
        "unfinished": [record_to_json(record) for record in unfinished],
        "bad_lines": bad_lines_json(bad),
    }
