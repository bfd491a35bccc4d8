"""The lattice of scores, the rule of `optimal`, and both as arrays."""

from fractions import Fraction
from itertools import product
from math import gcd

import numpy as np
import pytest
from hypothesis import given, settings

from tentimes18.errors import IllegalMove
from tentimes18.game import Board, Game, mask_of, slots_of
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.move_arrays import moves_of, rule_slots, slot_order
from tentimes18.solve.thresholds import optimal_rule
from tests.oracle import play
from tests.oracle.play import move_values
from tests.support.games import games, law_of
from tests.support.solved import boards, few, last_or_first


@given(games())
def test_points_of_every_roll_in_every_slot(game: Game) -> None:
    lattice = lattice_of(game)
    for i, multiplier in enumerate(game.multipliers):
        shifts = lattice.shifts[i]
        assert min(shifts) == 0
        assert max(shifts) == lattice.widths[i] == lattice.width(1 << i)
        for x, shift in zip(game.dice.support, shifts, strict=True):
            assert lattice.score(1 << i, shift) == multiplier * x


@given(games())
def test_no_coarser_unit_would_do(game: Game) -> None:
    lattice = lattice_of(game)
    found = gcd(*(shift for row in lattice.shifts for shift in row))
    assert lattice.unit > 0
    assert found in (0, 1)  # 0 where all points are the same


@given(games(max_slots=3, max_rolls=3))
def test_sums_of_points(game: Game) -> None:
    lattice = lattice_of(game)
    for rolls in product(range(len(game.dice.support)), repeat=game.size):
        index = sum(lattice.shifts[i][x] for i, x in enumerate(rolls))
        points = sum(m * game.dice.support[x] for m, x in zip(game.multipliers, rolls, strict=True))
        score = lattice.score(game.all_free, index)
        assert score == points
        assert isinstance(score, int) == (Fraction(points).denominator == 1)
        assert index <= lattice.width(game.all_free)


@given(boards(max_slots=4, max_rolls=5))
def test_moves_as_arrays(board: Board) -> None:
    game, lattice = board.game, lattice_of(board.game)
    P, shifts = moves_of(game, board.free)
    assert shifts.dtype == np.int64
    assert P.tolist() == [float(game.dice.probability(x)) for x in game.dice.support]
    assert shifts.shape == (len(board.free_slots), len(game.dice.support))
    for i, slot in enumerate(board.free_slots):
        for place, x in enumerate(game.dice.support):
            points = lattice.low(1 << (slot - 1)) + lattice.unit * int(shifts[i, place])
            assert points == Fraction(game.multipliers[slot - 1] * x)


@given(boards(max_slots=4, max_rolls=4, min_free=1))
@few
def test_the_first_of_the_best_slots(board: Board) -> None:
    game = board.game
    for roll in game.dice.support:
        best = play.best_slots(law_of(game.dice), game.multipliers, frozenset(board.free_slots), roll)
        assert optimal_rule(game)(board.free, roll) == min(best)


def test_a_full_board_has_no_slot() -> None:
    with pytest.raises(IllegalMove, match="full"):
        optimal_rule(Game.classic())(0, 10)


@given(boards(max_slots=5, max_rolls=5, min_free=1))
def test_arrays_of_slots(board: Board) -> None:
    """The array holds the slots that the rule takes, for `optimal` by its own kernel and for others one by one."""
    game, slots = board.game, board.free_slots
    for rule in (optimal_rule(game), last_or_first):
        found = rule_slots(game, rule, board.free)
        assert found.shape == (1 << len(slots), len(game.dice.support))
        for A in range(1, 1 << len(slots)):
            free = mask_of(slots[i] for i in range(len(slots)) if A >> i & 1)
            assert [slots[i] for i in found[A]] == [rule(free, roll) for roll in game.dice.support]


@settings(max_examples=20)
@given(game=games(max_slots=4, max_rolls=4))
def test_by_the_mean(game: Game) -> None:
    order, optimal = slot_order(game), optimal_rule(game)
    for A in range(1, game.all_free + 1):
        for x, roll in enumerate(game.dice.support):
            slots = [slot + 1 for slot in order[A, x].tolist() if slot >= 0]
            assert sorted(slots) == list(slots_of(A))
            assert slots[0] == optimal(A, roll)
            values = move_values(law_of(game.dice), game.multipliers, frozenset(slots), roll)
            assert slots == [slot for _, slot in sorted((-value, slot) for slot, value in values.items())]
