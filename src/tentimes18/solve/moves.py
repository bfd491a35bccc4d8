"""What a roll does, as arrays for kernels: its chance, and the units of `solve.lattice` that it makes in each slot."""

import numpy as np

from tentimes18.game import Game, slots_of
from tentimes18.kernels.types import Moves
from tentimes18.solve.lattice import lattice_of

__all__ = ["moves_of"]


def moves_of(game: Game, free: int | None = None) -> Moves:
    """The moves of a game, or those into the slots of a free set, counted from 0 within it.

    >>> moves = moves_of(Game.parse("1d2", "1,3"))
    >>> moves.P.tolist(), moves.shifts.tolist()
    ([0.5, 0.5], [[0, 1], [0, 3]])
    """
    dice, shifts = game.dice, lattice_of(game).shifts
    slots = slots_of(game.all_free if free is None else free)
    return Moves(
        np.array([count / dice.total for count in dice.counts]),
        np.array([shifts[slot - 1] for slot in slots], dtype=np.int64).reshape(len(slots), len(dice.support)),
    )
