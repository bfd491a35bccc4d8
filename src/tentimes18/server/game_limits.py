"""The games that strangers may start, and ask about: small enough that every answer on them has a known cost.

A game is rejected by what can be counted while its notation is read (the different rolls, the bits of the weights, the
slots), before a distribution is computed from it. Within the limits a score is exact in float64, and in browsers.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isfinite, lcm
from typing import Any

from tentimes18.dice import Dice, DiceLimits
from tentimes18.errors import InvalidDice, InvalidGame, quoted
from tentimes18.game import Game, Number, read_slots

CLASSIC_DICE = "3d6"
CLASSIC_SLOTS = "1-10"
MAX_CHARACTERS = 200  # of a notation
MAX_SLOTS = 20
MAX_ROLLS = 100  # different ones
MAX_ROLL = 10**6  # in magnitude
MAX_TOTAL_BITS = 64
MAX_TOTAL = 2**MAX_TOTAL_BITS  # of the weights of all rolls
MAX_MULTIPLIER = 10**6  # in magnitude
MAX_DENOMINATOR = 1000  # that all multipliers have in common
MAX_WORK = 1e7  # products of digits, to keep the highest or lowest dice: hundredths of a second
MAX_POSITIONS = 20_000_000  # free sets times rolls


def read_game(dice: str | None = None, slots: str | Sequence[int | float | str] | None = None) -> Game:
    """The game of these dice and slots, the classic ones where none are given; raises InvalidDice or InvalidGame.

    >>> print(read_game())
    3d6 1-10
    >>> print(read_game("2d12:12=2", [5, 0.5, "7/2"]))
    2d12:12=2 1/2,7/2,5
    >>> read_game("1d6", "1-30")
    Traceback (most recent call last):
    tentimes18.errors.InvalidGame: slots '1-30': 30 slots, at most 20 are accepted
    """
    game = Game(
        read_dice(CLASSIC_DICE if dice is None else dice), _read_multipliers(CLASSIC_SLOTS if slots is None else slots)
    )
    if lcm(*(multiplier.denominator for multiplier in game.multipliers)) > MAX_DENOMINATOR:
        raise InvalidGame(f"the multipliers have a common denominator above {MAX_DENOMINATOR:,}", field="slots")
    if len(game.slots) > MAX_CHARACTERS:
        raise InvalidGame(f"written out they take more than {MAX_CHARACTERS} characters", field="slots")
    rolls = len(game.dice.support)
    positions = 2**game.size * rolls
    if positions > MAX_POSITIONS:
        raise InvalidGame(
            f"{game.size} slots and {rolls} different rolls make {positions:,} positions (2^slots x rolls), "
            f"at most {MAX_POSITIONS:,} are accepted: take fewer slots, or dice with fewer rolls",
            field="slots",
        )
    return game


def verify_game_of(source: Mapping[str, Any]) -> None:
    """Raise ``Ten18Error`` if the game of a record or of a Game is too large; fields of a wrong type pass."""
    dice, slots = source.get("dice"), source.get("slots")
    if dice is not None and not isinstance(dice, str):
        return
    if isinstance(slots, list) and not all(type(part) in (int, float, str) for part in slots):
        return
    if slots is None or isinstance(slots, str | list):
        read_game(dice, slots)


@lru_cache(256)
def read_dice(text: str) -> Dice:
    if len(text) > MAX_CHARACTERS:
        raise InvalidDice(_too_long(text), field="dice", value=text)
    dice = Dice.parse(text, DiceLimits(MAX_ROLLS, MAX_TOTAL_BITS, MAX_WORK))
    if len(str(dice)) > MAX_CHARACTERS:  # which says how often each die explodes
        raise InvalidDice(f"written out it takes more than {MAX_CHARACTERS} characters", field="dice", value=text)
    if max(abs(dice.support[0]), abs(dice.support[-1])) > MAX_ROLL:
        raise InvalidDice(f"a roll is too large, at most {MAX_ROLL:,} are accepted", field="dice", value=text)
    if dice.total > MAX_TOTAL:
        raise InvalidDice(f"the weights add up to more than 2^{MAX_TOTAL_BITS}", field="dice", value=text)
    return dice


def _read_multipliers(value: str | Sequence[int | float | str]) -> list[Number]:
    parts: Sequence[Number | float | str] = _read_text(value, MAX_SLOTS) if isinstance(value, str) else value
    if len(parts) > MAX_SLOTS:
        raise InvalidGame(f"{len(parts):,} slots, at most {MAX_SLOTS} are accepted", field="slots")
    multipliers = [_read_multiplier(part) for part in parts]
    if not all(-MAX_MULTIPLIER <= multiplier <= MAX_MULTIPLIER for multiplier in multipliers):
        raise InvalidGame(f"a multiplier is too large, at most {MAX_MULTIPLIER:,} are accepted", field="slots")
    return multipliers


def _read_multiplier(value: Number | float | str) -> Number:
    """One multiplier; a decimal means what it says, and not the nearest float64."""
    if isinstance(value, str):
        (multiplier,) = _read_text(value, 1)
        return multiplier
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return value
    if not isinstance(value, float) or not isfinite(value):
        shown = value if isinstance(value, float) else quoted(value)
        raise InvalidGame(f"multiplier {shown} is not a number", field="slots")
    return Fraction(repr(value))


def _read_text(text: str, most: int) -> list[Number]:
    if len(text) > MAX_CHARACTERS:
        raise InvalidGame(_too_long(text), field="slots", value=text)
    return list(read_slots(text, most))


def _too_long(text: str) -> str:
    return f"{len(text):,} characters, at most {MAX_CHARACTERS} are accepted"
