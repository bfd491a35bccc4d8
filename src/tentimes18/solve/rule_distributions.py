"""The exact distribution of a strategy's score.

A strategy that looks only at the free slots and the roll, i = c(A, x), makes points from the free set A with
distribution

    L_A = Σ_x P(x) · (L_{A - i} shifted by λ_i x),    L_∅ = the distribution of 0 points,

one sum over sets of free slots of increasing size: two layers of them are in memory. The distribution of the final
score is that of the points on the board plus L of its free set. Two strategies need no sets at all:

- `random` looks at nothing, so the rolls X_i in the slots are independent: L is the distribution of Σ λ_i X_i.
- `hindsight` sorts. Let D_y[l] be the distribution of the points of all slots above the l lowest, given by the
  rolls > y. With k of the remaining l rolls equal to y, the slots l-k+1..l get y: D_{y'}[l-k] += binom(l, k) P(y)^k ·
  (D_y[l] shifted by y (λ_{l-k+1} + ... + λ_l)), y' the next smaller roll. The distribution is D[0] after the smallest
  roll.

Exact distributions are integers over total^n, packed into big integers, a fixed number of bytes for each score: a shift
of the distribution is a shift of the integer, and a sum of distributions a sum
(docs/decisions/0002-distributions-as-big-integers.md). `solve.float_distributions` has them in float64.
"""

from collections.abc import Iterable
from math import comb, inf
from typing import NamedTuple

from tentimes18.game import Game, mask_of, slots_of
from tentimes18.limits import as_float, check_size, power_of_two
from tentimes18.solve.lattice import Lattice, lattice_of, lattice_width
from tentimes18.solve.parallel import Progress
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import Rule


class Size(NamedTuple):
    """The memory that a distribution needs, and the number of elementary steps."""

    bytes: float
    operations: float


class Packing:
    """Distributions of points from a free set as big integers, ``size`` bytes for each index of the lattice."""

    def __init__(self, game: Game, free: int, size: Size | None = None) -> None:
        if size:
            job = f"the exact distribution of the score on {free.bit_count():,} slots"
            check_size(job, bytes=size.bytes, operations=size.operations)
        self.lattice: Lattice = lattice_of(game)
        self.counts = game.dice.counts
        self.free = free
        self.width = self.lattice.width(free)
        self.total: int = game.dice.total ** free.bit_count()
        self.size = self.total.bit_length() // 8 + 1

    def shifted(self, distribution: int, shift: int) -> int:
        """The distribution moved up by this many units."""
        moved: int = distribution << (8 * self.size * shift)
        return moved

    def placed(self, distribution: int, slot: int, positions: Iterable[int]) -> int:
        """The distribution with one of these rolls more, placed in the slot; each roll as often as the dice show it."""
        shifts = self.lattice.shifts[slot - 1]
        return sum(self.counts[position] * self.shifted(distribution, shifts[position]) for position in positions)

    def unpack(self, distribution: int) -> ScoreDistribution:
        raw = distribution.to_bytes((self.width + 1) * self.size, "little")
        weights = (int.from_bytes(raw[self.size * j : self.size * (j + 1)], "little") for j in range(self.width + 1))
        scores = self.lattice.scores(self.free, range(self.width + 1))
        counts = {score: weight for score, weight in zip(scores, weights, strict=True) if weight}
        return ScoreDistribution(tuple(counts), tuple(counts.values()), self.total)


def packed_size(game: Game, free: int, moves: float, layer: float) -> Size:
    """The size of a distribution made by moves of packed ones, half as long on average, with a layer in memory."""
    width = as_float(lattice_width(game, free))
    length = width * (free.bit_count() * game.dice.total.bit_length() // 8 + 1)
    return Size((layer + 2) * length + 300 * width, moves * (4000 + length / 4) + 40_000 * width)


def random_size(game: Game, free: int) -> Size:
    """The size of the distribution of `random`: one move per slot and roll."""
    return packed_size(game, free, moves=2.0 * free.bit_count() * len(game.dice.support), layer=2)


def hindsight_size(game: Game, free: int) -> Size:
    """The size of that of `hindsight`: a move per roll, number of slots left, and number of equal rolls."""
    n = free.bit_count()
    return packed_size(game, free, moves=1.0 * n * (n + 1) * len(game.dice.support), layer=2 * n)


def rule_size(game: Game, free: int) -> Size:
    """The size of that of a rule: a move per set and roll."""
    n = free.bit_count()
    return packed_size(game, free, moves=power_of_two(n) * len(game.dice.support), layer=largest_layer(n))


def table_size(game: Game, bytes_per_value: int = 16) -> Size:
    """The size of a table of values over all free sets and scores, with the means that decide ties."""
    sets = power_of_two(game.size)
    cells = sets * (as_float(lattice_width(game)) / 2 + 1.5)
    return Size((bytes_per_value + 16) * cells + 60 * sets, 2 * cells * game.size * len(game.dice.support))


def play_size(game: Game, free: int, *, exact: bool) -> Size:
    """The size of the distribution of the score of a best play from these free slots on."""
    n, sets = free.bit_count(), power_of_two(free.bit_count())
    scores = as_float(lattice_width(game, free)) + 1
    cells = sets * (scores / 2 + 1)
    steps = cells * n / 2 * len(game.dice.support)
    if exact:
        packed = packed_size(game, free, moves=sets, layer=sets / 4)
        return Size(packed.bytes, packed.operations + 16 * steps + 30_000 * sets)
    return Size(8 * cells + 60 * sets + 200 * scores, 3 * steps + 30_000 * sets + 10_000 * scores)


def largest_layer(n: int) -> float:
    """Half of the sets of n slots that two neighbouring layers have at most."""
    return float(comb(n, n // 2)) if n < 1000 else inf


def random_distribution(game: Game, free: int | None = None, progress: Progress | None = None) -> ScoreDistribution:
    free = game.all_free if free is None else free
    packing = Packing(game, free, random_size(game, free))
    distribution = 1
    for done, slot in enumerate(slots_of(free), start=1):
        distribution = packing.placed(distribution, slot, range(len(game.dice.support)))
        if progress:
            progress(done**2, free.bit_count() ** 2)
    return packing.unpack(distribution)


def hindsight_distribution(game: Game, free: int | None = None, progress: Progress | None = None) -> ScoreDistribution:
    free = game.all_free if free is None else free
    packing = Packing(game, free, hindsight_size(game, free))
    slots = slots_of(free)
    D = [0] * len(slots) + [1]
    for position in reversed(range(len(game.dice.support))):
        count = game.dice.counts[position]
        after = [0] * (len(slots) + 1)
        for l, distribution in enumerate(D):  # noqa: E741 (the paper's letter)
            shift = 0
            for k in range(l + 1 if distribution else 0):
                if k:
                    shift += packing.lattice.shifts[slots[l - k] - 1][position]
                after[l - k] += comb(l, k) * count**k * packing.shifted(distribution, shift)
        D = after
        if progress:
            progress(len(game.dice.support) - position, len(game.dice.support))
    return packing.unpack(D[0])


def rule_distribution(
    game: Game, rule: Rule, free: int | None = None, progress: Progress | None = None
) -> ScoreDistribution:
    """The exact distribution of the points from a free set under any rule that looks at the free slots and the roll."""
    free = game.all_free if free is None else free
    packing = Packing(game, free, rule_size(game, free))
    subsets: list[list[int]] = [[] for _ in range(free.bit_count() + 1)]
    A = free
    while A:
        subsets[A.bit_count()].append(A)
        A = (A - 1) & free
    smaller, done = {0: 1}, 0
    for sets in subsets[1:]:
        layer = {}
        for A in sets:
            rolls_to: dict[int, list[int]] = {}
            for position, x in enumerate(game.dice.support):
                rolls_to.setdefault(rule(A, x), []).append(position)
            layer[A] = sum(
                packing.placed(smaller[A ^ mask_of([slot])], slot, rolls) for slot, rolls in rolls_to.items()
            )
            done += 1
            if progress:
                progress(done, (1 << free.bit_count()) - 1)
        smaller = layer
    return packing.unpack(smaller[free])
