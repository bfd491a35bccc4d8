"""What is played in a simulation: the game, the strategies by name, where they start, and the seed of the rolls.

The rolls of one game are drawn here with Python's integers, so that a single game loads no arrays. They are
those of `simulate.drawing`, which draws the same words and numbers in a kernel. `random_words` has the mathematics.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.strategies.named import DUEL_STRATEGIES, Finder, named

SEED_DIGITS = 100
GAMES = 10**13
"""How many games a seed has."""
WORD_PRODUCT = 2**44
"""Numbers drawn from one word multiply up to this at most: one word in 10^6 is drawn again."""
WIDE_LIMBS = 4
MAX_TOTAL = 1 << 16  # of dice whose outcomes are listed
GAMMA = 0x9E3779B97F4A7C15
ANEW = 0xD1B54A32D192ED03
BITS = 64
WORD = (1 << BITS) - 1


def verify_seed(seed: int) -> None:
    if abs(seed) >= 10**SEED_DIGITS:
        raise Ten18Error(f"too long; accepted: integers of up to {SEED_DIGITS} digits, also negative", field="seed")


@dataclass(frozen=True)
class Run:
    """What is played: the game, the strategies by name, all on the same rolls, and the seed of these rolls.

    >>> Run(Game.classic(), ("optimal", "nearest"), seed=18).strategies
    ('optimal', 'nearest')
    """

    game: Game
    strategies: tuple[str, ...]
    seed: int
    find: Finder = named
    """What a name means; code of the user's own is a matter of `strategies.user_code`."""
    boards: tuple[Board, ...] = ()
    """The boards that the strategies go on from, one for each; an empty tuple: empty boards."""

    def __post_init__(self) -> None:
        verify_seed(self.seed)
        if not self.boards:
            return
        if len(self.boards) != len(self.strategies) or any(board.game != self.game for board in self.boards):
            raise InvalidGame("a run has one board of its game for each strategy", field="moves")
        if len({board.rounds for board in self.boards}) > 1:
            raise InvalidGame("the boards of a run have different numbers of moves", field="moves")
        if not self.boards[0].free:
            raise InvalidGame("the board is full, there is nothing left to place", field="moves")

    @property
    def is_duel(self) -> bool:
        return any(name in DUEL_STRATEGIES for name in self.strategies)

    @property
    def rounds(self) -> int:
        return self.game.size - (self.boards[0].rounds if self.boards else 0)

    def board(self, place: int = 0) -> Board:
        return self.boards[place] if self.boards else Board(self.game)


def verify_number(number: int) -> None:
    """Raise ``InvalidGame`` unless a seed has a game of this number."""
    if not 0 <= number < GAMES:
        shown = str(number) if abs(number) < 10**40 else "a number with too many digits"
        raise InvalidGame(f"{shown} is not the number of a game; accepted: 0 to {GAMES - 1:,}", field="game")


def rolls_of(run: Run, game: int) -> list[int]:
    verify_number(game)
    dice, rounds, key = run.game.dice, run.rounds, key_bits(run.seed, "rolls")
    upto, rolls = list(accumulate(dice.counts)), []
    if dice.total > MAX_TOTAL:
        bounds = [(count << BITS * WIDE_LIMBS) // dice.total for count in upto[:-1]]
        return [dice.support[reached(bounds, _word(key, rounds * game + r))] for r in range(rounds)]
    count = per_word(dice.total, rounds)
    per_game, product = -(-rounds // count), dice.total**count
    for which in range(per_game):
        word = _word(key, per_game * game + which)
        while word * product & WORD < (WORD + 1) % product:  # numbers from it would not be equally likely
            word = _mix(word ^ ANEW)
        for _ in range(count):
            word *= dice.total
            rolls.append(dice.support[bisect_right(upto, word >> BITS)])
            word &= WORD
    return rolls[:rounds]


def per_word(total: int, rounds: int) -> int:
    return next(m for m in range(rounds, 0, -1) if total**m <= WORD_PRODUCT)


def key_bits(seed: int, purpose: str) -> int:
    """What makes the words of a seed and a purpose; those of two purposes have nothing to do with each other."""
    return int.from_bytes(hashlib.blake2b(f"{purpose} {seed}".encode(), digest_size=8).digest(), "little")


def reached(bounds: Sequence[int], word: int) -> int:
    """How many of the bounds, of four words each, the fraction that begins with this word reaches."""
    fraction = 0
    for _ in range(WIDE_LIMBS):
        fraction = fraction << BITS | word
        word = _mix(word ^ ANEW)
    return bisect_right(bounds, fraction)


def _word(key: int, number: int) -> int:
    return _mix(key + (number + 1) * GAMMA & WORD)


def _mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)
