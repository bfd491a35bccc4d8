"""What the app knows without asking anybody: the named games, the law of their dice, and what solves them.

With the rows of thresholds a browser needs one dot product to tell what a slot is worth, with a network or without.
"""

import json
from dataclasses import dataclass
from typing import Final, TypedDict

from tentimes18.answers.solution import solution
from tentimes18.game import Game

__all__ = ["NAMED_GAMES", "LawOfRolls", "NamedGame", "StartAnswer", "start_of", "starts_json"]


@dataclass(frozen=True, slots=True)
class NamedGame:
    """A game that players pick by its name."""

    name: str
    title: str
    about: str
    dice: str
    slots: str


NAMED_GAMES: Final = (
    NamedGame("classic", "Classic", "Three dice, ten slots.", "3d6", "1-10"),
    NamedGame("blitz", "Blitz", "Three dice, five slots: a minute.", "3d6", "1-5"),
    NamedGame(
        "loaded",
        "Loaded twelves",
        "The paper's variant: two dice of twelve sides, and the twelve comes twice as often.",
        "2d12:12=2",
        "1,3,5,7,9,11,13,15,17",
    ),
)


class LawOfRolls(TypedDict):
    """The law of one roll: so many ways, of all there are, to roll each number."""

    dice: str
    support: list[int]
    counts: list[int]


class StartAnswer(TypedDict):
    """A named game, ready to be played and measured: ``par`` is its value, ``thresholds`` are the rows E_1 to E_n."""

    name: str
    title: str
    about: str
    dice: str
    slots: str
    law: LawOfRolls
    par: float | str
    thresholds: list[list[float | str]]


def start_of(named: NamedGame) -> StartAnswer:
    """All that a browser needs for a game.

    >>> start = start_of(NAMED_GAMES[0])
    >>> round(float(start["par"]), 2), start["thresholds"][0], sum(start["law"]["counts"])
    (642.24, [10.5], 216)
    """
    game = Game.parse(named.dice, named.slots)
    solved = solution(game)
    return {
        "name": named.name,
        "title": named.title,
        "about": named.about,
        "dice": named.dice,
        "slots": named.slots,
        "law": {"dice": named.dice, "support": list(game.dice.support), "counts": list(game.dice.counts)},
        "par": solved["expected"]["optimal"],
        "thresholds": solved["thresholds"],
    }


def starts_json() -> bytes:
    """The named games as the app's file has them."""
    return json.dumps({"games": [start_of(named) for named in NAMED_GAMES]}, separators=(",", ":")).encode()
