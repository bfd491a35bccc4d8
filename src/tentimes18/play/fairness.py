"""Rolls that can be checked: drawn before the game, committed to, and opened one by one.

A commitment is the SHA-256 of the text ``NONCE:ROUND:ROLL``, in small hexadecimal digits. The nonce, 64 such digits
drawn for that round, keeps the roll from being found by trying all of them; a round is opened by showing both.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate, count
from secrets import randbelow, token_hex
from typing import TypedDict

from tentimes18.dice import Dice
from tentimes18.game import Game

NONCE_BYTES = 32


class OpenedRound(TypedDict):
    """A roll that was shown, and the nonce that proves it."""

    round: int
    roll: int
    nonce: str


def commitment(nonce: str, round_: int, roll: int) -> str:
    """What is published before the game instead of a roll."""
    return sha256(f"{nonce}:{round_}:{roll}".encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class Deal:
    """The rolls of a game and their nonces, a secret until each round is opened; printed, it shows neither."""

    rolls: tuple[int, ...] = field(repr=False)
    nonces: tuple[str, ...] = field(repr=False)

    @property
    def commitments(self) -> list[str]:
        return list(map(commitment, self.nonces, count(1), self.rolls))

    def opened(self, rounds: int) -> list[OpenedRound]:
        shown = zip(range(1, rounds + 1), self.rolls, self.nonces, strict=False)
        return [{"round": round_, "roll": roll, "nonce": nonce} for round_, roll, nonce in shown]


def draw_deal(game: Game) -> Deal:
    nonces = tuple(token_hex(NONCE_BYTES) for _ in range(game.size))
    return Deal(tuple(draw_rolls(game.dice, game.size)), nonces)


def draw_rolls(dice: Dice, count: int) -> Iterator[int]:
    """Rolls from the generator of the operating system, each with exactly its chance."""
    ends = list(accumulate(dice.counts))
    return (dice.support[bisect_right(ends, randbelow(dice.total))] for _ in range(count))
