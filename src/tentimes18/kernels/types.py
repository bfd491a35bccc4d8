"""The named tuples of arrays that kernels take.

Everywhere A and B are free sets as masks, i and j slots from 0, x the place of a roll in the support of the dice, and k
a number of free slots.

A kernel unpacks a tuple once, at its top: looking up an array by name inside of a loop counts a reference each time.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Bools",
    "Exceedances",
    "ExcessCell",
    "ExcessTable",
    "Floats",
    "Flow",
    "Ints",
    "Limbs",
    "Means",
    "Moves",
    "Objective",
    "RandomWords",
    "RollLaw",
    "Rounds",
    "Slots",
    "Spans",
    "Successors",
    "Words",
]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Slots: TypeAlias = NDArray[np.int8]
Bools: TypeAlias = NDArray[np.bool_]
Words: TypeAlias = NDArray[np.uint64]


class RollLaw(NamedTuple):
    """The law of the dice in floats: the rolls, and count and sum of the first p of them over the total."""

    rolls: Floats
    C: Floats
    S: Floats


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


class RandomWords(NamedTuple):
    """A stream of random words for one player: round r draws from word groups[r], below products[groups[r]]."""

    key: np.uint64
    products: NDArray[np.uint64]
    groups: Ints
