"""A played game as one line of text, and as one JSON object (docs/reference/notation.md, version 1).

    3d6 1-10: 8@5 4@1 12@7; name=Ada; date=2026-11-15 # on the train

First the game, then the moves in the order of play: a roll, ``@``, and the slot it was placed in. ``9@?`` at the end is
a roll that is not placed yet. What follows are tags, each after a semicolon, and a comment after ``#``. Without a game
the moves are those of the classic one. A tag holds what JSON can hold: text as it is where that is clear, everything
else as JSON.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any

from tentimes18.dice import MAX_ROLL
from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.game import Board, Game, Number, Placement

VERSION = 1
MAX_DEPTH = 50  # of tags
MAX_INTEGER = 10**1000
OWN_FIELDS = ("version", "dice", "slots", "moves", "roll", "score", "opponent")

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_BLANK = re.compile(r"\s*")
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
        if not self.tags.keys().isdisjoint(OWN_FIELDS):
            raise InvalidGame(f"{', '.join(OWN_FIELDS)} are not tags, they say what was played", field="tags")
        for key, value in self.tags.items():  # every notation gives them back as they are
            if not isinstance(key, str) or not (key.isascii() or _is_kept(key)) or not _is_kept(value):
                accepted = f"text, numbers, true, false, null, lists and objects of them, at most {MAX_DEPTH} deep"
                raise InvalidGame(f"{shown(key)} has a value that JSON cannot hold; accepted: {accepted}", field="tags")
        if self.roll is not None:
            if not board.free:
                raise InvalidGame(f"the board is full, the roll {self.roll} has no slot", field="moves")
            board.game.verify_roll(self.roll)
        if opponent is not None and (opponent.game, _rolls(opponent)) != (board.game, _rolls(board)):
            problem = "in a duel both play the same game with the same rolls in the same order"
            raise InvalidGame(problem, field="opponent")

    @property
    def finished(self) -> bool:
        return not self.board.free


def _rolls(board: Board) -> list[int]:
    return [placement.roll for placement in board.placements]


def parse_moves(text: str) -> list[Placement]:
    return [_placement(part) for part in text.replace(",", " ").split()]


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
    """Read a game from one line of text."""
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
    line, comment = " ".join([f"{record.board.game}:", *moves]), ""
    opponent = {} if record.opponent is None else {"opponent": format_moves(record.opponent.placements)}
    for key, value in (opponent | dict(record.tags)).items():
        if key == "comment" and isinstance(value, str):
            comment = f" # {format_text(value)}"
        else:
            line += f"; {key if _KEY.fullmatch(key) else json.dumps(key)}={format_value(value)}"
    return line + comment


def parse_json(text: str) -> Record:
    return record_from_json(read_json(text))


def format_json(record: Record) -> str:
    return json.dumps(record_to_json(record), ensure_ascii=False)


def record_to_json(record: Record) -> dict[str, Any]:
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
    """
    if not isinstance(source, Mapping):
        raise InvalidGame(f"{shown(source)} is not a game; accepted: an object with moves", field="JSON")
    if "moves" not in source:
        problem = 'missing; a game has them, as in {"moves": "8@5 4@1"}, even if there are none yet'
        raise InvalidGame(problem, field="moves")
    version = source.get("version", VERSION)
    if type(version) is not int or not 1 <= version <= VERSION:
        raise InvalidGame(f"{shown(version)} is not a known version; accepted: {VERSION}", field="version")
    try:
        game, rolls = _game_and_rolls(_text(source, "dice", "3d6"), _text(source, "slots", "1-10"))
        board, roll = _moves(game, rolls, source["moves"], source.get("roll"))
        opponent = None
        if source.get("opponent") is not None:
            opponent, also_waiting = _moves(game, rolls, source["opponent"], None)
            if also_waiting not in (None, roll):
                raise InvalidGame(f"the roll {also_waiting} waits there, and not on the first board", field="opponent")
        record = Record(board, roll, opponent, {key: source[key] for key in source if key not in OWN_FIELDS})
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


@lru_cache(maxsize=8)  # few: a game of a million slots takes 40 MB
def _game_and_rolls(dice: str, slots: str) -> tuple[Game, frozenset[int]]:
    game = Game.parse(dice, slots)
    return game, frozenset(game.dice.support)


def _moves(game: Game, possible: frozenset[int], moves: Any, roll: Any) -> tuple[Board, int | None]:
    if isinstance(moves, str):
        parts = moves.replace(",", " ").split()
        if parts and (waiting := _WAITING.fullmatch(parts[-1])):
            if roll is not None:
                raise InvalidGame("given twice, after the moves and as a field", field="roll")
            roll = int(waiting[1])
            parts.pop()
        placements = tuple(map(_placement, parts))
    else:
        placements = _pairs(moves)
    if roll is not None and not _is_small(roll):
        raise InvalidGame(f"{shown(roll)} is not a roll; accepted: a whole number", field="roll")
    rolls, slots = zip(*placements, strict=True) if placements else ((), ())
    # What is legal is seen at once for a whole board; what is not, move by move, for the reason.
    is_legal = (
        len(set(slots)) == len(slots)
        and min(slots, default=1) >= 1
        and max(slots, default=1) <= game.size
        and possible.issuperset(rolls)
    )
    return (Board(game, placements) if is_legal else Board.replay(game, placements)), roll


def _pairs(moves: Any) -> tuple[Placement, ...]:
    if not isinstance(moves, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(_is_small(part) for part in pair) for pair in moves
    ):
        problem = f"cannot read {shown(moves)}; accepted: text like '8@5 4@1', or pairs [[8, 5]]"
        raise InvalidGame(problem, field="moves")
    return tuple(Placement(*pair) for pair in moves)


def _is_small(number: Any) -> bool:
    return type(number) is int and abs(number) < MAX_ROLL


def _is_score(value: Any, score: Number) -> bool:
    if isinstance(value, str) and _SCORE.fullmatch(value):
        return Fraction(value) == score
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidGame(f"{shown(value)} is not a number", field="score")
    return value == score or (isinstance(value, float) and value == float(score))


def _is_kept(value: Any, depth: int = MAX_DEPTH) -> bool:
    if type(value) is int:  # what is there most often, without looking for the rest
        return -MAX_INTEGER < value < MAX_INTEGER
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, int):
        return abs(value) < MAX_INTEGER
    if isinstance(value, list):
        return depth > 0 and all(_is_kept(part, depth - 1) for part in value)
    if isinstance(value, dict):
        return depth > 0 and all(
            isinstance(key, str) and _is_kept(key) and _is_kept(part, depth - 1) for key, part in value.items()
        )
    return value is None


def parse_tags(line: str, start: int = 0) -> dict[str, Any]:
    """Read the tags of a line from here on, and its comment."""
    tags: dict[str, Any] = {}
    while start < len(line):
        if line[start] == "#":
            key, value, start = "comment", parse_text(line[start + 1 :]), len(line)
        else:
            start = _skip(line, start + 1)
            if start == len(line) or line[start] in ";#":
                continue
            is_quoted = line[start] == '"'
            key, start = _token(line, start, "=;#") if is_quoted else _plain_token(line, start, "=;#")
            if start == len(line) or line[start] != "=" or not (key or is_quoted):
                raise InvalidGame(f"cannot read {shown(key)}; accepted: name=Ada, each after a semicolon", field="tags")
            value, start = _token(line, _skip(line, start + 1), ";#")
        if key in tags:
            raise InvalidGame(f"{key[:40]!r} is given twice", field="tags")
        tags[key] = value
    return tags


def format_value(value: Any) -> str:
    """A tag's value as text: unchanged where that is clear, else as JSON."""
    is_clear = isinstance(value, str) and _is_plain(value) and not set(value) & set(';#"')
    return str(value) if is_clear and parse_value(value) == value else json.dumps(value)


def parse_value(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return text


def format_text(text: str) -> str:
    """A comment, or the name of a column: unchanged where that is clear, else as JSON."""
    return text if _is_plain(text) and not text.startswith('"') else json.dumps(text)


def parse_text(text: str) -> str:
    """The text that ``format_text`` wrote."""
    plain = text.strip()
    value = parse_value(plain) if plain.startswith('"') else plain
    return value if isinstance(value, str) else plain


def read_json(text: str) -> Any:
    """The value of a JSON text; what is not JSON, or names something twice, raises ``InvalidGame``."""
    try:
        return _STRICT_DECODER.decode(text)
    except RecursionError:
        raise InvalidGame("too deep for a game", field="JSON") from None
    except ValueError as error:
        raise InvalidGame(f"{error}", field="JSON") from None


def shown(value: Any) -> str:
    """A value that was rejected, as a person may read it in one line."""
    try:
        return repr(str(value)[:40])
    except (ValueError, RecursionError):  # a number of many digits, lists within lists
        return "what is given"


def _is_plain(text: str) -> bool:
    return text != "" and text.isprintable() and text.strip() == text


def _reject(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")  # Python would read it, JSON does not know it


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    source = dict(pairs)
    if len(source) < len(pairs):
        raise ValueError("a name is given twice")
    return source


# Made once: json.loads would make one for every text.
_DECODER = json.JSONDecoder(parse_constant=_reject)
_STRICT_DECODER = json.JSONDecoder(parse_constant=_reject, object_pairs_hook=_object)


def _token(line: str, start: int, ends: str) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(line, start)
        end = _skip(line, end)
        if end == len(line) or line[end] in ends:
            return value, end
    except (ValueError, RecursionError):
        pass
    return _plain_token(line, start, ends)


def _plain_token(line: str, start: int, ends: str) -> tuple[str, int]:
    end = min((place for mark in ends if (place := line.find(mark, start)) >= 0), default=len(line))
    return line[start:end].strip(), end


def _skip(line: str, start: int) -> int:
    blank = _BLANK.match(line, start)
    assert blank is not None
    return blank.end()
