"""The lattice of scores: every roll in every slot is found on it, and it is as coarse as can be."""

from fractions import Fraction
from itertools import product
from math import gcd

from hypothesis import given

from tentimes18.game import Game, mask_of, slots_of
from tentimes18.solve.lattice import lattice_of
from tests.support.games import games


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


def test_sets_of_slots() -> None:
    lattice = lattice_of(Game.parse("1d6", "1-3"))
    assert lattice.low(0) == lattice.width(0) == lattice.score(0, 0) == 0
    assert lattice.low(mask_of([1, 3])) == 4
    assert lattice.width(mask_of([1, 3])) == 20


@given(games(max_slots=4))
def test_scores_at_once(game: Game) -> None:
    """Those of any slots: the least, and from there in steps of the unit."""
    lattice = lattice_of(game)
    for free in range(game.all_free + 1):
        least = sum(min(multiplier * x for x in game.dice.support) for multiplier in game.multipliers_of(free))
        assert lattice.low(free) == least == sum(lattice.lows[slot - 1] for slot in slots_of(free))
        indexes = range(0, lattice.width(free) + 1, 3)
        assert lattice.scores(free, indexes) == [least + lattice.unit * index for index in indexes]
