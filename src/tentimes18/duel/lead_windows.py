"""The duel: two players on the same rolls. Its positions, which leads of them are open, and the size of its tables.

Both players fill one slot per round, so a position is two free sets A (mine) and B (the opponent's) of the same size k,
and my lead. The lead is counted as e, the difference of the score indices on the game's lattice (`solve.lattice`),
which ends as the difference of the scores in units. With g[A, B] the most that a player with free set A can still gain
on one with B,

    g[A, B] = max over x, i, j of shift_i(x) - shift_j(x) + g[A - i, B - j],    g[∅, ∅] = 0,

a lead e > g[B, A] is won for sure and e < -g[A, B] lost. And with F, G the filled sets, the leads that can have come
about are in -g[G, F] <= e <= g[F, G]. Only leads that pass both tests are stored.

Not all of these come about: those that do are Σ_{i ∈ F} (shift_i(x_i) - shift_σ(i)(x_i)), σ pairing F with G and x_i
the roll of that round. With the slots of F taken one after the other, the sums by the set of slots of G that are paired
are bits of one large integer. A position from a user must have such a lead.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, floor, inf
from random import Random
from typing import NamedTuple, TypeVar

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number, Position, slots_of
from tentimes18.limits import check_size
from tentimes18.solve.lattice import lattice_of, lattice_width
from tentimes18.solve.move_arrays import moves_of, sets_by_size
from tentimes18.solve.parallel import LayerPool, Progress, part_count

Result = TypeVar("Result")

SAMPLES = 64  # pairs of boards of each size, whose open leads are counted
FEW_SAMPLES = 4  # for more than MANY_SLOTS, where there are too many pairs anyhow
MANY_SLOTS = 15
MAX_COUNTED_SLOTS = 40  # tables for more slots are beyond all limits
MAX_WIDTH = 1 << 62  # of the lattice, for leads in 64 bits
MAX_LEAD_BITS = 1e10  # moved to find the leads of a pair of boards: about a second
MAX_FILLED = 16  # slots of a board whose leads are searched before there are windows
MAX_CACHED_LEADS = 10_000  # pairs of boards whose leads are remembered
BYTES_PER_PAIR = 60  # its window, in all forms
EQUAL = 1e-14  # equities that are closer than that are the same


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chances of a duel for one player; equity is win + draw times what a draw is worth."""

    equity: float
    win: float
    draw: float
    loss: float

    @classmethod
    def of(cls, equity: float, draw: float, draw_worth: float) -> "Outcome":
        """From the equity and the chance of a draw; rounding never leads out of 0 to 1."""
        win = min(1.0, max(0.0, equity - draw_worth * draw))
        return cls(equity, win, draw, max(0.0, 1.0 - win - draw))


class Windows(NamedTuple):
    """The leads of a duel that are stored for a layer of pairs of free sets, by the ranks of the two.

    Those of pair (a, b) are lows[a, b] + t for 0 <= t < sizes[a, b], in a flat array from offsets[a, b] on. Above the
    window I have won, below it I have lost.
    """

    offsets: Ints
    lows: Ints
    sizes: Ints


class DuelLayer(NamedTuple):
    """The positions of a duel with k free slots: the sets by rank, the rank of each set among those of its size.

    ``here`` are the windows of this layer, ``after`` those of the one with a slot less, which a move leads to.
    """

    k: int
    sets: Ints
    ranks: Ints
    here: Windows
    after: Windows


class Standing(NamedTuple):
    """A single position of a duel: my free set, the opponent's, how many slots each has, and my lead."""

    A: int
    B: int
    k: int
    e: int


class DuelTable(NamedTuple):
    """Values with the windows of all layers one after the other, to read single positions from.

    Pair (a, b) of the layer with k free slots, of which there are counts[k]², is starts[k] + a counts[k] + b.
    """

    ranks: Ints
    starts: Ints
    counts: Ints
    offsets: Ints
    lows: Ints
    sizes: Ints
    values: Floats


class DuelWindows:
    """The windows of leads e that are stored for each pair (A, B), one after the other in one flat array.

    With ``half``, only pairs with rank(A) <= rank(B) are stored.
    """

    def __init__(self, game: Game, *, half: bool) -> None:
        n = game.size
        check_duel_size(game)
        self.game, self.half = game, half
        self.lattice = lattice_of(game)
        self.moves = moves_of(game)
        self.P, self.shifts = self.moves
        self.sets, self.ranks, self.gains = gains_by_size(game)
        self.lows, self.sizes, self.offsets = [], [], []
        self.cells = 0
        for k in range(n + 1):
            # For each pair with k free slots, the most that the first player can have gained so far.
            filled = self.ranks[game.all_free ^ self.sets[k]]
            earlier = self.gains[n - k][np.ix_(filled, filled)]
            low = np.maximum(-self.gains[k], -earlier.T)
            high = np.minimum(self.gains[k].T, earlier)
            size = np.maximum(0, high - low + 1)
            if half:
                size = np.triu(size)
            self.lows.append(low)
            self.sizes.append(size)
            self.offsets.append(self.cells + (np.cumsum(size) - size.ravel()).reshape(size.shape))
            self.cells += int(size.sum())

    @property
    def nbytes(self) -> int:
        parts = (*self.sets, *self.gains, *self.lows, *self.sizes, *self.offsets, self.ranks, self.shifts)
        return sum(part.nbytes for part in parts)

    def of_size(self, k: int) -> Windows:
        return Windows(self.offsets[k], self.lows[k], self.sizes[k])

    def layer(self, k: int) -> DuelLayer:
        """The positions with k free slots, and those that they lead to, for kernels."""
        return DuelLayer(k, self.sets[k], self.ranks, self.of_size(k), self.of_size(k - 1))

    def fill_layers(
        self, fill: Callable[[int], Callable[[Ints], Result]], power: int, progress: Progress | None = None
    ) -> list[list[Result]]:
        """Run ``fill(k)`` on the parts of the layer with k free slots, for k = 1, 2, ..., and return the results.

        A part is pairs of ranks of free sets. A position takes k^power steps per roll.
        """
        results = []
        with LayerPool(self.cells - 1, progress) as pool:
            for k in range(1, self.game.size + 1):
                positions = int(self.sizes[k].sum())
                parts = in_parts(np.argwhere(self.sizes[k] > 0), steps=float(positions) * k**power * len(self.P))
                results.append(pool.run(fill(k), parts, work=positions))
        return results

    def table(self, values: Floats) -> DuelTable:
        """The windows of all layers one after the other, and the values: what kernels read single positions from."""
        counts = np.array([len(group) for group in self.sets])
        starts = np.cumsum(counts**2) - counts**2
        offsets, lows, sizes = (
            np.concatenate([part.ravel() for part in parts]) for parts in (self.offsets, self.lows, self.sizes)
        )
        return DuelTable(self.ranks, starts, counts, offsets, lows, sizes, values)

    def key(self, free: int, opponent_free: int, e: int) -> int:
        """The place of an open position in a table; -1 - my free set where the duel is decided."""
        offsets, lows, sizes = self.of_size(free.bit_count())
        pair = self.ranks[free], self.ranks[opponent_free]
        t = e - int(lows[pair])
        return int(offsets[pair]) + t if 0 <= t < sizes[pair] else -1 - free

    def read(self, array: Floats, free: int, opponent_free: int, e: int, won: float = 1.0) -> float:
        """The entry of a position; of a decided one ``won``, or 0 where it is lost."""
        offsets, lows, sizes = self.of_size(free.bit_count())
        pair = self.ranks[free], self.ranks[opponent_free]
        t = e - int(lows[pair])
        if not 0 <= t < sizes[pair]:
            return won if t >= 0 else 0.0
        return float(array[int(offsets[pair]) + t])

    def index(self, free: int, opponent_free: int, lead: Number) -> int:
        """The lead as a difference of score indices; raises ``InvalidGame`` for a position that cannot come about."""
        _verify_boards(self.game, free, opponent_free)
        mine, theirs = self.game.all_free ^ free, self.game.all_free ^ opponent_free
        gains, a, b = self.gains[mine.bit_count()], self.ranks[mine], self.ranks[theirs]
        return _lead_index(self.game, mine, theirs, lead, (-int(gains[b, a]), int(gains[a, b])))

    def lead_on(self, position: Position) -> int:
        """The lead of two boards as a difference of score indices; raises ``InvalidGame`` unless they hold one deal.

        They have come about, so that no leads are searched: this is quick for any boards.
        """
        mine, theirs = position.board, position.theirs
        if mine.game != self.game or theirs.game != self.game:
            raise InvalidGame(f"this table is for {self.game}, not for the game of the boards", field="opponent")
        if [roll for roll, _ in mine.placements] != [roll for roll, _ in theirs.placements]:
            raise InvalidGame("the boards of a duel hold the same rolls in the same order", field="opponent")
        support, shifts = self.game.dice.support, self.lattice.shifts
        return sum(
            shifts[slot - 1][support.index(roll)] - shifts[their_slot - 1][support.index(roll)]
            for (roll, slot), (_, their_slot) in zip(mine.placements, theirs.placements, strict=True)
        )


@lru_cache(maxsize=64)
def open_positions(game: Game) -> tuple[float, ...]:
    """Estimate the number of open positions, by number of free slots, to a few percent.

    The most that one player gains on the other is what the larger multipliers of the one make over the smaller ones of
    the other, the largest paired with the smallest. So the leads of a pair are counted without those of smaller pairs,
    for a sample of pairs of each size.
    """
    n = game.size
    if n > MAX_COUNTED_SLOTS or lattice_width(game) > MAX_WIDTH:
        return (inf,) * (n + 1)
    sizes = [abs(Fraction(multiplier)) for multiplier in game.multipliers]
    total = sum(sizes) or Fraction(1)
    steps = [float(size / total) * lattice_width(game) for size in sizes]
    signs = [multiplier >= 0 for multiplier in game.multipliers]
    random, samples = Random(18), SAMPLES if n <= MANY_SLOTS else FEW_SAMPLES

    def gain(mine: Sequence[int], theirs: Sequence[int]) -> float:
        """The most that the slots of one can gain on those of the other, in units."""
        pairs = zip(
            sorted(mine, key=lambda slot: steps[slot]), sorted(theirs, key=lambda slot: -steps[slot]), strict=True
        )
        return sum(max(0.0, steps[i] - steps[j]) if signs[i] == signs[j] else steps[i] for i, j in pairs)

    counts = []
    for k in range(n + 1):
        leads = 0.0
        for _ in range(samples):
            mine, theirs = random.sample(range(n), k), random.sample(range(n), k)
            filled = [slot for slot in range(n) if slot not in mine]
            their_filled = [slot for slot in range(n) if slot not in theirs]
            low = max(-gain(mine, theirs), -gain(their_filled, filled))
            high = min(gain(theirs, mine), gain(filled, their_filled))
            leads += max(0.0, high - low + 1)
        counts.append(comb(n, k) ** 2 * leads / samples)
    return tuple(counts)


def duel_steps(game: Game, power: int) -> float:
    """Estimate the steps of a table: for each position and roll, this power of the number of free slots."""
    return len(game.dice.support) * sum(float(k**power) * count for k, count in enumerate(open_positions(game)))


def check_duel_size(game: Game, values: float = 0.0, power: int = 0) -> None:
    """Raise ``TooLarge`` if a table of the duel is too large.

    Parameters
    ----------
    game
        The game.
    values
        The number of float64 values per open position: 0.5 if only one of two mirrored positions is stored.
    power
        The steps per position and roll, as a power of the number of free slots.
    """
    n = game.size
    is_countable = n <= MAX_COUNTED_SLOTS and lattice_width(game) <= MAX_WIDTH
    pairs = float(comb(2 * n, n)) if is_countable else inf
    size, steps = BYTES_PER_PAIR * pairs, pairs
    if values and pairs < inf:
        size += 8 * values * sum(open_positions(game))
        steps += duel_steps(game, power)
    check_size(f"the table of the duel on {n:,} slots", bytes=size, operations=steps)


def verify_draw(draw: float) -> None:
    if isinstance(draw, bool) or not isinstance(draw, int | float) or not 0 <= draw <= 1:
        raise InvalidGame(f"{draw!r} is not the worth of a draw; accepted: 0 to 1", field="draw")


def gains_by_size(game: Game) -> tuple[list[Ints], Ints, list[Ints]]:
    """The free sets by their size, the rank of each set, and by size the most that one still gains on another.

    All slots of A are paired with those of B, so the first slot of A is, whatever comes of the others.
    """
    shifts, (sets, ranks) = moves_of(game).shifts, sets_by_size(game.size)
    difference = (shifts[:, np.newaxis] - shifts).max(axis=2)
    gains = [np.zeros((1, 1), dtype=np.int64)]
    for group in sets[1:]:
        first = group & -group
        smaller, i = gains[-1][ranks[group ^ first]], np.bitwise_count(first - 1)
        most = np.full((len(group), len(group)), -(1 << 62))
        for j in range(game.size):
            paired = np.flatnonzero(group >> j & 1)
            after = smaller[:, ranks[group[paired] ^ (1 << j)]] + difference[i, j, np.newaxis]
            most[:, paired] = np.maximum(most[:, paired], after)
        gains.append(most)
    return sets, ranks, gains


def verify_position(game: Game, free: int, opponent_free: int, lead: Number) -> None:
    """Raise ``InvalidGame`` for a position that cannot come about, as far as that is seen without the windows.

    >>> verify_position(Game.parse("1d6", "1-3"), 0b011, 0b101, 6)
    >>> verify_position(Game.parse("1d6", "1-3"), 0b011, 0b001, 0)
    Traceback (most recent call last):
    tentimes18.errors.InvalidGame: free: 2 slots are free on one board and 1 on the other; both players fill ...
    """
    _verify_boards(game, free, opponent_free)
    mine, theirs = game.all_free ^ free, game.all_free ^ opponent_free
    if mine.bit_count() > MAX_FILLED:
        return
    first, leads = _leads(game, mine, theirs)
    if leads:
        _lead_index(game, mine, theirs, lead, (first, first + leads.bit_length() - 1))


def _verify_boards(game: Game, free: int, opponent_free: int) -> None:
    game.verify_mask(free)
    game.verify_mask(opponent_free)
    if free.bit_count() != opponent_free.bit_count():
        raise InvalidGame(
            f"{free.bit_count()} slots are free on one board and {opponent_free.bit_count()} on the other; "
            "both players fill one slot a round",
            field="free",
        )


def _lead_index(game: Game, mine: int, theirs: int, lead: Number, ends: tuple[int, int]) -> int:
    """The lead as a difference of score indices, with the slots ``mine`` and ``theirs`` filled.

    ``ends`` are the least and the most that can come about.
    """
    lattice = lattice_of(game)
    base, unit = lattice.low(mine) - lattice.low(theirs), lattice.unit
    e = (lead - base) / unit
    (least, most), (first, leads) = ends, _leads(game, mine, theirs)
    if least <= e <= most and leads:
        below, above = floor(e) - first, ceil(e) - first
        if below == above and leads >> below & 1:
            return int(e)
        before = first + (leads & (1 << below + 1) - 1).bit_length() - 1
        rest = leads >> above
        after = first + above + (rest & -rest).bit_length() - 1
        raise InvalidGame(
            f"{lead} cannot occur with these slots filled; "
            f"the nearest that can are {base + unit * before} and {base + unit * after}",
            field="lead",
        )
    if e.denominator != 1 or not least <= e <= most:
        low, high = (base + unit * bound for bound in (least, most))
        raise InvalidGame(f"{lead} cannot occur with these slots filled; leads go from {low} to {high}", field="lead")
    return int(e)


def in_parts(things: Ints, steps: float) -> list[Ints]:
    """Cut the sets or pairs of a layer, which take this many steps of a kernel, into parts for threads.

    All have the same order of memory: for another one a kernel would be compiled again.
    """
    return np.array_split(np.ascontiguousarray(things), part_count(len(things), steps))


@lru_cache(maxsize=MAX_CACHED_LEADS)
def _leads(game: Game, mine: int, theirs: int) -> tuple[int, int]:
    """The least lead with these slots filled, and a bit for each that comes about from it on; no bits if slow."""
    ours, others, shifts = slots_of(mine), slots_of(theirs), lattice_of(game).shifts
    gains = {
        (i, j): {mine - theirs for mine, theirs in zip(shifts[i - 1], shifts[j - 1], strict=True)}
        for i in ours
        for j in others
    }
    least = min((min(steps) for steps in gains.values()), default=0)
    most = max((max(steps) for steps in gains.values()), default=0)
    moves = sum(map(len, gains.values())) << max(0, len(ours) - 1)
    if moves * (len(ours) * (most - least) + 5000) > MAX_LEAD_BITS:  # 5000: the overhead of a move
        return 0, 0
    layer = {0: 1}
    for i in ours:
        after: dict[int, int] = {}
        for paired, sums in layer.items():
            for place, j in enumerate(others):
                if not paired >> place & 1:
                    pairing = paired | 1 << place
                    for step in gains[i, j]:
                        after[pairing] = after.get(pairing, 0) | sums << (step - least)
        layer = after
    (leads,) = layer.values()
    below = (leads & -leads).bit_length() - 1
    return len(ours) * least + below, leads >> below


@compiled()
def list_slots(A: int, slots: Ints) -> None:
    """The slots, from 0, of a set."""
    r = 0
    for i in range(64):
        if A >> i & 1:
            slots[r] = i
            r += 1


@compiled()
def read(table: DuelTable, half: bool, at: Standing) -> float:
    """The value of a position; with ``half``, only pairs with rank(A) <= rank(B) are in the table."""
    ranks, starts, counts, offsets, lows, sizes, values = table
    A, B, k, e = at
    a, b = ranks[A], ranks[B]
    mirrored = half and a > b
    if mirrored:
        a, b, e = b, a, -e
    pair = starts[k] + a * counts[k] + b
    t = e - lows[pair]
    value = 0.0 if t < 0 else 1.0
    if 0 <= t < sizes[pair]:
        value = values[offsets[pair] + t]
    return 1.0 - value if mirrored else value
