"""Named tuples of arrays: compiled code takes them, and gives one back."""

from typing import get_type_hints

import numpy as np
from numba import njit

from tentimes18.kernels import types
from tentimes18.kernels.types import DuelLayer, Moves, Windows


@njit()
def swapped(moves: Moves) -> Moves:
    return Moves(moves.P * 2, moves.shifts[::-1].copy())


def test_compiled_code_takes_and_gives_them() -> None:
    found = swapped(Moves(np.array([0.25, 0.75]), np.array([[0, 1], [0, 2]])))
    assert type(found) is Moves
    assert found.P.tolist() == [0.5, 1.5]
    assert found.shifts.tolist() == [[0, 2], [0, 1]]


@njit()
def inner(layer: DuelLayer) -> int:
    size: int = layer.after.sizes[0, 0] + layer.k
    return size


def test_one_inside_another() -> None:
    ints = np.zeros((1, 1), dtype=np.int64)
    here, after = Windows(ints, ints, ints + 5), Windows(ints, ints, ints + 7)
    assert inner(DuelLayer(2, ints[0], ints[0], here, after)) == 9


def test_every_one_says_what_it_is() -> None:
    tuples = [getattr(types, name) for name in types.__all__ if hasattr(getattr(types, name), "_fields")]
    assert len(tuples) > 15
    for one in tuples:
        assert one.__doc__
        assert not one.__doc__.startswith(f"{one.__name__}(")
        assert set(get_type_hints(one)) == set(one._fields)


def test_numbers_in_place_of_a_slot_are_no_slots() -> None:
    numbers = {types.ANY, types.HUNTER, types.MIXED}
    assert len(numbers) == 3
    assert max(numbers) < 0
