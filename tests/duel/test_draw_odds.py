"""The equilibrium with draw odds: its values against exact ones, and its mixed moves against the best response."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pytest

from tentimes18.duel.equilibrium import DrawOdds, solve_equilibrium
from tentimes18.game import Board, Game, Position, mask_of
from tests.oracle import Score
from tests.oracle.duel import Free, MixedRule, best_against_mixed, equilibrium, reachable
from tests.support.games import all_slots, law_of

TOLERANCE = 1e-12


def moves_of(table: DrawOdds) -> MixedRule:
    """The mixed moves in the form of the reference computations, on any boards with these free slots and this lead."""

    @cache
    def boards() -> dict[tuple[int, int, Score], Position]:
        empty = Board(table.game)
        found = [Position(empty, empty)]
        for position in found:  # which grows meanwhile
            for roll in table.game.dice.support:
                found += [
                    position.after(roll, i, j) for i in position.board.free_slots for j in position.theirs.free_slots
                ]
        return {(p.board.free, p.theirs.free, p.lead): p for p in found}

    def moves(free: Free, opponent_free: Free, lead: Score, roll: int) -> Mapping[int, float]:
        found = table.moves_on(boards()[mask_of(free), mask_of(opponent_free), lead], roll)
        assert set(found) <= free
        assert sum(found.values()) == pytest.approx(1, rel=0, abs=TOLERANCE)
        return found

    return moves


@pytest.mark.parametrize("draw", [0.0, 0.25, 0.75, 1.0])
@pytest.mark.parametrize(("dice", "slots"), [("d{1,4,16}", "1,2,5"), ("1d3", "-1,2,2"), ("d{-3,0}:0=3", "-2,0,1/2")])
def test_values_and_moves_are_exact(dice: str, slots: str, draw: float) -> None:
    game = Game.parse(dice, slots)
    law, free = law_of(game.dice), all_slots(game)
    table = DrawOdds(game, draw)
    exact = equilibrium(law, game.multipliers, Fraction(draw))
    for (mine, theirs), leads in reachable(law, game.multipliers).items():
        for lead in leads if mine else ():
            wanted = float(exact(mine, theirs, lead))
            assert table.value(mask_of(mine), mask_of(theirs), lead) == pytest.approx(wanted, rel=0, abs=TOLERANCE)
            turned = table.turned.value(mask_of(theirs), mask_of(mine), -lead)
            assert turned == pytest.approx(1 - wanted, rel=0, abs=TOLERANCE)
    start = float(exact(free, free, 0))
    against_first = best_against_mixed(law, game.multipliers, moves_of(table), 1 - Fraction(draw))(free, free, 0)
    assert 1 - float(against_first) == pytest.approx(start, rel=0, abs=TOLERANCE)
    against_second = best_against_mixed(law, game.multipliers, moves_of(table.turned), Fraction(draw))(free, free, 0)
    assert float(against_second) == pytest.approx(start, rel=0, abs=TOLERANCE)


def test_worth_one_half_it_is_the_equilibrium() -> None:
    game = Game.parse("1d4", "1-3")
    odds, table = DrawOdds(game, 0.5), solve_equilibrium(game)
    mixed = 0
    for (mine, theirs), leads in reachable(law_of(game.dice), game.multipliers).items():
        for lead in leads if mine else ():
            position = mask_of(mine), mask_of(theirs), lead
            assert odds.value(*position) == pytest.approx(table.value(*position), rel=0, abs=TOLERANCE)
            mixed += any(len(table.moves(*position, roll)) > 1 for roll in game.dice.support)
    assert mixed > 0


def test_boards() -> None:
    game = Game.parse("1d6", "1-3")
    table, board = DrawOdds(game, 0.75), Board(game)
    position = Position(board.place(4, 3), board.place(4, 1))
    assert table.value_on(position) == table.value(position.board.free, position.theirs.free, 8)
    drawn = Position(*[Board.replay(game, [(1, 1), (1, 2), (1, 3)])] * 2)
    assert table.value_on(drawn) == 0.75
    assert table.turned.value_on(drawn) == 0.25
    assert table.turned.turned.value_on(drawn) == 0.75
    assert table.nbytes > table.values.nbytes
