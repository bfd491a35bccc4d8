"""Moves as arrays against the points that they make."""

from fractions import Fraction

import numpy as np
from hypothesis import given

from tentimes18.game import Board
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.moves import moves_of
from tests.support.solved import boards


@given(boards(max_slots=4, max_rolls=5))
def test_points_of_every_roll_in_every_free_slot(board: Board) -> None:
    game, lattice = board.game, lattice_of(board.game)
    P, shifts = moves_of(game, board.free)
    assert shifts.dtype == np.int64
    assert P.tolist() == [float(game.dice.probability(x)) for x in game.dice.support]
    assert shifts.shape == (len(board.free_slots), len(game.dice.support))
    for i, slot in enumerate(board.free_slots):
        for place, x in enumerate(game.dice.support):
            points = lattice.low(1 << (slot - 1)) + lattice.unit * int(shifts[i, place])
            assert points == Fraction(game.multipliers[slot - 1] * x)


@given(boards(max_slots=4, max_rolls=5))
def test_all_slots(board: Board) -> None:
    assert np.array_equal(moves_of(board.game).shifts, lattice_of(board.game).shifts)
