"""Group games: what is counted of games one by one, shares against the exact ones, and the best response played."""

from statistics import fmean, pstdev

import numpy as np
import pytest

from tentimes18.duel.several_players import table_shares
from tentimes18.duel.several_players_response import response_shares, table_response
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.simulate.duel_players import rivals_of, seat_of
from tentimes18.simulate.group_games import ResponseGames, TableCounts, TableGames, verify_table
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import do
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
    for left in range(4):
        without = [parts([score for seat, score in enumerate(column) if seat != left]) for column in columns]
        for place, p in enumerate(seat for seat in range(4) if seat != left):
            assert counts.without(left)[p] == pytest.approx(fmean(one[place] for one in without))
            a, b = counts.shares[p], counts.shares[left]
            line = [
                whole[p] / (1 - b) + a * whole[left] / (1 - b) ** 2 - rest[place]
                for whole, rest in zip(shares, without, strict=True)
            ]
            assert counts.company_error(p, left) == pytest.approx(pstdev(line) / games**0.5)
        assert counts.without(left)[left] == 0


@pytest.mark.parametrize(
    "names",
    [
        ("optimal", "nearest", "greedy"),
        ("greedy", "hunter", "equilibrium", "optimal"),
        ("target:40", "hunter", "random"),
        ("hunter", "equilibrium"),
    ],
)
def test_against_exact_shares(names: tuple[str, ...]) -> None:
    """At the whole table and without each, to four standard errors."""
    counts = do(TableGames(Run(GAME, names, 18)), 100_000).counts
    seats = [seat_of(name, GAME) for name in names]
    exact = table_shares(GAME, seats, list(rivals_of(names, range(len(names))).values()))
    for found, share, error in zip(counts.shares, exact.shares, counts.share_errors, strict=True):
        assert abs(found - share) < 4 * error + 1e-12
    for left in range(len(names)):
        there = [seat for seat in range(len(names)) if seat != left]
        try:
            rivals = [there.index(rival) if rival >= 0 else -1 for rival in rivals_of(names, there).values()]
        except Ten18Error:
            assert counts.without(left).sum() == 0
            continue
        rest = table_shares(GAME, [seats[seat] for seat in there], rivals)
        for seat, share in zip(there, rest.shares, strict=True):
            assert abs(counts.without(left)[seat] - share) < 4 * (0.25 / counts.games) ** 0.5


def test_company_errors_are_honest() -> None:
    """Over many small runs, what company is worth varies as its standard error says."""
    run = Run(GAME, ("optimal", "greedy", "bands"), 18)
    count = TableGames(run).counter()
    found, errors = [], []
    for number in range(200):
        counts = count(1000 * number, 1000)
        found.append(counts.shares[0] / (1 - counts.shares[1]) - counts.without(1)[0])
        errors.append(counts.company_error(0, 1))
    assert pstdev(found) == pytest.approx(fmean(errors), rel=0.2)


def test_one_always_wins() -> None:
    """No error where the others are left with nothing."""
    first = np.zeros((2, 4, 4), dtype=np.int64)
    first[0, 1, 2] = first[1, 1, 1] = 10
    counts = TableCounts(10, first, np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    assert counts.shares.tolist() == [1.0, 0.0]
    assert counts.company_error(1, 0) == 0


@pytest.mark.parametrize("count", [1, 9])
def test_how_many_sit_there(count: int) -> None:
    with pytest.raises(Ten18Error, match=f"^strategies: {count} is too .* accepted: 2 to 8"):
        verify_table(Run(GAME, ("optimal",) * count, 18))


@pytest.mark.parametrize(
    ("dice", "slots", "names"),
    [
        ("3d6", "1-7", ("optimal", "nearest")),
        ("1d6", "1-5", ("bands", "greedy", "target:60")),
        ("2d4", "3,-1,2,1", ("optimal", "bands")),
    ],
)
def test_shares_of_the_best_response(dice: str, slots: str, names: tuple[str, ...]) -> None:
    """Of all who sit there, within four standard errors: the scores that are made say who is first."""
    game = Game.parse(dice, slots)
    response = table_response(game, [seat_of(name, game) for name in names])
    exact = response_shares(response)
    counts = do(ResponseGames(Run(game, names, 18), response), 200_000).counts
    assert counts.games == 200_000
    assert np.all(abs(counts.shares - exact.shares) < 4 * counts.share_errors)
    assert np.all(abs(counts.sole - exact.sole) < 4 * np.sqrt(counts.sole / counts.games))


def test_parts_with_the_best_response_add_up() -> None:
    """And the others play as they do at their own table."""
    run = Run(Game.parse("1d6", "1-4"), ("optimal", "greedy"), 18)
    response = table_response(run.game, [seat_of(name, run.game) for name in run.strategies])
    count = ResponseGames(run, response).counter()
    whole, parts = count(0, 1000), count(0, 300)
    parts.add(count(300, 700))
    for name in ("games", "first", "rank_sums", "rank_squares"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name
    others = TableGames(run).counter()(0, 1000)
    # Greedy is first alone in no game that it does not win without the response.
    assert 0 < int(whole.first[0, 0b010].sum()) <= int(others.first[0, 0b10].sum())
