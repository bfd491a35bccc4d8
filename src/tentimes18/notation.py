"""A played game as one line of text, and as one JSON object (docs/notation.md, version 1).

    3d6 1-10: 8@5 4@1 12@7; name=Ada; date=2026-11-15 # on the train

First the game, then the moves in the order of play: a roll, ``@``, and the slot it was placed in. ``9@?`` at the end is
a roll that is not placed yet. What follows are tags, each after a semicolon, and a comment after ``#``. Without a game
the moves are those of the classic one.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.game import Board, Game, Placement

__all__ = [
    "VERSION",
    "Record",
    "format_moves",
    "format_record",
    "format_value",
    "parse_moves",
    "parse_record",
    "parse_value",
    "record_from_json",
    "record_to_json",
]

VERSION: Final = 1
OWN_FIELDS: Final = ("version", "dice", "slots", "moves", "roll", "score", "opponent")

_MOVE = re.compile(r"([+-]?[0-9]{1,15})@([0-9]{1,9})")
_WAITING = re.compile(r"([+-]?[0-9]{1,15})@\?")
_LINE = re.compile(r"(?:(?P<dice>[^\s;#]+)\s+(?P<slots>[^\s;#]+):(?:\s+|(?=[;#])|$))?(?P<moves>[^;#]*)")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_JSON_STARTS: Final = ("", '"', "[", "{")
_BLANK = re.compile(r"\s*")


@dataclass(frozen=True)
class Record:
    """A game as it was played, finished or not: the board, a roll that waits to be placed, and whatever else is known.

    In a duel ``opponent`` is the other board, with the same rolls. Tags are kept as they are; `name`, `date` and
    `comment` are the usual ones.

    >>> record = parse_record("3d6 1-10: 8@5 4@1 9@?; name=Ada # a slow start")
    >>> record.board.score, record.roll, record.tags
    (44, 9, {'name': 'Ada', 'comment': 'a slow start'})
    """

    board: Board
    roll: int | None = None
    opponent: Board | None = None
    tags: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        board, opponent = self.board, self.opponent
        if not self.tags.keys().isdisjoint(OWN_FIELDS):
            raise InvalidGame(f"tags: {', '.join(OWN_FIELDS)} are not tags, they say what was played")
        if self.roll is not None:
            if not board.free:
                raise InvalidGame(f"moves: the board is full, the roll {self.roll} has no slot")
            board.game.verify_roll(self.roll)
        if opponent is not None and _rolls(opponent) != _rolls(board):
            raise InvalidGame("opponent: in a duel both boards hold the same rolls in the same order")

    @property
    def finished(self) -> bool:
        """Whether the board is full."""
        return not self.board.free


def _rolls(board: Board) -> list[int]:
    return [placement.roll for placement in board.placements]


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
    return " ".join([f"{roll}@{slot}" for roll, slot in moves])


def parse_record(line: str) -> Record:
    """Read a game from one line of text.

    >>> parse_record("8@5 4@1").board.game == Game.classic()
    True
    >>> parse_record("3d6 1-10: 8@5 4@5")
    Traceback (most recent call last):
    tentimes18.errors.InvalidGame: moves: slot 5 already holds 8; free: 1,2,3,4,6,7,8,9,10
    """
    match = _LINE.match(line.strip())
    assert match is not None  # every part of it may be empty
    tags = _parse_tags(match.string, match.end())
    named = [name for name in ("version", "dice", "slots", "moves", "roll") if name in tags]
    if named:
        raise InvalidGame(f"{named[0]}: not a tag; a line is written like 3d6 1-10: 8@5 4@1; name=Ada # a comment")
    if match["dice"]:
        tags |= {"dice": match["dice"], "slots": match["slots"]}
    return record_from_json(tags | {"moves": match["moves"]})


def format_record(record: Record) -> str:
    """Write a game as one line of text that ``parse_record`` reads.

    >>> format_record(Record(Board(Game.classic()).place(8, 5), roll=4, tags={"name": "Ada", "comment": "slow"}))
    '3d6 1-10: 8@5 4@?; name=Ada # slow'
    """
    moves = [format_moves(record.board.placements)] if record.board.placements else []
    if record.roll is not None:
        moves.append(f"{record.roll}@?")
    line = " ".join([f"{record.board.game}:", *moves])
    tags = dict(record.tags)
    comment = tags.pop("comment", None)
    if record.opponent is not None:
        tags = {"opponent": format_moves(record.opponent.placements)} | tags
    for key, value in tags.items():
        line += f"; {key if _KEY.fullmatch(key) else json.dumps(key)}={format_value(value)}"
    if comment is not None:
        plain = isinstance(comment, str) and comment.isprintable() and comment.strip() == comment
        line += " # " + (comment if plain and comment[:1] not in _JSON_STARTS else json.dumps(comment))
    return line


def record_to_json(record: Record) -> dict[str, Any]:
    """The game as an object for JSON.

    >>> record_to_json(parse_record("8@5 4@1; name=Ada"))
    {'version': 1, 'dice': '3d6', 'slots': '1-10', 'moves': '8@5 4@1', 'score': 44, 'name': 'Ada'}
    """
    game, score = record.board.game, record.board.score
    result: dict[str, Any] = {
        "version": VERSION,
        "dice": str(game.dice),
        "slots": game.slots,
        "moves": format_moves(record.board.placements),
        "score": score if isinstance(score, int) else str(score),
    }
    if record.roll is not None:
        result["roll"] = record.roll
    if record.opponent is not None:
        result["opponent"] = format_moves(record.opponent.placements)
    return result | dict(record.tags)


def record_from_json(source: Mapping[str, Any]) -> Record:
    """Read a game from an object as ``record_to_json`` makes it; what it does not know it keeps as a tag.

    The moves may also be pairs of roll and slot, the slots a list of multipliers.

    >>> record_from_json({"moves": [[8, 5], [4, 1]], "score": 44}).board.score
    44
    """
    version = source.get("version", VERSION)
    if type(version) is not int or not 1 <= version <= VERSION:
        raise InvalidGame(f"version: {str(version)[:20]!r} is not one that can be read; accepted: {VERSION}")
    try:
        game = _game(_text(source, "dice", "3d6"), _text(source, "slots", "1-10"))
        board, roll = _moves(game, source.get("moves", ""), source.get("roll"))
        opponent = _moves(game, source["opponent"], None)[0] if "opponent" in source else None
        record = Record(board, roll, opponent, {key: source[key] for key in source if key not in OWN_FIELDS})
    except IllegalMove as error:
        raise InvalidGame(f"moves: {error}") from None
    if "score" in source and _score(source["score"]) != board.score:
        raise InvalidGame(f"score: {str(source['score'])[:40]} is given, and the moves make {board.score}")
    return record


def format_value(value: Any) -> str:
    """A tag's value as text: as it stands where that is clear, else as JSON.

    >>> format_value("Ada Lovelace"), format_value("7"), format_value(7)
    ('Ada Lovelace', '"7"', '7')
    """
    if isinstance(value, str) and value.isprintable() and value.strip() == value and not set(value) & set(';#"'):
        return value if parse_value(value) == value and value else json.dumps(value)
    return json.dumps(value)


def parse_value(text: str) -> Any:
    """The value of a tag from its text.

    >>> parse_value("Ada Lovelace"), parse_value('"7"'), parse_value("7")
    ('Ada Lovelace', '7', 7)
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text


def _refuse(constant: str) -> None:
    raise ValueError(constant)  # NaN and Infinity are not JSON


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _parse_tags(line: str, start: int) -> dict[str, Any]:
    """The tags of a line from here on, and its comment."""
    tags: dict[str, Any] = {}
    while start < len(line):
        if line[start] == "#":
            tags["comment"] = comment = line[start + 1 :].strip()
            if comment[:1] in _JSON_STARTS:
                tags["comment"] = parse_value(comment)
            break
        start = _skip(line, start + 1)
        if start == len(line) or line[start] in ";#":
            continue
        key, start = _token(line, start, "=;#")
        if start == len(line) or line[start] != "=" or not isinstance(key, str) or not key:
            raise InvalidGame(f"tags: cannot read {str(key)[:40]!r}; accepted: name=Ada, each after a semicolon")
        if key in tags:
            raise InvalidGame(f"tags: {key[:40]!r} is given twice")
        tags[key], start = _token(line, _skip(line, start + 1), ";#")
    return tags


def _token(line: str, start: int, ends: str) -> tuple[Any, int]:
    """A JSON value, or plain text, up to one of these characters."""
    try:
        value, end = _DECODER.raw_decode(line, start)
        end = _skip(line, end)
        if end == len(line) or line[end] in ends:
            return value, end
    except (ValueError, RecursionError):
        pass
    end = min((place for mark in ends if (place := line.find(mark, start)) >= 0), default=len(line))
    return line[start:end].strip(), end


def _skip(line: str, start: int) -> int:
    blank = _BLANK.match(line, start)
    assert blank is not None
    return blank.end()


def _text(source: Mapping[str, Any], name: str, default: str) -> str:
    value = source.get(name, default)
    if name == "slots" and isinstance(value, list) and value and all(type(part) in (int, float, str) for part in value):
        return ",".join(map(str, value))
    if not isinstance(value, str):
        raise InvalidGame(f"{name}: {str(value)[:40]!r} is not text; accepted: text like {default!r}")
    return value


@lru_cache(maxsize=64)
def _game(dice: str, slots: str) -> Game:
    return Game.parse(dice, slots)


def _moves(game: Game, moves: Any, roll: Any) -> tuple[Board, int | None]:
    """The board after the moves, and the roll that waits."""
    if isinstance(moves, str):
        first, _, last = moves.rstrip().rpartition(" ")
        if waiting := _WAITING.fullmatch(last):
            if roll is not None:
                raise InvalidGame("roll: given twice, after the moves and by itself")
            moves, roll = first, int(waiting[1])
        placements = parse_moves(moves)
    else:
        placements = _pairs(moves)
    if roll is not None and type(roll) is not int:
        raise InvalidGame(f"roll: {str(roll)[:40]!r} is not a whole number")
    slots = {slot for _, slot in placements}
    rolls = {roll for roll, _ in placements}
    is_legal = len(slots) == len(placements) and slots <= _slots(game) and rolls <= _support(game)
    return (Board(game, tuple(placements)) if is_legal else Board.replay(game, placements)), roll


def _pairs(moves: Any) -> list[Placement]:
    is_list = isinstance(moves, list)
    if not is_list or not all(
        isinstance(pair, list) and len(pair) == 2 and all(type(part) is int for part in pair) for pair in moves
    ):
        raise InvalidGame(f"moves: cannot read {str(moves)[:60]!r}; accepted: text like '8@5 4@1', or pairs [[8, 5]]")
    return [Placement(*pair) for pair in moves]


@lru_cache(maxsize=64)
def _slots(game: Game) -> frozenset[int]:
    return frozenset(range(1, game.size + 1))


@lru_cache(maxsize=64)
def _support(game: Game) -> frozenset[int]:
    return frozenset(game.dice.support)


def _score(value: Any) -> Fraction:
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        return Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise InvalidGame(f"score: {str(value)[:40]!r} is not a number") from None
