"""The types of the arrays that kernels take."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Slots: TypeAlias = NDArray[np.int8]
Bools: TypeAlias = NDArray[np.bool_]
Words: TypeAlias = NDArray[np.uint64]


class Moves(NamedTuple):
    """What a roll does: its chance P[x], and the units shifts[i, x] that it makes in a slot (`solve.lattice`)."""

    P: Floats
    shifts: Ints
