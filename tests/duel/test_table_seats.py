"""Seats at a table: what each kind looks at, and how they stand together for kernels."""

import numpy as np
import pytest

from tentimes18.duel.best_response import best_response
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.several_players import MOST_SEATS, duel_seat, play_seat, random_seat, rule_seat, table_seats
from tentimes18.duel.slot_choice import ANY, HUNTER, MIXED
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.solve.objectives.chances import chance_table
from tentimes18.solve.rule_slots import rule_slots
from tentimes18.solve.rules import optimal_rule
from tentimes18.strategies.rules import greedy

GAME = Game.parse("1d4", "1-3")


def test_kinds() -> None:
    rule = rule_seat(rule_slots(GAME, optimal_rule(GAME)))
    play = play_seat(*chance_table(GAME).best_play(20).slot_table())
    hunter, equilibrium = duel_seat(best_response(GAME, optimal_rule(GAME))), duel_seat(Equilibrium(GAME))
    assert [seat.is_fixed for seat in (rule, play, random_seat(GAME), hunter, equilibrium)] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert [seat.looks for seat in (rule, play)] == [False, True]
    assert {int(seat.slots[0, 0]) for seat in (random_seat(GAME), hunter, equilibrium)} == {ANY, HUNTER, MIXED}


def test_together() -> None:
    """Every seat finds its own slots in the one array."""
    rules = [rule_slots(GAME, optimal_rule(GAME)), rule_slots(GAME, greedy(GAME))]
    play = play_seat(*chance_table(GAME).best_play(20).slot_table())
    table = table_seats(GAME, [rule_seat(rules[0]), play, rule_seat(rules[1])], [-1, -1, -1], [True, True, False])
    for place, slots in ((0, rules[0]), (2, rules[1])):
        for A in range(1, 8):
            assert table.slots[table.bases[place, A]].tolist() == slots[A].tolist()
    for A in range(1, 8):
        assert table.slots[table.bases[1, A]].tolist() == play.slots[play.bases[A]].tolist()
    assert table.looks.tolist() == [0, 1, 0]
    assert table.competes.tolist() == [True, True, False]


def test_too_many() -> None:
    seat = random_seat(GAME)
    with pytest.raises(Ten18Error, match=f"^strategies: {MOST_SEATS + 1} players; at most {MOST_SEATS}"):
        table_seats(GAME, [seat] * (MOST_SEATS + 1), [-1] * (MOST_SEATS + 1), [True] * (MOST_SEATS + 1))


def test_one_response_at_a_table() -> None:
    seats = [duel_seat(best_response(GAME, rule(GAME))) for rule in (optimal_rule, greedy)]
    other = rule_seat(np.zeros((8, 4), dtype=np.int8))
    with pytest.raises(Ten18Error, match="to the same rule"):
        table_seats(GAME, [*seats, other], [2, 2, -1], [True] * 3)
