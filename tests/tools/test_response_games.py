"""The games of the best response to a table: its shares are the exact ones."""

import numpy as np
import pytest

from tentimes18.duel.several_players_response import response_shares, table_response
from tentimes18.game import Game
from tentimes18.simulate.games import TableGames, do
from tentimes18.simulate.players import seat_of
from tentimes18.simulate.run import Run
from tools.response_games import ResponseGames


@pytest.mark.parametrize(
    ("dice", "slots", "names"),
    [("1d6", "1-5", ("bands", "greedy", "target:60")), ("2d4", "3,-1,2,1", ("optimal", "bands"))],
)
def test_shares_of_the_best_response(dice: str, slots: str, names: tuple[str, ...]) -> None:
    """The shares of all players, by the scores that they make, within four standard errors."""
    game = Game.parse(dice, slots)
    response = table_response(game, [seat_of(name, game) for name in names])
    exact = response_shares(response)
    counts = do(ResponseGames(Run(game, names, 18), response), 50_000).counts
    assert counts.games == 50_000
    assert np.all(abs(counts.shares - exact.shares) < 4 * counts.share_errors)


def test_parts_with_the_best_response_add_up() -> None:
    """The other players play as they do without the response."""
    run = Run(Game.parse("1d6", "1-4"), ("optimal", "greedy"), 18)
    response = table_response(run.game, [seat_of(name, run.game) for name in run.strategies])
    count = ResponseGames(run, response).counter()
    whole, parts = count(0, 1000), count(0, 300)
    parts.add(count(300, 700))
    for name in ("games", "first", "rank_sums", "rank_squares"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name
    others = TableGames(run).counter()(0, 1000)
    # Greedy is first alone in no game that it does not win without the response.
    assert 0 < int(whole.first[0b010]) <= int(others.first[0b10])
