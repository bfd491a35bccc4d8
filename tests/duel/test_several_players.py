"""Shares of the wins of several players: against all sequences of rolls, duels, and a plain count with chances."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.duel.best_response import best_response, fixed_duel
from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.duel.play_out import EquilibriumPath
from tentimes18.duel.several_players import (
    MAX_PLAYERS,
    duel_seat,
    rule_seat,
    table_gains,
    table_ranks,
    table_seats,
    table_shares,
)
from tentimes18.duel.slot_choice import ANY
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game, slots_of
from tentimes18.simulate.players import seat_of
from tentimes18.solve.aims import chance_table
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import RULES, greedy
from tests.oracle.table import results
from tests.support.duels import own_rules
from tests.support.games import games, law_of
from tools.aimed_duel import aimed_duel

NAMES = ("optimal", "nearest", "bands", "greedy")


@settings(max_examples=20)
@given(game=games(max_slots=4, max_rolls=3), names=st.lists(st.sampled_from(NAMES), min_size=2, max_size=4))
def test_rules_on_all_sequences(game: Game, names: list[str]) -> None:
    shares, sole, ranks = results(law_of(game.dice), game.multipliers, own_rules(game, names))
    seats = [seat_of(name, game) for name in names]
    found = table_shares(game, seats)
    assert found.shares == pytest.approx([float(share) for share in shares], abs=1e-12)
    assert found.sole == pytest.approx([float(share) for share in sole], abs=1e-12)
    assert table_ranks(game, seats) == pytest.approx([float(rank) for rank in ranks], abs=1e-12)


@pytest.mark.parametrize("names", [("target:18", "optimal", "greedy"), ("target:18", "target:22", "nearest")])
def test_who_plays_by_its_points(names: tuple[str, ...]) -> None:
    game = Game.parse("1d4", "1-3")
    shares, sole, _ = results(law_of(game.dice), game.multipliers, own_rules(game, names))
    found = table_shares(game, [seat_of(name, game) for name in names])
    assert found.shares == pytest.approx([float(share) for share in shares], abs=1e-12)
    assert found.sole == pytest.approx([float(share) for share in sole], abs=1e-12)


@pytest.mark.parametrize("name", ["nearest", "bands", "greedy"])
def test_two_are_a_duel(name: str) -> None:
    game = Game.parse("3d6", "1-5")
    duel = fixed_duel(game, RULES[name](game), optimal_rule(game))
    found = table_shares(game, [seat_of(name, game), seat_of("optimal", game)])
    assert found.shares[0] == pytest.approx(duel.equity, abs=1e-12)
    assert found.sole == pytest.approx((duel.win, duel.loss), abs=1e-12)


def test_an_objective_in_a_duel() -> None:
    game = Game.parse("2d6", "1-4")
    duel = aimed_duel(chance_table(game).best_play(80), optimal_rule(game))
    found = table_shares(game, [seat_of("target:80", game), seat_of("optimal", game)])
    assert found.sole == pytest.approx((duel.win, duel.loss), abs=1e-12)


def test_players_of_a_duel() -> None:
    """Against one opponent alone: as the duel's own solvers say, from all positions and from the start."""
    game = Game.parse("2d6", "1-4")
    response, table = best_response(game, optimal_rule(game)), solve_equilibrium(game)
    hunter, equilibrium = duel_seat(response), duel_seat(table)
    for name in ("optimal", "greedy"):
        other = seat_of(name, game)
        path = EquilibriumPath(table, RULES[name](game)).outcome
        found = table_shares(game, [other, equilibrium], [-1, 0])
        assert (found.shares[0], *found.sole) == pytest.approx((path.equity, path.win, path.loss), abs=1e-12)
    found = table_shares(game, [hunter, seat_of("optimal", game)], [1, -1])
    assert found.shares[0] == pytest.approx(response.outcome.equity, abs=1e-12)
    path = EquilibriumPath(table, response).outcome
    assert table_shares(game, [hunter, equilibrium], [1, 0]).shares[0] == pytest.approx(path.equity, abs=1e-12)
    at_random = EquilibriumPath(table, ANY).outcome
    found = table_shares(game, [seat_of("random", game), equilibrium], [-1, 0])
    assert found.shares[0] == pytest.approx(at_random.equity, abs=1e-12)


def plain_shares(game: Game, rivals: list[int], *, hunter: Any, table: Any) -> list[Fraction | float]:
    """`random`, `greedy`, the hunter and the equilibrium at one table, by all rolls and choices."""
    rule = RULES["greedy"](game)

    def choices(seat: int, boards: tuple[tuple[int, Any], ...], roll: int) -> dict[int, float]:
        free, score = boards[seat]
        if seat == 0:
            return dict.fromkeys(slots_of(free), 1 / free.bit_count())
        if seat == 1:
            return {rule(free, roll): 1.0}
        other, theirs = boards[rivals[seat]]
        if seat == 2:
            return {hunter.choose(free, other, score - theirs, roll): 1.0}
        return dict(table.moves(free, other, score - theirs, roll))

    @cache
    def best(boards: tuple[tuple[int, Any], ...]) -> tuple[float, ...]:
        if not boards[0][0]:
            top = max(score for _, score in boards)
            first = [score == top for _, score in boards]
            return tuple(is_first / sum(first) for is_first in first)
        total = [0.0] * len(boards)
        for roll, count in zip(game.dice.support, game.dice.counts, strict=True):
            options = [choices(seat, boards, roll) for seat in range(len(boards))]
            for slots in product(*options):
                chance = count / game.dice.total
                moved = []
                for (free, score), slot, option in zip(boards, slots, options, strict=True):
                    chance *= option[slot]
                    moved.append((free ^ 1 << slot - 1, score + game.multipliers[slot - 1] * roll))
                total = [a + chance * b for a, b in zip(total, best(tuple(moved)), strict=True)]
        return tuple(total)

    return list(best(((game.all_free, 0),) * 4))


@pytest.mark.parametrize("rival", [0, 1])
def test_a_table_of_all_kinds(rival: int) -> None:
    game = Game.parse("1d3", "1-3")
    hunter, table = best_response(game, optimal_rule(game)), solve_equilibrium(game)
    rivals = [-1, -1, rival, rival]
    seats = [seat_of("random", game), seat_of("greedy", game), duel_seat(hunter), duel_seat(table)]
    found = table_shares(game, seats, rivals)
    assert found.shares == pytest.approx(plain_shares(game, rivals, hunter=hunter, table=table), abs=1e-12)


def test_only_some_compete() -> None:
    """The others are looked at, and cannot win."""
    game = Game.parse("1d4", "1-4")
    seats = [seat_of("optimal", game), duel_seat(best_response(game, optimal_rule(game))), seat_of("greedy", game)]
    rivals = [-1, 0, -1]
    found = table_shares(game, seats, rivals, competing=[1, 2])
    assert found.shares[0] == 0
    assert sum(found.shares) == pytest.approx(1)
    whole = table_shares(game, seats, rivals)
    assert found.shares[1] > whole.shares[1]
    assert found.shares[2] > whole.shares[2]


def test_what_does_not_fit_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.classic()
    seats = [seat_of(name, game) for name in ("optimal", "nearest", "bands")]
    with pytest.raises(TooLarge, match="3 players on 10 slots take more than 1,000 steps"):
        table_shares(game, seats, max_steps=1000)
    with pytest.raises(TooLarge, match=r"7 players on 10 slots, .* too many to follow exactly; at most 6 are"):
        table_shares(game, seats[:1] * 7)
    with pytest.raises(TooLarge, match=r"a table on 30 slots needs .* of memory"):
        table_gains(Game.parse("3d6", "1-30"))
    table_gains(game)
    monkeypatch.setenv("TEN18_MEMORY", "20M")
    with pytest.raises(TooLarge, match=r"the list of the positions that these players come to needs .* limit is 20 MB"):
        table_shares(game, seats)


GAME = Game.parse("1d4", "1-3")


def test_too_many() -> None:
    seat = seat_of("random", GAME)
    with pytest.raises(Ten18Error, match=f"^strategies: {MAX_PLAYERS + 1} players; at most {MAX_PLAYERS}"):
        table_seats(GAME, [seat] * (MAX_PLAYERS + 1), [-1] * (MAX_PLAYERS + 1), [True] * (MAX_PLAYERS + 1))


def test_one_response_at_a_table() -> None:
    seats = [duel_seat(best_response(GAME, rule(GAME))) for rule in (optimal_rule, greedy)]
    other = rule_seat(np.zeros((8, 4), dtype=np.int8))
    with pytest.raises(Ten18Error, match="to the same rule"):
        table_seats(GAME, [*seats, other], [2, 2, -1], [True] * 3)
