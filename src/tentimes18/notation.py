"""Played moves as text: a roll, ``@``, and the slot it was placed in, as in ``8@5 4@1 12@7``."""

import re
from collections.abc import Iterable

from tentimes18.errors import InvalidGame
from tentimes18.game import Placement

__all__ = ["format_moves", "parse_moves"]

_MOVE = re.compile(r"([+-]?[0-9]{1,15})@([0-9]{1,9})")


def parse_moves(text: str) -> list[Placement]:
    """Read moves in the order of play.

    >>> parse_moves("8@5 4@1")
    [Placement(roll=8, slot=5), Placement(roll=4, slot=1)]
    """
    moves = []
    for part in text.replace(",", " ").split():
        match = _MOVE.fullmatch(part)
        if match is None:
            raise InvalidGame(f"moves: cannot read {part[:60]!r}; accepted: rolls and slots like 8@5 4@1 12@7")
        moves.append(Placement(int(match[1]), int(match[2])))
    return moves


def format_moves(moves: Iterable[Placement]) -> str:
    """Write moves so that ``parse_moves`` reads them.

    >>> format_moves([Placement(8, 5), Placement(4, 1)])
    '8@5 4@1'
    """
    return " ".join(f"{move.roll}@{move.slot}" for move in moves)
