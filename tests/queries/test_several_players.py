"""Several players: simulated and exact beside each other, and the best response with those of a duel."""

from typing import Any

import pytest
from msgspec import UNSET

from tentimes18.duel.several_players import table_shares
from tentimes18.duel.several_players_response import table_response
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.queries.several_players import TableAnswer, exact_shares, response_at_table, table
from tentimes18.simulate.players import seat_of
from tentimes18.simulate.run import Run
from tests.oracle.table import answered_shares
from tests.support.duels import own_rules
from tests.support.games import law_of

GAME = Game.parse("1d6", "1-4")
THREE = ("optimal", "bands", "greedy")


def ask(*names: str, games: int = 20_000, **more: Any) -> TableAnswer:
    return table(list(names), games, 18, dice="1d6", slots="1-4", **more).answer


def test_exact_and_simulated() -> None:
    answer = ask(*THREE, games=50_000)
    exact = answer.exact
    assert exact is not None
    known = table_shares(GAME, [seat_of(name, GAME) for name in THREE])
    assert (exact.shares, exact.sole) == (list(known.shares), list(known.sole))
    for seat in range(3):
        z = (answer.shares[seat] - exact.shares[seat]) / answer.stderr[seat]
        assert exact.z[seat] == pytest.approx(z)
        assert abs(z) < 4
        assert abs(answer.ranks[seat] - exact.ranks[seat]) < 4 * answer.rank_stderr[seat]
    assert answer.rivals == [None] * 3
    assert answer.response is UNSET


def test_players_of_a_duel() -> None:
    answer = ask("hunter", "optimal", "equilibrium")
    assert answer.rivals == ["optimal", None, "optimal"]
    assert answer.exact is not None
    assert max(abs(z) for z in answer.exact.z if z is not None) < 4


def test_sizes_are_checked_before_there_are_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.queries.several_players.seat_of", lambda *_: pytest.fail("a seat is made"))
    for dice, slots in (("1d10000", "1-16"), ("3d6", "1-16"), ("1d6", "1-40")):
        run = Run(Game.parse(dice, slots), ("optimal", "nearest"), 18)
        assert exact_shares(run) is None
    for ask_for in (lambda: exact_shares(run, insist=True), lambda: response_at_table(run)):
        with pytest.raises(TooLarge, match=r"a table on 40 slots needs .* of memory"):
            ask_for()


def test_response() -> None:
    names = ("optimal", "bands")
    response = ask(*names, response=True, games=100).response
    assert response is not UNSET
    best = table_response(GAME, [seat_of(name, GAME) for name in names])
    assert response.share == best.share
    assert response.moves == {str(roll): slot for roll, slot in best.moves.items()}
    assert [(one.strategy, one.rival) for one in response.others] == [("hunter", "optimal"), ("equilibrium", "optimal")]
    shares = answered_shares(law_of(GAME.dice), GAME.multipliers, own_rules(GAME, names))
    assert response.shares == pytest.approx([float(share) for share in shares[:-1]], abs=1e-12)
    exact = exact_shares(Run(GAME, names, 18))
    assert exact is not None
    assert response.without == pytest.approx(exact.shares, abs=1e-12)
    for one in response.others:
        assert one.share < best.share
        assert sum(one.shares) + one.share == pytest.approx(1, abs=1e-12)
        seats = [seat_of(name, GAME) for name in (*names, one.strategy)]
        assert one.shares == list(table_shares(GAME, seats, [-1, -1, 0]).shares[:-1])
