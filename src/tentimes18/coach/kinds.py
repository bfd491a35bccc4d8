"""Games sorted by kind, and each kind in sum: chances are never added to points, nor practice to games that count.

Games are of one kind where they have the same dice and slots, were played for the same aim and are measured by the same
one, and where moves were taken back in all of them or in none.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from tentimes18.coach.aims import Aim, Mean, aim_named, is_of_duels
from tentimes18.coach.played_for import own_aim, played_for, takebacks_of
from tentimes18.coach.skill import SkillLevel, level_of, random_loss
from tentimes18.coach.summary import Summary, summarise
from tentimes18.coach.units import Worth
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Game
from tentimes18.records.files import BadLine, Line
from tentimes18.records.many import ManyGames
from tentimes18.records.notation import Record
from tentimes18.solve.layers import Progress

__all__ = ["MeasuredGames", "measured_kinds"]

# Games of a kind that are measured by a chance of their own: beyond, it takes more than some ten seconds.
MOST_DUELS: Final = 400
MOST_FOR_TARGETS: Final = 4000


class _Kind(NamedTuple):
    game: Game
    played_for: str
    has_opponent: bool
    is_practice: bool


class MeasuredGames(NamedTuple):
    """The games of one kind by line, in sum.

    ``played_for`` names the aim of the games, or the one that was given to measure them by; ``is_by_own_aim``: they
    were played for what they are measured by; ``is_practice``: moves were taken back.

    >>> from tentimes18.records.notation import parse_record
    >>> (found,), _ = measured_kinds([Line(1, parse_record("1d6 1,2: 5@1 4@2"))])
    >>> found.played_for, found.is_by_own_aim, found.level.name
    ('mean', True, 'beginner')
    """

    lines: Sequence[Line]
    summary: Summary
    played_for: str
    is_by_own_aim: bool
    is_practice: bool

    @property
    def random_loss(self) -> Worth | None:
        """What skill is held against; None for practice, and for games that were played for something else."""
        is_rated = self.is_by_own_aim and not self.is_practice
        return random_loss(self.summary.game, self.summary.aim) if is_rated else None

    @property
    def level(self) -> SkillLevel | None:
        """A word for the skill of these games together, where it is to be had."""
        return level_of(self.summary.skill, self.random_loss)


def measured_kinds(
    lines: Sequence[Line], aim: str | None = None, progress: Progress | None = None
) -> tuple[list[MeasuredGames], list[BadLine]]:
    """The games of each kind in sum, measured by this aim, or each by its own; and those too large, as bad lines.

    What counts comes before practice, and the more frequent kind first.

    >>> from tentimes18.records.notation import parse_record
    >>> lines = [Line(1, parse_record("1d6 1,2: 5@1 4@2")), Line(2, parse_record("1d6 1-201: 5@1"))]
    >>> found, bad = measured_kinds(lines)
    >>> [games.summary.mean_score for games in found], [line.number for line in bad]
    ([13.0], [2])
    """
    found: list[MeasuredGames] = []
    bad: list[BadLine] = []
    games = lines if isinstance(lines, ManyGames) else ManyGames.of(lines)
    for kind, of_kind in _sorted_by_kind(games, aim):
        records = of_kind.records()
        own = None if aim is not None else _own_aim(records[0], len(of_kind))
        try:
            by = own or aim_named(kind.game, aim or "mean")
            summary = summarise(of_kind, by, progress)
        except (InvalidGame, TooLarge) as error:
            if error.field == "aim":
                raise
            bad += [BadLine(number, str(error)) for number in of_kind.numbers.tolist()]
            continue
        if aim is None:
            is_own, name = own is not None, kind.played_for
        else:
            is_own, name = all(played_for(record) in ("mean", by.name) for record in records), by.name
        found.append(MeasuredGames(of_kind, summary, name, is_own, kind.is_practice))
    return found, sorted(bad)


def _sorted_by_kind(games: ManyGames, aim: str | None) -> list[tuple[_Kind, ManyGames]]:
    found = games.sorted_by(lambda record: _kind_of(record, aim))
    return sorted(found.items(), key=lambda entry: (entry[0].is_practice, -len(entry[1])))


def _kind_of(record: Record, aim: str | None) -> _Kind:
    """Where the aim is given, nothing else of what a game was played for matters."""
    name = played_for(record) if aim is None else aim
    has_opponent = aim is None and is_of_duels(name) and record.opponent is not None
    return _Kind(record.board.game, name, has_opponent, takebacks_of(record) > 0)


def _own_aim(record: Record, games: int) -> Aim | None:
    """The aim that so many games like this one were played for, where they are not too many for it."""
    name = played_for(record)
    most = MOST_DUELS if is_of_duels(name) else MOST_FOR_TARGETS
    return Mean() if name == "mean" else own_aim(record) if games <= most else None
