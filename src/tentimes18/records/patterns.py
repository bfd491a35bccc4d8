"""Lines of games that differ in their moves and in digits alone: what is seen of one of them holds for all.

A line is a head, moves like ``8@5 4@1`` with one blank between, and a tail:

    3d6 1-10:                                                   8@5 4@1 12@7    ; name=Ada; elo=1500
    {"version": 1, "dice": "3d6", "slots": "1-10", "moves": "   8@5 4@1 12@7    ", "score": 128, "name": "Ada"}

Lines have the same pattern where their heads are equal, and their tails but for the digits of numbers in them: these
may be other digits, also more or fewer. In the skeleton of a tail each run of digits is one ``0``. A pattern is made of
a line that the exact reader (`records.notation`) took for a game, and only where another line of it can differ in
nothing that this reader would look at:

- all is plain ASCII, without a backslash: so strings of JSON begin and end in the same places of the skeleton;
- the tail names nothing that says what was played, but for the score of JSON, which is compared with the moves;
- no name in the tail has a digit: two names that differ stay so;
- no number has an exponent, so that none is infinite; and no run is longer than ``MOST_DIGITS``;
- in JSON a number has no 0 in front: which runs stand for whole numbers is told here, and looked at line by line.

Then the line is a game if and only if the slots of its moves are free, its rolls are those of the dice, and its score
is right: arithmetic on columns of numbers (`records.blocks`). Whatever does not follow a pattern is read by the exact
reader, which alone says what is wrong with a line.
"""

import re
from dataclasses import dataclass
from typing import Final

from tentimes18.game import Game
from tentimes18.records.files import Line, read_line
from tentimes18.records.notation import OWN_FIELDS, Record

__all__ = ["MOST_DIGITS", "MOST_ROLL", "MOST_SLOTS", "Pattern", "pattern_of", "skeleton_of"]

MOST_DIGITS: Final = 15  # of a number in a tail: exact in 64 bits
MOST_ROLL: Final = 999
MOST_SLOTS: Final = 60  # a set of them is a word of 64 bits
MOST_POINTS: Final = 2**40  # of a multiplier whose scores are compared

_RUN = re.compile(r"[0-9]+")
_TEXT_HEAD = re.compile(r" *(?:[^ ;#@]+ +[^ ;#@:]+:)? *")
_TEXT_TAIL = re.compile(r' *(?:[;#][^"\[{]*)?')
_TEXT_NAME = re.compile(r";[^;=#]*0[^;=#]*=")
_JSON_HEAD = re.compile(r' *\{.*"moves" *: *"')
_JSON_SCORE = re.compile(r'" *, *"score" *: *0 *(?=[,}])')
_EXPONENT = re.compile(r"0[eE]")
_TOLD_BY_TAGS: Final = ("aim", "takebacks")  # what games are sorted by, besides
_WORDS: Final = (*OWN_FIELDS, *_TOLD_BY_TAGS)


@dataclass(frozen=True, eq=False)
class Pattern:
    """What the lines of a pattern have in common; ``record`` is the game of one of them.

    ``whole`` are the runs of digits in the tail, from 0, that stand for whole numbers in JSON; ``has_score``: the first
    run of the tail is the score.
    """

    head: bytes
    skeleton: bytes
    record: Record
    whole: tuple[int, ...]
    has_score: bool

    @property
    def game(self) -> Game:
        """The game that all of them are of."""
        return self.record.board.game


def skeleton_of(tail: str) -> str:
    """A tail with one 0 for each run of digits.

    >>> skeleton_of("; date=2026-11-15")
    '; date=0-0-0'
    """
    return _RUN.sub("0", tail)


def pattern_of(number: int, line: str, start: int, end: int) -> Pattern | None:
    """The pattern of a line whose moves stand from ``start`` to ``end``; None where it has none.

    >>> found = pattern_of(1, "3d6 1-10: 8@5 4@1; name=Ada 7", 10, 17)
    >>> found.head, found.skeleton, found.record.board.score
    (b'3d6 1-10: ', b'; name=Ada 0', 44)
    """
    head, tail = line[:start], line[end:].removesuffix("\n")
    skeleton = skeleton_of(tail)
    has_score = _JSON_SCORE.match(skeleton) is not None
    is_like_all = _is_plain_json(head, skeleton) if head.lstrip().startswith("{") else _is_plain_text(head, skeleton)
    if not is_like_all or _EXPONENT.search(skeleton):
        return None
    found = read_line(number, line)
    if not isinstance(found, Line):
        return None
    game = found.record.board.game
    if game.size > MOST_SLOTS or (has_score and not _has_small_scores(game)):
        return None
    return Pattern(head.encode(), skeleton.encode(), found.record, tuple(_whole_numbers(skeleton)), has_score)


def _is_plain_text(head: str, skeleton: str) -> bool:
    return (
        _TEXT_HEAD.fullmatch(head) is not None
        and _TEXT_TAIL.fullmatch(skeleton) is not None
        and _TEXT_NAME.search(skeleton) is None
        and not any(word in skeleton for word in _WORDS)
    )


def _is_plain_json(head: str, skeleton: str) -> bool:
    rest = _JSON_SCORE.sub("", skeleton, count=1) if _JSON_SCORE.match(skeleton) else skeleton
    parts = skeleton.split('"')  # outside of strings, inside, outside, ...; the first ends the string of the moves
    names = [inside for inside, after in zip(parts[2::2], parts[3::2], strict=False) if after.lstrip().startswith(":")]
    return (
        _JSON_HEAD.fullmatch(head) is not None
        and head.count("moves") == 1
        and not any(word in head for word in ("score", "roll", "opponent"))
        and skeleton.startswith('"')
        and not any("0" in name for name in names)
        and not any(word in rest for word in _WORDS)
    )


def _has_small_scores(game: Game) -> bool:
    return all(isinstance(points, int) and abs(points) <= MOST_POINTS for points in game.multipliers)


def _whole_numbers(skeleton: str) -> list[int]:
    """Which runs of digits are whole numbers of JSON, or the whole parts of others; in text none is."""
    if not skeleton.startswith('"'):
        return []
    found, run, is_inside = [], 0, True
    for place, letter in enumerate(skeleton):
        if letter == '"':
            is_inside = not is_inside
        elif letter == "0":
            if not is_inside and skeleton[place - 1] != ".":
                found.append(run)
            run += 1
    return found
