"""The named tuples of arrays that kernels take.

Everywhere A and B are free sets as masks, i and j slots from 0, x the place of a roll in the support of the dice, and k
a number of free slots.

A kernel unpacks a tuple once, at its top: looking up an array by name inside of a loop counts a reference each time.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ANY",
    "BEST_REPLY",
    "BY_EQUILIBRIUM",
    "BY_RESPONSE",
    "BY_RULE",
    "HUNTER",
    "MIXED",
    "Bools",
    "Chances",
    "Clockwork",
    "DuelLayer",
    "DuelPlayers",
    "DuelTable",
    "Exceedances",
    "ExcessCell",
    "ExcessTable",
    "Floats",
    "Flow",
    "Followed",
    "Growth",
    "Hunter",
    "IntGrid",
    "Ints",
    "Laws",
    "LayerChances",
    "Limbs",
    "Means",
    "Moves",
    "Objective",
    "OpponentSlots",
    "Pair",
    "RandomWords",
    "RollLaw",
    "Rounds",
    "Slots",
    "Spans",
    "Standing",
    "Stored",
    "Successors",
    "TableGains",
    "TableLayer",
    "TablePositions",
    "TableRound",
    "TableSeats",
    "TableTurn",
    "Windows",
    "Words",
]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
IntGrid: TypeAlias = NDArray[np.int64]
Slots: TypeAlias = NDArray[np.int8]
Bools: TypeAlias = NDArray[np.bool_]
Words: TypeAlias = NDArray[np.uint64]

# In a table of slots, in place of a slot:
ANY = -1  # each free one with the same chance
HUNTER = -2  # that of the best response to another rule
MIXED = -3  # those of an equilibrium's mixed move
BEST_REPLY = -4  # the best one against such a move

# How a player of a duel chooses:
BY_RULE = 0
BY_RESPONSE = 1
BY_EQUILIBRIUM = 2


class RollLaw(NamedTuple):
    """The law of the dice in floats: the rolls, and count and sum of the first p of them over the total."""

    rolls: Floats
    C: Floats
    S: Floats


class Clockwork(NamedTuple):
    """Arrivals whose values lose e^-decay in a unit of time; between two edges the rate is a polynomial on [-1, 1]."""

    decay: float
    edges: Floats
    rates: Floats


class Growth(NamedTuple):
    """Of some pieces: logarithms of bounds of a function on ellipses, [piece, ellipse]; what it is off; and a count."""

    sizes: Floats
    noises: Floats
    counts: Floats


class ExcessTable(NamedTuple):
    """E[max(X - t, 0)] of some laws: a polynomial a cell, in u = (t - mid) inverse, its constant first.

    The cells of law l are starts[l] to starts[l + 1], from left to right; the first begins at -∞, the last has no end.
    """

    starts: Ints
    left: Floats
    mid: Floats
    inverse: Floats
    coefficients: Floats
    degrees: Ints


class ExcessCell(NamedTuple):
    """One of its cells: its number, the degree of its polynomial, and its coordinates."""

    number: int
    degree: int
    mid: float
    inverse: float


class Rounds(NamedTuple):
    """The rounds of an assignment, from the last on: law, chance that a value comes, factor of what comes after it.

    By number of the law: its mean, and the relative and absolute error of its excess.
    """

    laws: Ints
    chances: Floats
    factors: Floats
    means: Floats
    errors: Floats
    floors: Floats


class Exceedances(NamedTuple):
    """The rounds from the first on: law, chance of a value, what it is multiplied by, chance to be the last."""

    laws: Ints
    chances: Floats
    scales: Floats
    ends: Floats


class Successors(NamedTuple):
    """A Markov chain: the chances of the first regime, and for each the regimes that may follow, with their chances."""

    begin: Floats
    targets: Ints
    chances: Floats


class Flow(NamedTuple):
    """Arrivals in a span of time, looked at from its end: rates as a polynomial in 2 s / span - 1, and the discount."""

    rates: Floats
    decay: float
    span: float


class Moves(NamedTuple):
    """What a roll does: its chance P[x], and the units shifts[i, x] that it makes in a slot (`solve.lattice`)."""

    P: Floats
    shifts: Ints


class Spans(NamedTuple):
    """An array for each free set in one flat array: that of A has the indices 0..widths[A], from offsets[A] on."""

    widths: Ints
    offsets: Ints


class Laws(NamedTuple):
    """Laws one after the other: number s stands from starts[s] up to starts[s + 1]."""

    starts: Ints
    weights: Floats


class Objective(NamedTuple):
    """What one unit of score does to the index of a table, and the values beyond its ends.

    ``below`` the first index; above the last one of free set A the straight line base[A] + slope * index. Values tie
    with the best one where they are within the share ``near`` of it, and ``least`` more.
    """

    step: int
    below: float
    base: Floats
    slope: float
    near: float
    least: float


class Limbs(NamedTuple):
    """Integers high · 2^bits + low with 0 <= low < 2^bits; those of the sets that a move leads to, beyond their ends.

    ``below`` the first index; above the last one the value falls by ``fall`` a step, and to 0 at once where that is 0.
    """

    bits: int
    high: Ints
    low: Ints
    below: tuple[int, int]
    fall: tuple[int, int]


class Means(NamedTuple):
    """The mean of the points to come in units, N[:, cell]; ``step`` as in `Objective`.

    Integers in limbs of ``bits`` bits, the highest first, or one float64. points[:, i, x] is what roll x makes in slot
    i, in the same form. Means within ``near`` are equal.
    """

    step: int
    bits: int
    near: float
    points: Ints | Floats
    N: Ints | Floats


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


class Hunter(NamedTuple):
    """A best response to the rule theirs[B, x]: the slots order[A, x] by their mean, and the equities it leads to."""

    theirs: Slots
    order: Slots
    table: DuelTable


class DuelPlayers(NamedTuple):
    """Two players of a kind each: BY_RULE plays slots[A, x], BY_RESPONSE as the hunter, BY_EQUILIBRIUM by the table."""

    kinds: tuple[int, int]
    slots: tuple[Slots, Slots]
    hunter: Hunter
    equilibrium: DuelTable


class OpponentSlots(NamedTuple):
    """Who plays slots[B, x]: ANY is at random, HUNTER like the hunter; without any slots, the equilibrium.

    BEST_REPLY is the best against its mixed moves, by the values of its table.
    """

    slots: Slots
    hunter: Hunter


class LayerChances(NamedTuple):
    """The chances of the positions of a layer, whose windows stand one after the other; and at which pairs are any."""

    reached: Bools
    chances: Floats


class Followed(NamedTuple):
    """A round of an equilibrium: how many positions came about, and the chances of what happened.

    My move was mixed; it departed from a rule; the duel was won, and lost, for me in this round; it is still open.
    """

    positions: int
    mixed: float
    departed: float
    won: float
    lost: float
    still_open: float


class RandomWords(NamedTuple):
    """A stream of random words for one player: round r draws from word groups[r], below products[groups[r]]."""

    key: np.uint64
    products: NDArray[np.uint64]
    groups: Ints


class TableSeats(NamedTuple):
    """Who sits at a table: seat p takes slots[bases[p, A] + looks[p] · its points, x].

    HUNTER and MIXED stand for the move of a duel against the seat rivals[p], by ``hunter`` and ``equilibrium``. Only
    who ``competes`` can be first.
    """

    slots: Slots
    bases: Ints
    looks: Ints
    rivals: Ints
    competes: Bools
    hunter: Hunter
    equilibrium: DuelTable


class TableGains(NamedTuple):
    """The most that a player with one free set can still gain on one with another, by their ranks.

    Where both have k slots it is values[starts[k] + a counts[k] + b].
    """

    ranks: Ints
    starts: Ints
    counts: Ints
    values: Ints


class TableRound(NamedTuple):
    """A round at a table: k free slots of n, and the bits that hold a score.

    ``first`` is the position to go on from, ``most`` how many positions one can lead to.
    """

    k: int
    n: int
    bits: int
    first: int
    most: int


class TablePositions(NamedTuple):
    """Positions at a table, and their chances: the free sets of all seats in one word, their points in another.

    Who is out has no free slots there. In a list that is searched by a hash, ``sets`` are 0 where nothing stands.
    """

    sets: Words
    points: Words
    chances: Floats


class TableLayer(NamedTuple):
    """The windows of leads for each position of the others and each of my sets, in a flat array from offsets[q, a] on.

    As `Windows`, the lead being that over the others' common base.
    """

    offsets: Ints
    lows: Ints
    sizes: Ints


class TableTurn(NamedTuple):
    """A turn of the best response at a table: all that its slot depends on.

    ``sets`` are my free sets by rank, ``ranks`` those of all sets; order[A, x] the slots of A, the best mean first.
    Roll x leads the others from position q to nexts[q, x], and raises their base by steps[q, x]. ``here`` are the
    windows of my leads now, ``after`` those after the turn, and ``smaller`` what is in these.
    """

    sets: Ints
    ranks: Ints
    order: Slots
    nexts: Ints
    steps: Ints
    here: TableLayer
    after: TableLayer
    smaller: Floats
