"""Strategies as seats: their slots are those of the strategy."""

import pytest

from tentimes18.game import Board, Game, mask_of
from tentimes18.simulate.duel_players import has_seat, seat_of
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.named import named
from tentimes18.strategies.user_code import find
from tests.support.simulated import MINE

GAME = Game.parse("1d4", "1-3")


@pytest.mark.parametrize("name", ["optimal", "nearest", "bands", "greedy", "target:20", "cvar:0.5"])
def test_slots(name: str) -> None:
    seat, strategy, lattice = seat_of(name, GAME), named(name), lattice_of(GAME)
    board = Board(GAME).place(3, 2)
    units = lattice.shifts[1][2] if seat.looks else 0
    for x, roll in enumerate(GAME.dice.support):
        assert seat.slots[seat.bases[mask_of((1, 3))] + units, x] + 1 == strategy.choose(board, roll)


def test_who_has_one() -> None:
    names = ("optimal", "random", "target:20", "hunter", "equilibrium", "hindsight")
    assert [has_seat(name) for name in names] == [True] * 5 + [False]
    assert not has_seat(MINE, find)
