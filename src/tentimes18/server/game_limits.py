"""The games that strangers may start, and ask about: small enough that every answer on them has a known cost.

A game is read from notation that nobody has seen before, so it is refused by what can be counted while it is read (the
different rolls, the bits of the weights, the slots), before a law is computed from it. Within the limits a score is
exact in float64, and so in every browser.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite, lcm
from typing import Any

from tentimes18.dice import Dice, DiceLimits
from tentimes18.errors import InvalidDice, InvalidGame, quoted
from tentimes18.game import Game, Number, read_slots

CLASSIC_DICE = "3d6"
CLASSIC_SLOTS = "1-10"
MOST_CHARACTERS = 200  # of a notation
MOST_SLOTS = 20
MOST_ROLLS = 100  # different ones
MOST_ROLL = 10**6  # in magnitude
MOST_TOTAL_BITS = 64
MOST_TOTAL = 2**MOST_TOTAL_BITS  # of the weights of all rolls
MOST_MULTIPLIER = 10**6  # in magnitude
MOST_DENOMINATOR = 1000  # that all multipliers have in common
MOST_WORK = 1e7  # products of digits, to keep the highest or lowest dice: hundredths of a second
MOST_POSITIONS = 20_000_000  # free sets times rolls


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
    law = read_dice(CLASSIC_DICE if dice is None else dice)
    game = Game(law, _read_multipliers(CLASSIC_SLOTS if slots is None else slots))
    if lcm(*(multiplier.denominator for multiplier in game.multipliers)) > MOST_DENOMINATOR:
        raise InvalidGame(f"the multipliers have a common denominator above {MOST_DENOMINATOR:,}", field="slots")
    if len(game.slots) > MOST_CHARACTERS:
        raise InvalidGame(f"written out they take more than {MOST_CHARACTERS} characters", field="slots")
    positions = 2**game.size * len(law.support)
    if positions > MOST_POSITIONS:
        raise InvalidGame(
            f"{game.size} slots and {len(law.support)} different rolls make {positions:,} positions (2^slots x rolls), "
            f"at most {MOST_POSITIONS:,} are accepted: take fewer slots, or dice with fewer rolls",
            field="slots",
        )
    return game


def verify_game_of(source: Mapping[str, Any]) -> None:
    """Raise ``Ten18Error`` where the game of a record or of a Game is larger than these; before its law is computed.

    Fields of another type than they should have are for whoever reads the whole.
    """
    dice, slots = source.get("dice"), source.get("slots")
    if dice is not None and not isinstance(dice, str):
        return
    if isinstance(slots, list) and not all(type(part) in (int, float, str) for part in slots):
        return
    if slots is None or isinstance(slots, str | list):
        read_game(dice, slots)


def read_dice(text: str) -> Dice:
    """The dice of this notation; raises InvalidDice."""
    if len(text) > MOST_CHARACTERS:
        raise InvalidDice(_too_long(text), field="dice", given=text)
    dice = Dice.parse(text, DiceLimits(MOST_ROLLS, MOST_TOTAL_BITS, MOST_WORK))
    if len(str(dice)) > MOST_CHARACTERS:  # which says how often each die explodes
        raise InvalidDice(f"written out it takes more than {MOST_CHARACTERS} characters", field="dice", given=text)
    if max(abs(dice.support[0]), abs(dice.support[-1])) > MOST_ROLL:
        raise InvalidDice(f"a roll is too large, at most {MOST_ROLL:,} are accepted", field="dice", given=text)
    if dice.total > MOST_TOTAL:
        raise InvalidDice(f"the weights add up to more than 2^{MOST_TOTAL_BITS}", field="dice", given=text)
    return dice


def _read_multipliers(given: str | Sequence[int | float | str]) -> list[Number]:
    if isinstance(given, str):
        if len(given) > MOST_CHARACTERS:
            raise InvalidGame(_too_long(given), field="slots", given=given)
        multipliers = read_slots(given, MOST_SLOTS)
    else:
        if len(given) > MOST_SLOTS:
            raise InvalidGame(f"{len(given):,} slots, at most {MOST_SLOTS} are accepted", field="slots")
        multipliers = [_read_multiplier(multiplier) for multiplier in given]
    if len(multipliers) > MOST_SLOTS:
        raise InvalidGame(f"{len(multipliers)} slots, at most {MOST_SLOTS} are accepted", field="slots")
    for multiplier in multipliers:
        if not -MOST_MULTIPLIER <= multiplier <= MOST_MULTIPLIER:
            raise InvalidGame(f"a multiplier is too large, at most {MOST_MULTIPLIER:,} are accepted", field="slots")
    return multipliers


def _read_multiplier(given: int | float | str) -> Number:
    """One of a list; a decimal means what it says, and not the nearest float64."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise InvalidGame(f"multiplier {quoted(given)} is not a number", field="slots")
    if isinstance(given, int):
        return given
    if isinstance(given, float):
        if not isfinite(given):
            raise InvalidGame(f"multiplier {given} is not a number", field="slots")
        return Fraction(repr(given))
    if len(given) > MOST_CHARACTERS:
        raise InvalidGame(_too_long(given), field="slots", given=given)
    (multiplier,) = read_slots(given, 1)
    return multiplier


def _too_long(text: str) -> str:
    return f"{len(text):,} characters, at most {MOST_CHARACTERS} are accepted"
