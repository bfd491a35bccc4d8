"""The best response to several players: against all plays, the duel's own response, and others in the same seat."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.duel.best_response import best_response
from tentimes18.duel.several_players import table_shares
from tentimes18.duel.several_players_response import response_shares, table_response
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.simulate.players import seat_of
from tentimes18.strategies.named import RULES
from tests.oracle.table import answered_shares
from tests.support.duels import own_rules
from tests.support.games import games, law_of

NAMES = ("optimal", "nearest", "bands", "greedy")


@pytest.mark.parametrize("name", ["optimal", "bands"])
@pytest.mark.parametrize("others", [1, 2])
def test_one_rule_is_a_duel(name: str, others: int) -> None:
    """Also at a table of several: they all have the same board, and a draw is shared by all."""
    game = Game.parse("3d6", "1-5")
    duel = best_response(game, RULES[name](game), draw=1 / (others + 1))
    found = table_response(game, [seat_of(name, game)] * others)
    assert found.share == pytest.approx(duel.outcome.equity, abs=1e-12)
    assert found.moves == {roll: duel.choose(game.all_free, game.all_free, 0, roll) for roll in game.dice.support}


def test_nobody_does_better_in_the_seat() -> None:
    game = Game.parse("2d6", "1-4")
    names = ("optimal", "bands")
    seats = [seat_of(name, game) for name in names]
    best = table_response(game, seats).share
    for name in (*NAMES, "target:50", "hunter", "equilibrium", "random"):
        for rival in (0, 1) if name in ("hunter", "equilibrium") else (-1,):
            share = table_shares(game, [*seats, seat_of(name, game)], [-1, -1, rival]).shares[2]
            assert share < best + 1e-12


def test_who_can_be_answered() -> None:
    game = Game.parse("1d4", "1-3")
    for names in (["optimal", "random"], ["hunter", "optimal"], []):
        with pytest.raises(Ten18Error, match="play by their own boards, without chance"):
            table_response(game, [seat_of(name, game) for name in names])


def test_what_does_not_fit_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.parse("3d6", "1-7")
    seats = [seat_of(name, game) for name in ("optimal", "bands")]
    response = table_response(Game.parse("1d4", "1-3"), [seat_of("optimal", Game.parse("1d4", "1-3"))] * 2)
    with pytest.raises(TooLarge, match="4 others on 10 slots are too many to answer exactly; at most 3 are"):
        table_response(Game.classic(), [seat_of("optimal", Game.classic())] * 4)
    monkeypatch.setenv("TEN18_MEMORY", "20M")
    with pytest.raises(TooLarge, match=r"the best response to all others at a table on 7 slots needs .* is 20 MB"):
        table_response(game, seats)
    monkeypatch.setenv("TEN18_MEMORY", "50k")
    with pytest.raises(TooLarge, match="the list of the positions that the others come to needs"):
        table_response(game, seats)
    monkeypatch.setenv("TEN18_MEMORY", "100")
    with pytest.raises(TooLarge, match="the list of the positions that these players come to needs"):
        response_shares(response)


def assert_shares_over_all_plays(game: Game, names: Sequence[str]) -> None:
    exact = answered_shares(law_of(game.dice), game.multipliers, own_rules(game, names))
    response = table_response(game, [seat_of(name, game) for name in names])
    assert response.share == pytest.approx(float(exact[-1]), abs=1e-12)
    assert response_shares(response).shares == pytest.approx([float(share) for share in exact], abs=1e-12)


@settings(max_examples=15)
@given(game=games(max_slots=3, max_rolls=3), names=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3))
def test_shares_over_all_plays(game: Game, names: list[str]) -> None:
    assert_shares_over_all_plays(game, names)


@pytest.mark.parametrize("names", [("optimal", "greedy"), ("target:30", "nearest"), ("optimal", "bands", "greedy")])
def test_shares_on_four_slots(names: tuple[str, ...]) -> None:
    assert_shares_over_all_plays(Game.parse("1d3", "1-4"), names)


@pytest.mark.parametrize(
    ("slots", "names"), [("1-6", ("optimal", "nearest")), ("1-5", ("target:180", "bands")), ("1-4", NAMES)]
)
def test_larger_games(slots: str, names: tuple[str, ...]) -> None:
    """Forwards as backwards; nothing is left over; and without it the others have what they have at their table."""
    game = Game.parse("3d6", slots)
    seats = [seat_of(name, game) for name in names]
    response = table_response(game, seats)
    found = response_shares(response)
    assert found.shares[-1] == pytest.approx(response.share, rel=0, abs=1e-12)
    assert sum(found.shares) == pytest.approx(1, rel=0, abs=1e-12)
    assert found.without == pytest.approx(table_shares(game, seats).shares, rel=0, abs=1e-12)
    assert all(share < before for share, before in zip(found.shares, found.without, strict=False))


def test_one_other_is_a_duel() -> None:
    """Where a draw is worth one half."""
    game = Game.parse("3d6", "1-5")
    duel = best_response(game, RULES["bands"](game)).outcome
    found = response_shares(table_response(game, [seat_of("bands", game)]))
    assert found.shares == pytest.approx((1 - duel.equity, duel.equity), rel=0, abs=1e-12)
    assert found.without == (1.0,)
