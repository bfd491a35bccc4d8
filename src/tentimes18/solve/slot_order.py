"""The free slots by the mean of what they lead to: which one a player takes where several are as good for a win."""

import numpy as np

from tentimes18.game import Game, slots_of
from tentimes18.kernels.types import Slots
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.moves import moves_of

__all__ = ["slot_order"]

DIGITS = 13  # of a mean, as a share of the largest score; means with the same digits are the same


def slot_order(game: Game) -> Slots:
    """[A, x]: the slots of A, from 0, by the mean of what they lead to, the best first; filled up with -1.

    >>> order = slot_order(Game.parse("1d3", "1-2"))
    >>> order[0b11].tolist(), order[0b01].tolist()
    ([[0, 1], [0, 1], [1, 0]], [[0, -1], [0, -1], [0, -1]])
    """
    P, shifts = moves_of(game)
    largest = max(1, lattice_width(game))
    M = np.zeros(1 << game.size)
    order = np.full((1 << game.size, len(P), game.size), -1, dtype=np.int8)
    for A in range(1, 1 << game.size):
        slots = np.array(slots_of(A)) - 1
        means = shifts[slots].T + M[A ^ (1 << slots)]
        M[A] = P @ means.max(axis=1)
        order[A, :, : len(slots)] = slots[np.argsort(-np.round(means / largest, DIGITS), axis=1, kind="stable")]
    return order
