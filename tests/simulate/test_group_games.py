"""Group games: what is counted of games one by one, and shares against the exact ones."""

from statistics import fmean, pstdev

import pytest

from tentimes18.duel.several_players import table_shares
from tentimes18.game import Game
from tentimes18.simulate.games import TableGames, do
from tentimes18.simulate.players import rivals_of, seat_of
from tentimes18.simulate.run import Run
from tests.support.simulated import kernel_scores

GAME = Game.parse("1d6", "1-4")


def parts(scores: list[int]) -> list[float]:
    first = [score == max(scores) for score in scores]
    return [is_first / sum(first) for is_first in first]


def test_game_by_game() -> None:
    names, games = ("optimal", "greedy", "random", "hindsight"), 2000
    run = Run(GAME, names, 18)
    counts = TableGames(run).counter()(0, games)
    columns = list(zip(*kernel_scores(run, 0, games), strict=True))
    shares = [parts(list(column)) for column in columns]
    ranks = [
        [1 + sum(b > a for b in column) + (sum(b == a for b in column) - 1) / 2 for a in column] for column in columns
    ]
    for p in range(4):
        assert counts.shares[p] == pytest.approx(fmean(one[p] for one in shares))
        assert counts.share_errors[p] == pytest.approx(pstdev([one[p] for one in shares]) / games**0.5)
        assert counts.sole[p] == fmean(one[p] == 1 for one in shares)
        assert counts.ranks[p] == pytest.approx(fmean(one[p] for one in ranks))
        assert counts.rank_errors[p] == pytest.approx(pstdev([one[p] for one in ranks]) / games**0.5)


@pytest.mark.parametrize(
    "names",
    [
        ("greedy", "hunter", "equilibrium", "optimal"),
        ("target:40", "hunter", "random"),
        ("hunter", "equilibrium"),
    ],
)
def test_against_exact_shares(names: tuple[str, ...]) -> None:
    """To four standard errors."""
    counts = do(TableGames(Run(GAME, names, 18)), 30_000).counts
    seats = [seat_of(name, GAME) for name in names]
    exact = table_shares(GAME, seats, rivals_of(names))
    for found, share, error in zip(counts.shares, exact.shares, counts.share_errors, strict=True):
        assert abs(found - share) < 4 * error + 1e-12
