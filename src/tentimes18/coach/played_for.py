"""What a game was played for, as its tags say, and whether it can be measured by that.

A game for a target or a duel that is measured by the mean shows losses that were none: so it is measured by the aim it
was played for, where that is known and its tables have a plan of seconds.
"""

from typing import Final

from tentimes18.coach.aims import EQUILIBRIUM, Aim, Mean, aim_named, is_of_duels
from tentimes18.duel.plans import response_plan
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.plan import Plan
from tentimes18.records.notation import Record
from tentimes18.strategies.named import best_chances_plan
from tentimes18.strategies.plans import best_duel_plan, hunter_plan

__all__ = ["is_quick", "own_aim", "played_for", "takebacks_of"]

MOST_SECONDS: Final = 3.0  # that tables may take which nobody asked for


def played_for(record: Record) -> str:
    """The aim that a game was played for, by name; the mean where nothing is said.

    >>> from tentimes18.records.notation import parse_record
    >>> played_for(parse_record("8@5; aim=target:700")), played_for(parse_record("8@5"))
    ('target:700', 'mean')
    """
    name = record.tags.get("aim", "mean")
    if not isinstance(name, str):
        return "unknown"
    return "duel" if name == f"duel:{EQUILIBRIUM}" else name


def takebacks_of(record: Record) -> int:
    """How many moves were taken back: such a game was practice.

    >>> from tentimes18.records.notation import parse_record
    >>> takebacks_of(parse_record("8@5; takebacks=2")), takebacks_of(parse_record("8@5"))
    (2, 0)
    """
    count = record.tags.get("takebacks", 0)
    return count if type(count) is int and count > 0 else 0


def own_aim(record: Record) -> Aim | None:
    """The aim that a game was played for; None where it is not known, or takes too long to measure by.

    >>> from tentimes18.records.notation import parse_record
    >>> own_aim(parse_record("1d6 1-3: 4@1; aim=target:30")).name, own_aim(parse_record("8@5; aim=fame"))
    ('target:30', None)
    """
    name, game = played_for(record), record.board.game
    if name == "mean":
        return Mean()
    if (is_of_duels(name) and record.opponent is None) or not is_quick(game, name):
        return None
    try:
        return aim_named(game, name)
    except Ten18Error:
        return None


def is_quick(game: Game, aim: str) -> bool:
    """Whether the tables behind an aim are there, or made in seconds.

    >>> is_quick(Game.classic(), "target:700"), is_quick(Game.parse("3d6", "1-12"), "duel:nearest")
    (True, False)
    """
    if aim == "mean":
        return True
    plan = _plan(game, aim)
    return plan.seconds <= MOST_SECONDS and plan.fits()


def _plan(game: Game, aim: str) -> Plan:
    """What the tables behind an aim other than the mean take."""
    if aim == "duel":
        return best_duel_plan(game)
    if aim == "duel:optimal":
        return hunter_plan(game)
    return response_plan(game, is_optimal=False) if is_of_duels(aim) else best_chances_plan(game)
