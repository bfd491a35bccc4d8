"""The rules: a game is dice and multipliers, a board is the rolls in its slots.

Slots are numbered 1..n by increasing multiplier. A set of free slots is a bit mask, bit (slot - 1).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import NamedTuple, TypeAlias

from tentimes18.dice import Dice
from tentimes18.errors import IllegalMove, InvalidGame, quoted

Number: TypeAlias = int | Fraction

MAX_SLOTS = 1_000_000
MAX_MULTIPLIER = 10**130  # the square of a score is a float64
MAX_SCORE = 40  # characters of a score in text
MAX_EXPONENT = 40
ACCEPTED = "accepted: a range like 1-10, multipliers like 1,3,5.5,7/2, or both like 1-5,10"

_RANGE = re.compile(r"([+-]?[0-9]{1,400})-([+-]?[0-9]{1,400})")
_NUMBER = re.compile(r"[+-]?([0-9]{1,400}(\.[0-9]{0,400})?|\.[0-9]{1,400}|[0-9]{1,400}/0{0,400}[1-9][0-9]{0,400})")
_BLANKS = re.compile(r" ?([-,/]) ?")
_SCORE = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?|[0-9]+/0*[1-9][0-9]*)")


class Placement(NamedTuple):
    """A roll and the slot it was placed in."""

    roll: int
    slot: int


@dataclass(frozen=True, slots=True)
class Game:
    """Dice and multipliers; the multipliers may be any numbers, in any order.

    >>> game = Game(Dice.parse("2d12:12=2"), (5, 3, 1))
    >>> game.multipliers, game.all_free
    ((1, 3, 5), 7)
    """

    dice: Dice
    multipliers: tuple[Number, ...]

    def __init__(self, dice: Dice, multipliers: Iterable[Number | float]) -> None:
        exact = sorted(_number(multiplier) for multiplier in multipliers)
        if not exact:
            raise InvalidGame("none given; a game has at least one slot", field="slots")
        if len(exact) > MAX_SLOTS:
            raise InvalidGame(f"{len(exact)} slots, at most {MAX_SLOTS} are accepted", field="slots")
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "multipliers", tuple(exact))

    @classmethod
    def classic(cls) -> "Game":
        """The game of the paper: three dice, multipliers 1 to 10."""
        return cls.parse("3d6", "1-10")

    @classmethod
    def parse(cls, dice: str, slots: str) -> "Game":
        return cls(Dice.parse(dice), read_slots(slots))

    @property
    def size(self) -> int:
        """Number of slots, which is also the number of rounds."""
        return len(self.multipliers)

    @property
    def all_free(self) -> int:
        """The free set of the empty board."""
        return (1 << self.size) - 1

    @property
    def slots(self) -> str:
        """The multipliers in the notation that ``parse`` reads."""
        parts: list[list[Number]] = []
        for multiplier in self.multipliers:
            if parts and isinstance(multiplier, int) and multiplier == parts[-1][-1] + 1:
                parts[-1].append(multiplier)
            else:
                parts.append([multiplier])
        return ",".join(f"{part[0]}-{part[-1]}" if len(part) > 2 else ",".join(map(str, part)) for part in parts)

    def multipliers_of(self, free: int) -> tuple[Number, ...]:
        """The multipliers of a free set, increasing."""
        return tuple(self.multipliers[slot - 1] for slot in slots_of(free))

    def verify_free(self, slots: Iterable[int], field: str = "free") -> int:
        """The free set with these slots, each named once; raises ``InvalidGame`` otherwise."""
        named: set[int] = set()
        for slot in slots:
            if not 1 <= slot <= self.size:
                raise InvalidGame(f"there is no slot {quoted(slot)}; slots are 1 to {self.size}", field=field)
            if slot in named:
                raise InvalidGame(f"slot {slot} is named twice", field=field)
            named.add(slot)
        if not named:
            raise InvalidGame("no slot named; at least one must be free", field=field)
        return mask_of(named)

    def verify_mask(self, free: int) -> None:
        """Raise ``InvalidGame`` unless this is the mask of some slots of the game."""
        if not 0 < free <= self.all_free:
            raise InvalidGame(f"the mask {quoted(free)} is not one of 1 to 2^{self.size} - 1", field="free")

    def verify_roll(self, roll: int) -> None:
        """Raise ``IllegalMove`` unless the dice can show this roll."""
        if type(roll) is not int or not self.dice.probability(roll):
            shown = str(self.dice) if len(str(self.dice)) <= 60 else "these dice"
            number = "a number with 40 digits or more" if type(roll) is int and abs(roll) >= 10**40 else quoted(roll)
            support = self.dice.support
            rolls = ",".join(map(str, support)) if len(support) <= 20 else f"{len(support)} numbers from {support[0]}"
            if support[-1] - support[0] == len(support) - 1:
                rolls = f"{support[0]} to {support[-1]}"
            raise IllegalMove(f"{shown} never shows {number}; its rolls are {rolls}", field="roll")

    def __str__(self) -> str:
        return f"{self.dice} {self.slots}"


@dataclass(frozen=True, slots=True)
class Board:
    """The rolls in the slots, in the order of play; placing a roll gives a new board.

    Make a board from ``Board(game)``, the empty one, by ``place``, or from a list by ``replay``.

    >>> board = Board(Game.classic()).place(8, 5).place(4, 1)
    >>> board.score, board.rounds, board.free_slots
    (44, 2, (2, 3, 4, 6, 7, 8, 9, 10))
    >>> board.place(18, 5)
    Traceback (most recent call last):
    tentimes18.errors.IllegalMove: slot 5 already holds 8; free: 2,3,4,6,7,8,9,10
    """

    game: Game
    placements: tuple[Placement, ...] = ()

    @classmethod
    def replay(cls, game: Game, placements: Iterable[tuple[int, int]]) -> "Board":
        """The board after these placements (roll, slot), each checked."""
        board = cls(game)
        for roll, slot in placements:
            board = board.place(roll, slot)
        return board

    def place(self, roll: int, slot: int) -> "Board":
        self.verify(slot, roll)
        return Board(self.game, (*self.placements, Placement(roll, slot)))

    def verify(self, slot: int, roll: int | None = None) -> None:
        """Raise ``IllegalMove`` unless the slot is free and the dice can show the roll."""
        if type(slot) is not int or not 1 <= slot <= self.game.size:
            raise IllegalMove(f"there is no slot {quoted(slot)}; slots are 1 to {self.game.size}")
        if (standing := self[slot]) is not None:
            free = ",".join(map(str, self.free_slots)) or "none"
            raise IllegalMove(f"slot {slot} already holds {standing}; free: {free}")
        if roll is not None:
            self.game.verify_roll(roll)

    def __getitem__(self, slot: int) -> int | None:
        return next((placement.roll for placement in self.placements if placement.slot == slot), None)

    @property
    def free_slots(self) -> tuple[int, ...]:
        return slots_of(self.free)

    @property
    def free(self) -> int:
        """The set of free slots as a bit mask, bit (slot - 1)."""
        return self.game.all_free & ~mask_of(placement.slot for placement in self.placements)

    @property
    def rounds(self) -> int:
        """The number of rounds played."""
        return len(self.placements)

    @property
    def score(self) -> Number:
        multipliers = self.game.multipliers
        points = sum([multipliers[slot - 1] * roll for roll, slot in self.placements])
        return points.numerator if points.denominator == 1 else points


@dataclass(frozen=True, slots=True)
class Position:
    """A board before a roll; in a duel also the opponent's board, with the same rolls.

    >>> empty = Board(Game.classic())
    >>> Position(empty.place(8, 5), empty.place(8, 4)).lead
    8
    """

    board: Board
    opponent: Board | None = None

    @property
    def theirs(self) -> Board:
        """The opponent's board; raises ``InvalidGame`` outside of duels."""
        if self.opponent is None:
            raise InvalidGame("a duel has two boards; give the opponent's moves as well", field="opponent")
        return self.opponent

    @property
    def lead(self) -> Number:
        """My score minus the opponent's."""
        return self.board.score - self.theirs.score

    def after(self, roll: int, slot: int, opponent_slot: int | None = None) -> "Position":
        """The position with this roll placed."""
        opponent = None if opponent_slot is None else self.theirs.place(roll, opponent_slot)
        return Position(self.board.place(roll, slot), opponent)


def read_score(text: str, field: str, whole: str | None = None) -> Number:
    """A score from text; errors blame ``field``, whose value ``whole`` has the text as a part."""
    match = _SCORE.fullmatch(text)
    if not match:
        problem = f"{text[:MAX_SCORE]!r} is not a number; accepted: numbers like 700, 0.01, 7/2 or 1e3"
        raise InvalidGame(problem, field, whole)
    if len(text) > MAX_SCORE or abs(int(match[1] or 0)) > MAX_EXPONENT:
        limits = f"at most {MAX_SCORE} characters, and a power of ten from -{MAX_EXPONENT} to {MAX_EXPONENT}"
        raise InvalidGame(f"{text[:MAX_SCORE]!r} is out of range; accepted: {limits}", field, whole)
    score = Fraction(text)
    return score.numerator if score.denominator == 1 else score


def read_slots(text: str, most: int = MAX_SLOTS) -> list[Number]:
    """The multipliers of a text, in its order, at most ``most``."""
    multipliers: list[Number] = []
    for part in _BLANKS.sub(r"\1", " ".join(text.split())).split(","):
        if ends := _RANGE.fullmatch(part):
            low, high = sorted((int(ends[1]), int(ends[2])))
            if (count := len(multipliers) + high - low + 1) > most:
                shown = f"{count:.6g}" if count < 10**300 else "too many"
                raise InvalidGame(f"{shown} slots, at most {most} are accepted", field="slots", value=text)
            multipliers.extend(range(low, high + 1))
        elif _NUMBER.fullmatch(part):
            multipliers.append(_number(Fraction(part)))
        else:
            raise InvalidGame(f"cannot read {part[:60]!r}; {ACCEPTED}", field="slots", value=text)
    return multipliers


def mask_of(slots: Iterable[int]) -> int:
    """The bit mask of a set of slots."""
    members = set(slots)
    return int("".join("1" if slot in members else "0" for slot in range(max(members, default=1), 0, -1)), 2)


def slots_of(free: int) -> tuple[int, ...]:
    """The slots of a bit mask, increasing."""
    return tuple(slot for slot, bit in enumerate(reversed(f"{free:b}"), start=1) if bit == "1")


def _number(value: Number | float) -> Number:
    if type(value) is int and abs(value) < MAX_MULTIPLIER:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise InvalidGame(f"multiplier {quoted(value)} is not a number", field="slots")
    if isinstance(value, float) and not isfinite(value):
        raise InvalidGame(f"multiplier {value} is not a number", field="slots")
    exact = Fraction(value)
    if abs(exact) >= MAX_MULTIPLIER:
        raise InvalidGame("a multiplier is too large; at most 130 digits are accepted", field="slots")
    return exact.numerator if exact.denominator == 1 else exact
