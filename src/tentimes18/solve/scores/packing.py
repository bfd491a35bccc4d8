"""Exact laws packed into big integers over total^n, a fixed number of bytes for each score.

A shift of the law is a shift of the integer, and a sum of laws a sum
(docs/decisions/0002-exact-laws-as-big-integers.md).
"""

from collections.abc import Iterable

from tentimes18.game import Game
from tentimes18.solve.lattice import Lattice, lattice_of
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["Packing"]


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
        scores = self.lattice.scores(self.free, range(self.width + 1))
        found = {score: weight for score, weight in zip(scores, weights, strict=True) if weight}
        return ScoreLaw(tuple(found), tuple(found.values()), self.total)
