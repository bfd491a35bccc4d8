"""The duel: two players, the same rolls; which pairs of boards and leads there are, and which of them are open.

Both players fill one slot a round, so a position is two free sets A (mine) and B (the opponent's) of the same size k,
and my lead. The lead is counted as e, the difference of the score indices on the game's lattice, which ends as the
difference of the scores in units. With g[A, B] the most that a player with free set A can still gain on one with B,

    g[A, B] = max over x, i, j of shift_i(x) - shift_j(x) + g[A - i, B - j],    g[∅, ∅] = 0,

a lead e > g[B, A] is won for sure and e < -g[A, B] lost. And with F, G the filled sets, the leads that can have come
about lie in -g[G, F] <= e <= g[F, G]. Only leads that pass both tests are stored.

Not all of these come about: those that do are Σ_{i ∈ F} (shift_i(x_i) - shift_σ(i)(x_i)), σ pairing F with G and x_i
the roll of that round. With the slots of F taken one after the other, the sums by the set of slots of G that are paired
are bits of one large integer. A position that is asked for must have such a lead.

Duels on the same rolls: the leads that are open, and values read from the windows that hold them.

The lead e is the difference of the two score indices (`solve.lattice`). Of each pair of free sets only a window of
leads is stored (`kernels.types.Windows`): those that can be reached and are not yet decided.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from math import ceil, floor
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.duel.plans import windows_plan
from tentimes18.errors import InvalidGame
from tentimes18.game import Board, Game, Number, Position, slots_of
from tentimes18.kernels.types import Floats, Ints
from tentimes18.plan import admit_game
from tentimes18.solve.lattice import Lattice, lattice_of
from tentimes18.solve.layers import apart, part_count
from tentimes18.solve.moves import moves_of


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


class Pair(NamedTuple):
    """My free set, the opponent's, and their window of leads."""

    A: int
    B: int
    low: int
    size: int


class Standing(NamedTuple):
    """A single position of a duel: my free set, the opponent's, how many slots each has, and my lead."""

    A: int
    B: int
    k: int
    e: int


class Stored(NamedTuple):
    """Values, and where those of a layer stand."""

    windows: Windows
    values: Floats


class Chances(NamedTuple):
    """My equity, and the chance of a draw, from every position."""

    equity: Floats
    draw: Floats


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


Solved: TypeAlias = tuple[Floats, dict[str, Any]]
Kept: TypeAlias = Callable[[int, Callable[[], Solved]], Solved]
"""Given the number of values and how to make them, the values: perhaps from an earlier time."""

MAX_LEAD_BITS: Final = 1e10  # moved to find the leads of a pair of boards: about a second
MOST_FILLED: Final = 16  # slots of a board whose leads are found
KEPT_LEADS: Final = 10_000  # pairs of boards whose leads are remembered


class DuelWindows:
    """The windows of leads e that are stored for each pair (A, B), one after the other in one flat array.

    With ``half``, only pairs with rank(A) <= rank(B) are there.

    >>> windows = DuelWindows(Game.parse("1d6", "1-3"), half=False)
    >>> windows.cells, windows.index(0b011, 0b101, 6)
    (100, 5)
    """

    def __init__(self, game: Game, *, half: bool) -> None:
        n = game.size
        admit_game(game, windows_plan)
        self.game = game
        self.lattice = lattice_of(game)
        self._leads = lru_cache(maxsize=KEPT_LEADS)(partial(_leads, self.lattice.shifts))
        self.moves = moves_of(game)
        self.P, self.shifts = self.moves
        masks = np.arange(1 << n)
        sizes = np.bitwise_count(masks)
        self.sets = [masks[sizes == k] for k in range(n + 1)]
        self.ranks = np.zeros(1 << n, dtype=np.int64)
        for group in self.sets:
            self.ranks[group] = np.arange(len(group))
        self.gains = [np.zeros((1, 1), dtype=np.int64)]
        for k in range(1, n + 1):
            gains = np.empty((len(self.sets[k]),) * 2, dtype=np.int64)
            apart(partial(largest_gains, self.shifts, self.sets[k], self.ranks, self.gains[-1], gains))
            self.gains.append(gains)
        self.lows, self.sizes, self.offsets = [], [], []
        self.cells = 0
        for k in range(n + 1):
            earlier = self._gains_before(k)
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
        """The memory of the windows."""
        parts = (*self.sets, *self.gains, *self.lows, *self.sizes, *self.offsets, self.ranks, self.shifts)
        return sum(part.nbytes for part in parts)

    def _gains_before(self, k: int) -> Ints:
        """For each pair with k free slots, the most that the first player can have gained so far."""
        filled = self.ranks[self.game.all_free ^ self.sets[k]]
        result: Ints = self.gains[self.game.size - k][np.ix_(filled, filled)]
        return result

    def of_size(self, k: int) -> Windows:
        """The windows with k free slots."""
        return Windows(self.offsets[k], self.lows[k], self.sizes[k])

    def layer(self, k: int) -> DuelLayer:
        """The positions with k free slots, and those that they lead to, for kernels."""
        return DuelLayer(k, self.sets[k], self.ranks, self.of_size(k), self.of_size(k - 1))

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
        return _lead_index(
            self.lattice, mine, theirs, lead, self._leads(mine, theirs), (-int(gains[b, a]), int(gains[a, b]))
        )

    def lead_on(self, position: Position) -> int:
        """The lead of two boards as a difference of score indices; raises ``InvalidGame`` unless they hold one deal.

        They have come about, so that no leads are searched: this is quick for any boards.

        >>> game = Game.parse("1d6", "1-3")
        >>> board = Board(game)
        >>> DuelWindows(game, half=False).lead_on(Position(board.place(4, 3), board.place(4, 2)))
        3
        """
        mine, theirs = position.board, position.theirs
        if mine.game != self.game or theirs.game != self.game:
            raise InvalidGame(f"the boards are not of {self.game}, whose table this is", field="opponent")
        if [roll for roll, _ in mine.placements] != [roll for roll, _ in theirs.placements]:
            raise InvalidGame("the boards of a duel hold the same rolls in the same order", field="opponent")
        return self._units(mine) - self._units(theirs)

    def _units(self, board: Board) -> int:
        support, shifts = self.game.dice.support, self.lattice.shifts
        return sum(shifts[slot - 1][support.index(roll)] for roll, slot in board.placements)


def verify_position(game: Game, free: int, opponent_free: int, lead: Number) -> None:
    """Raise ``InvalidGame`` for a position that cannot come about, as far as that is seen without the windows.

    >>> verify_position(Game.parse("1d6", "1-3"), 0b011, 0b101, 6)
    >>> verify_position(Game.parse("1d6", "1-3"), 0b011, 0b001, 0)
    Traceback (most recent call last):
    tentimes18.errors.InvalidGame: free: 2 slots are free on one board and 1 on the other; both players fill ...
    """
    _verify_boards(game, free, opponent_free)
    mine, theirs = game.all_free ^ free, game.all_free ^ opponent_free
    if mine.bit_count() > MOST_FILLED:
        return
    lattice = lattice_of(game)
    first, leads = _leads(lattice.shifts, mine, theirs)
    if leads:
        ends = first + (leads & -leads).bit_length() - 1, first + leads.bit_length() - 1
        _lead_index(lattice, mine, theirs, lead, (first, leads), ends)


def _verify_boards(game: Game, free: int, opponent_free: int) -> None:
    game.verify_mask(free)
    game.verify_mask(opponent_free)
    if free.bit_count() != opponent_free.bit_count():
        raise InvalidGame(
            f"{free.bit_count()} slots are free on one board and {opponent_free.bit_count()} on the other; "
            "both players fill one slot a round",
            field="free",
        )


def _lead_index(
    lattice: Lattice, mine: int, theirs: int, lead: Number, found: tuple[int, int], ends: tuple[int, int]
) -> int:
    """The lead as a difference of score indices, with the slots ``mine`` and ``theirs`` filled.

    ``found`` are the leads that come about (`_leads`), ``ends`` the least and the most of them.
    """
    base, unit = lattice.low(mine) - lattice.low(theirs), lattice.unit
    e = (lead - base) / unit
    (least, most), (first, leads) = ends, found
    if least <= e <= most and leads:
        below, above = floor(e) - first, ceil(e) - first
        if below == above and leads >> below & 1:
            return int(e)
        before = first + (leads & (1 << below + 1) - 1).bit_length() - 1
        rest = leads >> above
        after = first + above + (rest & -rest).bit_length() - 1
        raise InvalidGame(
            f"{lead} cannot come about with these slots filled; "
            f"the nearest that can are {base + unit * before} and {base + unit * after}",
            field="lead",
        )
    if e.denominator != 1 or not least <= e <= most:
        low, high = (base + unit * bound for bound in (least, most))
        raise InvalidGame(
            f"{lead} cannot come about with these slots filled; leads go from {low} to {high}", field="lead"
        )
    return int(e)


def in_parts(things: Ints, seconds: float = 0.0) -> list[Ints]:
    """The sets or pairs of a layer, which take so many seconds, cut into parts for threads.

    All of them in one order of memory: for another one a kernel would be compiled anew.

    >>> [len(part) for part in in_parts(np.arange(130), seconds=13.0)][:3]
    [2, 2, 2]
    """
    return np.array_split(np.ascontiguousarray(things), part_count(len(things), seconds))


def _leads(shifts: tuple[tuple[int, ...], ...], mine: int, theirs: int) -> tuple[int, int]:
    """The lead of bit 0, and a bit for each lead that comes about with these slots filled; no bits if that is slow."""
    ours, others = slots_of(mine), slots_of(theirs)
    gains = {
        (i, j): {mine - theirs for mine, theirs in zip(shifts[i - 1], shifts[j - 1], strict=True)}
        for i in ours
        for j in others
    }
    least = min((min(steps) for steps in gains.values()), default=0)
    most = max((max(steps) for steps in gains.values()), default=0)
    moves = sum(map(len, gains.values())) << max(0, len(ours) - 1)
    if moves * (len(ours) * (most - least) + 5000) > MAX_LEAD_BITS:  # 5000: what a move takes by itself
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
    return len(ours) * least, leads


EQUAL = 1e-14  # equities that are closer than that are the same


@compiled()
def largest_gains(shifts: Ints, sets: Ints, ranks: Ints, smaller: Ints, gains: Ints) -> None:
    """gains[a, b]: the most that a player with free set a can still gain on one with b, over all rolls and moves."""
    n, rolls = shifts.shape
    difference = np.empty((n, n), dtype=np.int64)
    for i in range(n):
        for j in range(n):
            difference[i, j] = shifts[i, 0] - shifts[j, 0]
            for x in range(1, rolls):
                difference[i, j] = max(difference[i, j], shifts[i, x] - shifts[j, x])
    for a in range(len(sets)):
        for b in range(len(sets)):
            best = -(1 << 60)
            for i in range(n):
                if sets[a] >> i & 1:
                    for j in range(n):
                        if sets[b] >> j & 1:
                            rest = smaller[ranks[sets[a] ^ (1 << i)], ranks[sets[b] ^ (1 << j)]]
                            best = max(best, difference[i, j] + rest)
            gains[a, b] = best


@compiled()
def list_slots(A: int, slots: Ints) -> None:
    """The slots, from 0, of a set."""
    r = 0
    for i in range(64):
        if A >> i & 1:
            slots[r] = i
            r += 1


@compiled()
def copy_window(values: Floats, offset: int, low: int, size: int, start: int, out: Floats) -> None:
    """out[t] = the value at lead start + t, from a stored window; 0 below it and 1 above."""
    count = len(out)
    first = min(max(0, low - start), count)
    last = max(first, min(count, low + size - start))
    out[:first] = 0.0
    out[first:last] = values[offset + first + start - low : offset + last + start - low]
    out[last:] = 1.0


@compiled()
def copy_mirrored(values: Floats, offset: int, low: int, size: int, start: int, out: Floats) -> None:
    """out[t] = 1 - the value at lead -(start + t), from the stored window of the pair with the players exchanged."""
    for t in range(len(out)):
        e = -(start + t) - low
        if e < 0:
            out[t] = 1.0
        elif e >= size:
            out[t] = 0.0
        else:
            out[t] = 1.0 - values[offset + e]


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
