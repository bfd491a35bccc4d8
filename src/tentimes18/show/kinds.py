"""How a kind of games is told: its name, and what has to be said of its numbers."""

from tentimes18.coach.kinds import MeasuredGames
from tentimes18.show.words import game_name, measured_by

__all__ = ["kind_name", "kind_notes"]


def kind_name(games: MeasuredGames) -> str:
    """The game, and what it was played for where that is not the mean.

    >>> from tentimes18.coach.kinds import measured_kinds
    >>> from tentimes18.records.files import Line
    >>> from tentimes18.records.notation import parse_record
    >>> (found,), _ = measured_kinds([Line(1, parse_record("1d6 1-3: 4@1; aim=target:30; takebacks=1"))])
    >>> kind_name(found)
    '1d6, slots 1-3, for target:30, practice'
    """
    parts = [game_name(games.summary.game)]
    if games.played_for != "mean":
        parts.append(f"for {games.played_for[:40]}")
    if games.is_practice:
        parts.append("practice")
    return ", ".join(parts)


def kind_notes(games: MeasuredGames) -> list[str]:
    """What has to be said of the numbers: that they are no points, practice, or by another aim than the games' own.

    >>> from tentimes18.coach.kinds import measured_kinds
    >>> from tentimes18.records.files import Line
    >>> from tentimes18.records.notation import parse_record
    >>> (found,), _ = measured_kinds([Line(1, parse_record("1d6 1-3: 4@1; aim=duel"))])
    >>> kind_notes(found)
    ['Played for duel, measured by the expected final score.']
    """
    found = []
    aim = games.summary.aim
    if games.played_for != aim.name:
        found.append(f"Played for {games.played_for[:60]}, measured by {measured_by(aim)}.")
    if games.is_practice:
        found.append("Moves were taken back in these games: practice, so no level, and apart from all others.")
    return found
