"""Packed laws: sums, shifts and rolls as a dictionary of scores has them."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.game import Game, slots_of
from tentimes18.solve.scores.packing import Packing
from tests.oracle.sequences import law_of_random
from tests.support.games import games, law_of
from tests.support.solved import as_oracle


@given(games(max_slots=4, max_rolls=4))
def test_all_rolls_in_all_slots(game: Game) -> None:
    packing = Packing(game, game.all_free)
    law = 1
    for slot in slots_of(game.all_free):
        law = packing.placed(law, slot, range(len(game.dice.support)))
    assert as_oracle(packing.unpack(law)) == law_of_random(law_of(game.dice), game.multipliers)


@given(games(max_slots=3, max_rolls=4), st.data())
def test_shifts_and_sums(game: Game, data: st.DataObject) -> None:
    """The largest weight that there can be fits beside its neighbours."""
    packing = Packing(game, game.all_free)
    indices = sorted(data.draw(st.sets(st.integers(0, packing.width), min_size=1)))
    law = sum(packing.total * packing.shifted(1, index) for index in indices)
    found = packing.unpack(law)
    assert found.scores == tuple(packing.lattice.score(game.all_free, index) for index in indices)
    assert set(found.weights) == {packing.total}


def test_only_part_of_the_rolls() -> None:
    game = Game.parse("1d6", "2")
    packing = Packing(game, 1)
    assert as_oracle(packing.unpack(packing.placed(1, 1, [0, 5]))) == {2: Fraction(1, 6), 12: Fraction(1, 6)}
