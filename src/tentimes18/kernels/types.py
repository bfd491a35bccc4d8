"""The named tuples of arrays that kernels take.

Everywhere A and B are free sets as masks, i and j slots from 0, x the place of a roll in the support of the dice, and k
a number of free slots.

A kernel unpacks a tuple once, at its top: looking up an array by name inside of a loop counts a reference each time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Bools as Bools
from tentimes18.arrays import Floats as Floats
from tentimes18.arrays import Ints as Ints
from tentimes18.arrays import Moves as Moves
from tentimes18.arrays import Slots as Slots
from tentimes18.arrays import Words as Words


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


class RandomWords(NamedTuple):
    """A stream of random words for one player: round r draws from word groups[r], below products[groups[r]]."""

    key: np.uint64
    products: NDArray[np.uint64]
    groups: Ints
