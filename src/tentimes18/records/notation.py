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
from typing import Any, NamedTuple

from tentimes18.dice import MAX_ROLL
from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.game import Board, Game, Number, Placement
from tentimes18.records.tags import format_tags, parse_tags, read_json, shown, verify_tags

VERSION = 1
OWN_FIELDS = ("version", "dice", "slots", "moves", "roll", "score", "opponent")
_OWN = frozenset(OWN_FIELDS)

_MOVE = re.compile(r"([+-]?[0-9]{1,15})@([0-9]{1,9})")
_WAITING = re.compile(r"([+-]?[0-9]{1,15})@\?")
_LINE = re.compile(r"(?:(?P<dice>[^\s;#]+)\s+(?P<slots>[^\s;#:]+):)?(?P<moves>[^;#]*)")
_SCORE = re.compile(r"[+-]?[0-9]{1,4000}(\.[0-9]{0,4000}|/0{0,200}[1-9][0-9]{0,4000})?")


@dataclass(frozen=True)
class Record:
    """A game as it was played, finished or not: the board, a roll that waits to be placed, and whatever else is known.

    In a duel ``opponent`` is the other board, with the same rolls. Tags hold whatever JSON can, and are kept as they
    are; `name`, `date` and `comment` are the usual ones.

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
        if not _OWN.isdisjoint(self.tags):
            raise InvalidGame(f"{', '.join(OWN_FIELDS)} are not tags, they say what was played", field="tags")
        verify_tags(self.tags)
        if self.roll is not None:
            if not board.free:
                raise InvalidGame(f"the board is full, the roll {self.roll} has no slot", field="moves")
            board.game.verify_roll(self.roll)
        if opponent is not None and (opponent.game, _rolls(opponent)) != (board.game, _rolls(board)):
            raise InvalidGame(
                "in a duel both play the same game with the same rolls in the same order", field="opponent"
            )

    @property
    def finished(self) -> bool:
        """Whether the board is full."""
        return not self.board.free


def _rolls(board: Board) -> list[int]:
    return [placement.roll for placement in board.placements]


def parse_moves(text: str) -> list[Placement]:
    """Read moves in the order of play."""
    return [_placement(part) for part in _parts(text)]


def _parts(text: str) -> list[str]:
    return text.replace(",", " ").split()


@lru_cache(maxsize=4096)  # the same few moves again and again, in files of many games
def _placement(part: str) -> Placement:
    match = _MOVE.fullmatch(part)
    if match is None:
        raise InvalidGame(f"cannot read {part[:60]!r}; accepted: rolls and slots like 8@5 4@1 12@7", field="moves")
    return Placement(int(match[1]), int(match[2]))


def format_moves(moves: Iterable[Placement]) -> str:
    """Write moves so that ``parse_moves`` reads them."""
    return " ".join([f"{roll}@{slot}" for roll, slot in moves])


def parse_record(line: str) -> Record:
    """Read a game from one line of text.

    >>> parse_record("8@5 4@1").board.game == Game.classic()
    True
    >>> parse_record("3d6 1-10: 8@5 4@5")
    Traceback (most recent call last):
    tentimes18.errors.InvalidGame: moves: slot 5 already holds 8; free: 1,2,3,4,6,7,8,9,10
    """
    return record_from_json(parse_line(line))


def parse_line(line: str) -> dict[str, Any]:
    """What a line of text says, as an object for ``record_from_json``: no game is read yet, and no move."""
    match = _LINE.match(line.strip())
    assert match is not None  # every part of it may be empty
    tags = parse_tags(match.string, match.end())
    named = [name for name in ("version", "dice", "slots", "moves", "roll") if name in tags]
    if named:
        raise InvalidGame("not a tag; a line is written like 3d6 1-10: 8@5 4@1; name=Ada # a comment", field=named[0])
    if match["dice"]:
        tags |= {"dice": match["dice"], "slots": match["slots"]}
    return tags | {"moves": match["moves"]}


def format_record(record: Record) -> str:
    """Write a game as one line of text that ``parse_record`` reads."""
    moves = [format_moves(record.board.placements)] if record.board.placements else []
    if record.roll is not None:
        moves.append(f"{record.roll}@?")
    line = " ".join([f"{record.board.game}:", *moves])
    opponent = {} if record.opponent is None else {"opponent": format_moves(record.opponent.placements)}
    return line + format_tags(opponent | dict(record.tags))


def parse_json(text: str) -> Record:
    """Read a game from a JSON object."""
    return record_from_json(read_json(text))


def format_json(record: Record) -> str:
    """Write a game as one line of JSON."""
    return json.dumps(record_to_json(record), ensure_ascii=False)


def record_to_json(record: Record) -> dict[str, Any]:
    """The game as an object for JSON."""
    game, score = record.board.game, record.board.score
    result: dict[str, Any] = {
        "version": VERSION,
        "dice": str(game.dice),
        "slots": game.slots,
        "moves": format_moves(record.board.placements),
        "score": score if isinstance(score, int) else float(score) if float(score) == score else str(score),
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
    if not isinstance(source, Mapping):
        raise InvalidGame(f"{shown(source)} is not a game; accepted: an object with moves", field="JSON")
    if "moves" not in source:
        raise InvalidGame(
            'missing; a game has them, as in {"moves": "8@5 4@1"}, even if there are none yet', field="moves"
        )
    version = source.get("version", VERSION)
    if type(version) is not int or not 1 <= version <= VERSION:
        raise InvalidGame(f"{shown(version)} is not one that can be read; accepted: {VERSION}", field="version")
    try:
        kind = _kind(_text(source, "dice", "3d6"), _text(source, "slots", "1-10"))
        board, roll = _moves(kind, source["moves"], source.get("roll"))
        opponent = _opponent(kind, source["opponent"], roll) if source.get("opponent") is not None else None
        record = Record(board, roll, opponent, {key: source[key] for key in source if key not in _OWN})
    except IllegalMove as error:
        raise InvalidGame(f"{error}", field="moves") from None
    if "score" in source and not _is_score(source["score"], board.score):
        raise InvalidGame(f"{shown(source['score'])} is given, and the moves make {board.score}", field="score")
    return record


def _text(source: Mapping[str, Any], name: str, default: str) -> str:
    value = source.get(name, default)
    if name == "slots" and isinstance(value, list) and value and all(type(part) in (int, float, str) for part in value):
        return ",".join(map(str, value))
    if not isinstance(value, str):
        raise InvalidGame(f"{shown(value)} is not text; accepted: text like {default!r}", field=name)
    return value


class _Kind(NamedTuple):
    """A game, and the rolls that may stand in a move of it."""

    game: Game
    rolls: frozenset[int]


@lru_cache(maxsize=8)  # few: a game of a million slots takes 40 MB
def _kind(dice: str, slots: str) -> _Kind:
    game = Game.parse(dice, slots)
    return _Kind(game, frozenset(game.dice.support))


def _moves(kind: _Kind, moves: Any, roll: Any) -> tuple[Board, int | None]:
    """The board after the moves, and the roll that waits."""
    if isinstance(moves, str):
        parts = _parts(moves)
        if parts and (waiting := _WAITING.fullmatch(parts[-1])):
            if roll is not None:
                raise InvalidGame("given twice, after the moves and by itself", field="roll")
            roll = int(waiting[1])
            parts.pop()
        placements = tuple(map(_placement, parts))
    else:
        placements = tuple(_pairs(moves))
    if roll is not None and not _is_small(roll):
        raise InvalidGame(f"{shown(roll)} is not a roll; accepted: a whole number", field="roll")
    rolls, slots = zip(*placements, strict=True) if placements else ((), ())
    # What is legal is seen at once for a whole board; what is not, move by move, for the reason.
    is_legal = (
        len(set(slots)) == len(slots)
        and min(slots, default=1) >= 1
        and max(slots, default=1) <= kind.game.size
        and kind.rolls.issuperset(rolls)
    )
    return (Board(kind.game, placements) if is_legal else Board.replay(kind.game, placements)), roll


def _opponent(kind: _Kind, moves: Any, roll: int | None) -> Board:
    """The other board; where its last roll waits as well, it is the same."""
    board, waiting = _moves(kind, moves, None)
    if waiting not in (None, roll):
        raise InvalidGame(f"the roll {waiting} waits there, and not on the first board", field="opponent")
    return board


def _pairs(moves: Any) -> list[Placement]:
    if not isinstance(moves, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(_is_small(part) for part in pair) for pair in moves
    ):
        raise InvalidGame(
            f"cannot read {shown(moves)}; accepted: text like '8@5 4@1', or pairs [[8, 5]]", field="moves"
        )
    return [Placement(*pair) for pair in moves]


def _is_small(number: Any) -> bool:
    return type(number) is int and abs(number) < MAX_ROLL


def _is_score(value: Any, score: Number) -> bool:
    """Whether this is the score, however it is written."""
    if isinstance(value, str) and _SCORE.fullmatch(value):
        return Fraction(value) == score
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidGame(f"{shown(value)} is not a number", field="score")
    return value == score or (isinstance(value, float) and value == float(score))
