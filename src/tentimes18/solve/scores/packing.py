"""Exact laws packed into big integers over total^n, a fixed number of bytes for each score.

A shift of the law is a shift of the integer, and a sum of laws a sum
(docs/decisions/0002-exact-laws-as-big-integers.md).
"""

from collections.abc import Iterable
from typing import Final

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.solve.lattice import Lattice, lattice_of
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["Packing"]

MAX_EXACT_BYTES: Final = 4e10  # of packed laws to be shifted and added: about ten seconds
MAX_WIDTH: Final = 20_000_000


class Packing:
    """Laws of points from a free set as big integers, ``size`` bytes for each index of the lattice.

    >>> packing = Packing(Game.parse("1d2", "1"), 1)
    >>> packing.unpack(packing.placed(1, 1, [0, 1])).weights
    (1, 1)
    """

    def __init__(self, game: Game, free: int) -> None:
        self.lattice: Lattice = lattice_of(game)
        self.counts = game.dice.counts
        self.free = free
        self.width = self.lattice.width(free)
        self.total: int = game.dice.total ** free.bit_count()
        self.size = self.total.bit_length() // 8 + 1
        if self.width > MAX_WIDTH:
            raise TooLarge(f"the score can take {self.width:,} values; at most {MAX_WIDTH:,}", field="slots")

    def verify_work(self, laws: int) -> None:
        """Raise ``TooLarge`` where so many laws take too long."""
        # Each set also takes Python about as long as moving 10 kB for every roll.
        work = min(laws, 2**300) * len(self.counts) * (min(self.width, 10**300) * self.size / 2 + 10_000)
        if work > MAX_EXACT_BYTES:
            raise TooLarge(
                f"the exact law for {self.free.bit_count()} slots moves {work:.1e} bytes; "
                f"at most {MAX_EXACT_BYTES:.0e}: use float64, or mean and variance alone",
                field="slots",
            )

    def shifted(self, law: int, shift: int) -> int:
        """The law with so many units more."""
        moved: int = law << (8 * self.size * shift)
        return moved

    def placed(self, law: int, slot: int, positions: Iterable[int]) -> int:
        """The law with one of these rolls more, placed in the slot; each roll as often as the dice show it."""
        shifts = self.lattice.shifts[slot - 1]
        return sum(self.counts[position] * self.shifted(law, shifts[position]) for position in positions)

    def unpack(self, law: int) -> ScoreLaw:
        """The law as scores and weights."""
        raw = law.to_bytes((self.width + 1) * self.size, "little")
        weights = (int.from_bytes(raw[self.size * j : self.size * (j + 1)], "little") for j in range(self.width + 1))
        found = {self.lattice.score(self.free, j): weight for j, weight in enumerate(weights) if weight}
        return ScoreLaw(tuple(found), tuple(found.values()), self.total)
