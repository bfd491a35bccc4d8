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


class RandomWords(NamedTuple):
    """A stream of random words for one player: round r draws from word groups[r], below products[groups[r]]."""

    key: np.uint64
    products: NDArray[np.uint64]
    groups: Ints
