"""Rolls that can be checked: drawn before the game, committed to, and opened one by one.

A commitment is the SHA-256 of the text ``NONCE:ROUND:ROLL``, in small hexadecimal digits. The nonce, 64 such digits
drawn for that round, keeps the roll from being found by trying all of them; a round is opened by showing both.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate
from os import urandom
from secrets import token_hex
from typing import TypedDict

from tentimes18.dice import Dice
from tentimes18.game import Game

NONCE_BYTES = 32
BLOCK = 8192  # numbers asked of the operating system at once


class OpenedRound(TypedDict):
    """A roll that was shown, and the nonce that proves it."""

    round: int
    roll: int
    nonce: str


def commitment(nonce: str, round_: int, roll: int) -> str:
    """What is published before the game instead of a roll.

    >>> commitment("00" * 32, 1, 11)
    'b0a0347dd50d0498ea47a123ec90d0c7ec77713bef2e3a4d30cc664f58695d63'
    """
    return sha256(f"{nonce}:{round_}:{roll}".encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class Deal:
    """The rolls of a game and their nonces, a secret until each round is opened; printed, it shows neither."""

    rolls: tuple[int, ...] = field(repr=False)
    nonces: tuple[str, ...] = field(repr=False)

    @property
    def commitments(self) -> list[str]:
        """One a round."""
        return [commitment(*round_) for round_ in zip(self.nonces, self._rounds(), self.rolls, strict=True)]

    def opened(self, rounds: int) -> list[OpenedRound]:
        """The first rounds, with what proves them."""
        return [
            {"round": round_, "roll": self.rolls[round_ - 1], "nonce": self.nonces[round_ - 1]}
            for round_ in self._rounds()[:rounds]
        ]

    def _rounds(self) -> range:
        return range(1, len(self.rolls) + 1)


def draw_deal(game: Game) -> Deal:
    """Rolls for a whole game from the generator of the operating system, each with exactly its chance."""
    return Deal(
        tuple(draw_rolls(game.dice, game.size)),
        tuple(token_hex(NONCE_BYTES) for _ in range(game.size)),
    )


def draw_rolls(dice: Dice, count: int) -> Iterator[int]:
    """So many rolls from the generator of the operating system, each with exactly its chance.

    Numbers of as many random bits as ``dice.total`` needs are drawn, and those that are not below it are passed over:
    all that are left have the same chance, and each stands for a roll.
    """
    support, total, ends = dice.support, dice.total, list(accumulate(dice.counts))
    bits = (total - 1).bit_length()
    width, mask = max(1, -(-bits // 8)), (1 << bits) - 1
    while count > 0:
        asked = min(2 * count, BLOCK)  # at least every other number is below
        source = urandom(asked * width)
        drawn = (int.from_bytes(source[at : at + width], "big") & mask for at in range(0, len(source), width))
        kept = [number for number in drawn if number < total][:count]
        yield from [support[bisect_right(ends, number)] for number in kept]
        count -= len(kept)
