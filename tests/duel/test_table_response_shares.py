"""What the best response leaves to the others: in fractions, against its value, and in its duel."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.duel.best_response import best_response
from tentimes18.duel.several_players import table_shares
from tentimes18.duel.several_players_response import response_shares, table_response
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.plan import Limits
from tentimes18.strategies.named import RULES
from tentimes18.strategies.seats import seat_of
from tests.oracle.table import answered_shares
from tests.support.games import games
from tests.support.tables import law_of_dice, own_rules

NAMES = ("optimal", "nearest", "bands", "greedy")


@settings(max_examples=20)
@given(game=games(max_slots=3, max_rolls=4), names=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3))
def test_all_plays(game: Game, names: list[str]) -> None:
    exact = answered_shares(law_of_dice(game), game.multipliers, own_rules(game, names))
    found = response_shares(table_response(game, [seat_of(name, game) for name in names]))
    assert found.shares == pytest.approx([float(share) for share in exact], abs=1e-12)


@pytest.mark.parametrize("names", [("optimal", "greedy"), ("target:30", "nearest"), ("optimal", "bands", "greedy")])
def test_four_slots(names: tuple[str, ...]) -> None:
    game = Game.parse("1d4", "1-4")
    exact = answered_shares(law_of_dice(game), game.multipliers, own_rules(game, names))
    found = response_shares(table_response(game, [seat_of(name, game) for name in names]))
    assert found.shares == pytest.approx([float(share) for share in exact], abs=1e-12)


@pytest.mark.parametrize(
    ("slots", "names"), [("1-7", ("optimal", "nearest")), ("1-6", ("target:260", "bands")), ("1-5", NAMES)]
)
def test_larger_games(slots: str, names: tuple[str, ...]) -> None:
    """Forwards as backwards; nothing is left over; and without it the others have what they have at their table."""
    game = Game.parse("3d6", slots)
    seats = [seat_of(name, game) for name in names]
    response = table_response(game, seats)
    found = response_shares(response)
    assert found.shares[-1] == pytest.approx(response.share, rel=0, abs=1e-12)
    assert sum(found.shares) == pytest.approx(1, rel=0, abs=1e-12)
    assert all(sole <= share for sole, share in zip(found.sole, found.shares, strict=True))
    assert found.without == pytest.approx(table_shares(game, seats).shares, rel=0, abs=1e-12)
    assert all(share < before for share, before in zip(found.shares, found.without, strict=False))


def test_one_other_is_a_duel() -> None:
    """Wins and losses are those of the response in a duel."""
    game = Game.parse("3d6", "1-6")
    duel = best_response(game, RULES["bands"](game)).outcome
    found = response_shares(table_response(game, [seat_of("bands", game)]))
    assert found.sole == pytest.approx((duel.loss, duel.win), rel=0, abs=1e-12)
    assert found.without == (1.0,)


def test_limits_and_progress() -> None:
    game = Game.parse("1d4", "1-3")
    response = table_response(game, [seat_of(name, game) for name in ("optimal", "greedy")])
    with pytest.raises(TooLarge, match="the list of the positions that these players come to"):
        response_shares(response, Limits(1e3, 600))
    told: list[tuple[int, int]] = []
    response_shares(response, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
