"""Slots by the mean: the first one is that of the rule with the best mean, and equal ones stand by their numbers."""

from hypothesis import given, settings

from tentimes18.game import Game, slots_of
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.slot_order import slot_order
from tests.oracle.play import move_values
from tests.support.games import games, law_of


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
