"""What is public of a game that was played with commitments, read from JSON that anybody may have written.

It comes in two forms: the object that the service gives of a game, and a record (docs/notation.md) with the tags
`commitments` and `nonces`. Whether it is true is a matter of `play.verification`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any, NamedTuple

from tentimes18.errors import InvalidGame, quoted
from tentimes18.game import Game, Placement
from tentimes18.play.fairness import OpenedRound
from tentimes18.records.notation import VERSION, parse_moves

MAX_NAME = 200  # letters
SIMPLE = 10**6  # denominators
GIVEN_UP = ("time", "leave")  # how a duel may have ended before its last move
A_NUMBER = "a number, or a fraction like '7/2'"
MOVES = "rolls and slots like '8@5 4@1'"

_SLOT = re.compile(r"[1-9][0-9]{0,8}")
_FRACTION = re.compile(r"[+-]?[0-9]{1,400}(?:/0{0,10}[1-9][0-9]{0,400})?")

Source = Mapping[str, Any]


class PublicBoard(NamedTuple):
    """What is said to be on a board, and the score it is said to make; a record has none for the opponent."""

    placements: tuple[Placement, ...]
    score: int | float | Fraction | None

    @property
    def rolls(self) -> list[int]:
        """The rolls on it."""
        return [placement.roll for placement in self.placements]


@dataclass(frozen=True, slots=True)
class PublicGame:
    """What a game says of itself.

    ``is_given_up``: a duel that ended before its last move; ``has_order``: the placements are in the order of play;
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


class Starts(NamedTuple):
    """What was published before games began: starts of games by their ids, and commitments of daily games by day."""

    games: Mapping[str | None, PublicGame]
    days: Mapping[str, tuple[str, ...]]

    def game(self, public: PublicGame) -> PublicGame | None:
        """The start of a game; where there is only one start, no id is needed to find it."""
        if len(self.games) == 1 and None in (public.id, *self.games):
            return next(iter(self.games.values()))
        return self.games.get(public.id)


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


def read_starts(sources: Iterable[object]) -> Starts:
    """Starts from their JSON: games, or the public list of days; raises ``InvalidGame`` for anything else."""
    games: dict[str | None, PublicGame] = {}
    days: dict[str, tuple[str, ...]] = {}
    for source in sources:
        if not isinstance(source, Mapping) or "days" not in source:
            start = read_public_game(source)
            if start.id in games:
                raise InvalidGame("two games have the same", field="id")
            games[start.id] = start
            continue
        if not isinstance(source["days"], list):
            raise InvalidGame(f"{quoted(source['days'])} is not a list; accepted: one object a day", field="days")
        for part in source["days"]:
            if not isinstance(part, Mapping) or not isinstance(part.get("day"), str):
                raise InvalidGame(f"{quoted(part)} is no day; accepted: objects with day and commitments", field="days")
            days[part["day"]] = _texts(part, "commitments")
    return Starts(games, days)


def _read_game(source: Source) -> PublicGame:
    game, is_rounded = _game(source)
    finished = _get(source, "finished", lambda value: type(value) is bool, "true or false")
    opponent = source.get("opponent")
    if opponent is not None:
        accepted = "null, or an object with board and score"
        opponent = _get(source, "opponent", lambda value: isinstance(value, Mapping), accepted)
        opponent = PublicBoard(_placements(game, opponent, "opponent"), _score(opponent, "opponent"))
    return PublicGame(
        id=_name(source, "id"),
        day=_name(source, "day"),
        game=game,
        finished=finished,
        is_given_up=source.get("ended_by") in GIVEN_UP,
        commitments=_texts(source, "commitments"),
        opened=_opened(source["opened"]),
        board=PublicBoard(_placements(game, source, "board"), _score(source, "score")),
        opponent=opponent,
        has_order=False,
        is_rounded=is_rounded,
    )


def _read_record(source: Source) -> PublicGame:
    if "version" in source:
        _get(source, "version", lambda value: type(value) is int and value == VERSION, str(VERSION))
    game, is_rounded = _game({"dice": "3d6", "slots": "1-10"} | dict(source))
    board = PublicBoard(_moves(game, source, "moves"), _score(source, "score") if "score" in source else None)
    rolls = board.rolls
    if (waiting := source.get("roll")) is not None:
        rolls.append(_whole(waiting, "roll"))
    nonces = _texts(source, "nonces") if "nonces" in source else ()
    if len(nonces) > len(rolls):
        raise InvalidGame(f"{len(nonces)} are given for {len(rolls)} rolls; accepted: one a roll", field="nonces")
    has_opponent = source.get("opponent") is not None
    return PublicGame(
        id=_name(source, "id"),
        day=_name(source, "day"),
        game=game,
        finished=len(board.placements) == game.size,
        is_given_up=False,
        commitments=_texts(source, "commitments") if "commitments" in source else (),
        opened=tuple(
            OpenedRound(round=number, roll=roll, nonce=nonce)
            for number, (roll, nonce) in enumerate(zip(rolls, nonces, strict=False), start=1)
        ),
        board=board,
        opponent=PublicBoard(_moves(game, source, "opponent"), None) if has_opponent else None,
        has_order=True,
        is_rounded=is_rounded,
    )


def _get(source: Source, name: str, is_right: Callable[[Any], bool], accepted: str, field: str = "") -> Any:
    """The value of this name; ``field`` is what it belongs to."""
    value = source.get(name)
    if is_right(value):
        return value
    told = "missing; a game that can be checked has it"
    if name in source:
        told = f"{quoted(value)} is not accepted; accepted: {accepted}"
    raise InvalidGame(told, field=field or name)


def _name(source: Source, field: str) -> str | None:
    """What the game is called by; what no encoding has a letter for is replaced."""
    if source.get(field) is None:
        return None
    accepted = f"text of at most {MAX_NAME} letters"
    name: str = _get(source, field, lambda value: isinstance(value, str) and len(value) <= MAX_NAME, accepted)
    return name.encode(errors="replace").decode()


def _game(source: Source) -> tuple[Game, bool]:
    """Dice and multipliers, and whether some of these are floats."""
    dice = _get(source, "dice", lambda value: isinstance(value, str), "text like '3d6'")
    accepted = "a list of multipliers like [1, 2, 3], or text like '1-10'"
    slots = _get(source, "slots", lambda value: isinstance(value, str) or _are_multipliers(value), accepted)
    if isinstance(slots, str):
        return _parsed(dice, slots), False
    is_rounded = any(isinstance(part, float) for part in slots)
    return _parsed(dice, ",".join(str(_multiplier(part)) for part in slots)), is_rounded


def _are_multipliers(values: object) -> bool:
    return isinstance(values, list) and bool(values) and all(map(_is_number, values))


def _is_number(value: object) -> bool:
    if isinstance(value, str):
        return _FRACTION.fullmatch(value) is not None
    return type(value) is int or (isinstance(value, float) and isfinite(value))


def _multiplier(value: int | float | str) -> Fraction:
    """The number that was meant: where a float is the nearest one to a fraction of few digits, that fraction."""
    exact = Fraction(value)
    if not isinstance(value, float):
        return exact
    simple = exact.limit_denominator(SIMPLE)
    return simple if float(simple) == value else exact


@lru_cache(maxsize=2)  # few: a game of a million slots takes 40 MB
def _parsed(dice: str, slots: str) -> Game:
    return Game.parse(dice, slots)


def _texts(source: Source, field: str) -> tuple[str, ...]:
    def are_texts(value: object) -> bool:
        return isinstance(value, list) and all(isinstance(part, str) for part in value)

    return tuple(_get(source, field, are_texts, "a list of texts, one a round"))


def _opened(rounds: object) -> tuple[OpenedRound, ...]:
    if not isinstance(rounds, list):
        raise InvalidGame(f"{quoted(rounds)} is not a list; accepted: one object a round", field="opened")
    return tuple(map(_opened_round, rounds))


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


def _placements(game: Game, source: Source, field: str) -> tuple[Placement, ...]:
    """Of a board: slots by number, and the roll in each."""

    def is_board(value: object) -> bool:
        return isinstance(value, Mapping) and all(
            isinstance(slot, str) and _SLOT.fullmatch(slot) and int(slot) <= game.size for slot in value
        )

    board = _get(source, "board", is_board, f'slots 1 to {game.size} and their rolls, like {{"5": 8}}', field)
    return tuple(Placement(_whole(roll, field), int(slot)) for slot, roll in board.items())


def _moves(game: Game, source: Source, field: str) -> tuple[Placement, ...]:
    """Of a record: rolls and slots in the order of play."""
    text = source[field]
    if not isinstance(text, str):
        raise InvalidGame(f"{quoted(text)} is not text; accepted: {MOVES}", field=field)
    try:
        placements = parse_moves(text)
    except InvalidGame as error:
        raise error.about(field) from None
    if placements:
        game.verify_free([placement.slot for placement in placements], field)
    return tuple(placements)


def _score(source: Source, field: str) -> int | float | Fraction:
    score: int | float | str = _get(source, "score", _is_number, A_NUMBER, field)
    return Fraction(score) if isinstance(score, str) else score
