"""What is public of a game that was played with commitments, read from JSON that anybody may have written.

It comes in two forms: the object that the service gives of a game, and a record (docs/notation.md) with the tags
`commitments` and `nonces`. Read is only what is said; whether it is true is a matter of `play.verification`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any, Final, NamedTuple

from tentimes18.errors import InvalidGame, quoted
from tentimes18.game import Game, Placement
from tentimes18.play.fairness import OpenedRound
from tentimes18.records.notation import VERSION, parse_moves

__all__ = ["PublicBoard", "PublicGame", "read_public_game", "read_texts"]

LONGEST_NAME: Final = 200
SIMPLE: Final = 10**6  # denominators
GIVEN_UP: Final = ("time", "leave")  # how a duel may have ended before its last move
MISSING: Final = "missing; a game that can be checked has it"

_SLOT = re.compile(r"[1-9][0-9]{0,8}")
_FRACTION = re.compile(r"[+-]?[0-9]{1,400}(?:/0{0,10}[1-9][0-9]{0,400})?")


class PublicBoard(NamedTuple):
    """What is said to stand on a board, and the score it is said to make; a record has none for the opponent."""

    placements: tuple[Placement, ...]
    score: int | float | Fraction | None

    @property
    def rolls(self) -> list[int]:
        """Those that stand on it."""
        return [placement.roll for placement in self.placements]


@dataclass(frozen=True, slots=True)
class PublicGame:
    """What a game says of itself.

    ``is_given_up``: a duel that ended before its last move; ``has_order``: the placements stand in the order of play;
    ``is_rounded``: some multipliers were given as floats, and a fraction such as 1/3 is none.
    """

    id: str | None
    day: str | None
    game: Game
    finished: bool
    is_given_up: bool
    commitments: tuple[str, ...]
    opened: tuple[OpenedRound, ...]
    board: PublicBoard
    opponent: PublicBoard | None
    has_order: bool
    is_rounded: bool


def read_public_game(source: object) -> PublicGame:
    """A game from its JSON; raises ``InvalidGame`` with the field that is no part of one.

    >>> read_public_game({"dice": "1d6", "slots": "1-2", "moves": "5@2 3@1", "score": 13}).board.rolls
    [5, 3]
    >>> read_public_game({"moves": 7})
    Traceback (most recent call last):
    tentimes18.errors.InvalidGame: moves: 7 is not text; accepted: rolls and slots like '8@5 4@1'
    """
    if not isinstance(source, Mapping):
        raise InvalidGame(f"{quoted(source)} is not a game; accepted: an object as the service gives it", field="JSON")
    if "opened" in source:
        return _read_game(source)
    if "moves" in source:
        return _read_record(source)
    raise InvalidGame(
        "missing; a game that can be checked has opened rounds, or is a record with moves", field="opened"
    )


def _read_game(source: Mapping[str, Any]) -> PublicGame:
    game, is_rounded = _game(source)
    finished = source.get("finished")
    if type(finished) is not bool:
        raise InvalidGame(_not(source, "finished", "true or false"), field="finished")
    opponent = source.get("opponent")
    if opponent is not None and not isinstance(opponent, Mapping):
        raise InvalidGame(_not(source, "opponent", "null, or an object with board and score"), field="opponent")
    return PublicGame(
        id=_name(source, "id"),
        day=_name(source, "day"),
        game=game,
        finished=finished,
        is_given_up=source.get("ended_by") in GIVEN_UP,
        commitments=read_texts(source, "commitments"),
        opened=_opened(source["opened"]),
        board=PublicBoard(_placements(game, source, "board"), _score(source, "score")),
        opponent=None
        if opponent is None
        else PublicBoard(_placements(game, opponent, "opponent"), _score(opponent, "opponent")),
        has_order=False,
        is_rounded=is_rounded,
    )


def _read_record(source: Mapping[str, Any]) -> PublicGame:
    if type(version := source.get("version", VERSION)) is not int or version != VERSION:
        raise InvalidGame(_not(source, "version", str(VERSION)), field="version")
    game, is_rounded = _game({"dice": "3d6", "slots": "1-10"} | dict(source))
    board = PublicBoard(_moves(game, source, "moves"), _score(source, "score") if "score" in source else None)
    opponent = source.get("opponent")
    rolls = board.rolls
    if (waiting := source.get("roll")) is not None:
        rolls.append(_whole(waiting, "roll"))
    nonces = read_texts(source, "nonces") if "nonces" in source else ()
    if len(nonces) > len(rolls):
        raise InvalidGame(f"{len(nonces)} are given for {len(rolls)} rolls; accepted: one a roll", field="nonces")
    return PublicGame(
        id=_name(source, "id"),
        day=_name(source, "day"),
        game=game,
        finished=len(board.placements) == game.size,
        is_given_up=False,
        commitments=read_texts(source, "commitments") if "commitments" in source else (),
        opened=tuple(
            OpenedRound(round=number, roll=roll, nonce=nonce)
            for number, (roll, nonce) in enumerate(zip(rolls, nonces, strict=False), start=1)
        ),
        board=board,
        opponent=None if opponent is None else PublicBoard(_moves(game, source, "opponent"), None),
        has_order=True,
        is_rounded=is_rounded,
    )


def _not(source: Mapping[str, Any], field: str, accepted: str) -> str:
    return f"{quoted(source[field])} is not accepted; accepted: {accepted}" if field in source else MISSING


def _name(source: Mapping[str, Any], field: str) -> str | None:
    """What the game is called by, without what no encoding has a letter for."""
    found = source.get(field)
    if found is None:
        return None
    if not isinstance(found, str) or len(found) > LONGEST_NAME:
        raise InvalidGame(_not(source, field, f"text of at most {LONGEST_NAME} letters"), field=field)
    return found.encode(errors="replace").decode()


def _game(source: Mapping[str, Any]) -> tuple[Game, bool]:
    """Dice and multipliers, and whether some of these are floats."""
    dice, slots = source.get("dice"), source.get("slots")
    if not isinstance(dice, str):
        raise InvalidGame(_not(source, "dice", "text like '3d6'"), field="dice")
    if isinstance(slots, str):
        return _parsed(dice, slots), False
    if not isinstance(slots, list) or not slots or not all(map(_is_multiplier, slots)):
        raise InvalidGame(_not(source, "slots", "a list of multipliers like [1, 2, 3], or text like '1-10'"), "slots")
    is_rounded = any(isinstance(part, float) for part in slots)
    return _parsed(dice, ",".join(str(_multiplier(part)) for part in slots)), is_rounded


def _is_multiplier(value: object) -> bool:
    if isinstance(value, str):
        return _FRACTION.fullmatch(value) is not None
    return (type(value) is int and abs(value) < 10**400) or (isinstance(value, float) and isfinite(value))


def _multiplier(value: int | float | str) -> Fraction:
    """The number that was meant: where a float is the nearest one to a fraction of few digits, that fraction."""
    simple = (exact := Fraction(value)).limit_denominator(SIMPLE)
    return simple if isinstance(value, float) and float(simple) == value else exact


@lru_cache(maxsize=2)  # few: a game of a million slots takes 40 MB
def _parsed(dice: str, slots: str) -> Game:
    return Game.parse(dice, slots)


def read_texts(source: Mapping[str, Any], field: str) -> tuple[str, ...]:
    """A field that holds a list of texts; raises ``InvalidGame`` where it does not.

    >>> read_texts({"commitments": ["00", "ff"]}, "commitments")
    ('00', 'ff')
    """
    found = source.get(field)
    if not isinstance(found, list) or not all(isinstance(part, str) for part in found):
        raise InvalidGame(_not(source, field, "a list of texts, one a round"), field=field)
    return tuple(found)


def _opened(found: object) -> tuple[OpenedRound, ...]:
    if not isinstance(found, list):
        raise InvalidGame(f"{quoted(found)} is not a list; accepted: one object a round", field="opened")
    return tuple(_opened_round(part) for part in found)


def _opened_round(part: object) -> OpenedRound:
    if not isinstance(part, Mapping) or not {"round", "roll", "nonce"} <= part.keys():
        raise InvalidGame(f"{quoted(part)} is no round; accepted: objects with round, roll and nonce", field="opened")
    if not isinstance(nonce := part["nonce"], str):
        raise InvalidGame(f"the nonce {quoted(nonce)} is not text", field="opened")
    return OpenedRound(round=_whole(part["round"], "opened"), roll=_whole(part["roll"], "opened"), nonce=nonce)


def _whole(value: object, field: str) -> int:
    if type(value) is not int:
        raise InvalidGame(f"{quoted(value)} is not a whole number", field=field)
    return value


def _placements(game: Game, source: Mapping[str, Any], field: str) -> tuple[Placement, ...]:
    """Of a board: slots by number, and what stands in them."""
    found = source.get("board")
    if not isinstance(found, Mapping) or not all(
        isinstance(slot, str) and _SLOT.fullmatch(slot) and int(slot) <= game.size for slot in found
    ):
        raise InvalidGame(
            _not(source, "board", f'slots 1 to {game.size} and their rolls, like {{"5": 8}}'), field=field
        )
    return tuple(Placement(_whole(roll, field), int(slot)) for slot, roll in found.items())


def _moves(game: Game, source: Mapping[str, Any], field: str) -> tuple[Placement, ...]:
    """Of a record: rolls and slots in the order of play."""
    text = source[field]
    if not isinstance(text, str):
        raise InvalidGame(f"{quoted(text)} is not text; accepted: rolls and slots like '8@5 4@1'", field=field)
    try:
        placements = parse_moves(text)
    except InvalidGame as error:
        raise error.about(field) from None
    if placements:
        game.verify_free([placement.slot for placement in placements], field)
    return tuple(placements)


def _score(source: Mapping[str, Any], field: str) -> int | float | Fraction:
    found = source.get("score")
    if isinstance(found, str) and _FRACTION.fullmatch(found):
        return Fraction(found)
    if type(found) is int or (isinstance(found, float) and isfinite(found)):
        return found
    raise InvalidGame(_not(source, "score", "a number, or a fraction like '7/2'"), field=field)
