"""Tournaments: counts whose verdict is known, and strategies that beat each other in a cycle."""

from math import erfc, sqrt
from statistics import fmean, pstdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.duel.play_out import EquilibriumPath
from tentimes18.game import Game
from tentimes18.simulate.games import Counts, simulate
from tentimes18.simulate.run import Run
from tentimes18.simulate.tournament import LEVEL, Meeting, Tournament, judge, meet, meetings_of
from tentimes18.strategies.named import RULES
from tentimes18.strategies.solved import equilibrium, hunter

NAMES = ("rock", "paper", "scissors", "well", "bull")


def counts_of(wins: list[list[int]], games: int) -> Counts:
    """Counts where i beats j in wins[i][j] games, and the other games of a pair are drawn; nobody is ever first."""
    m = len(wins)
    won = np.array(wins, dtype=np.int64)
    draws = games - won - won.T
    assert (draws >= 0).all()
    np.fill_diagonal(draws, 0)
    return Counts(games, np.zeros((m, 1), dtype=np.int64), won, draws, np.zeros((m, m + 1), dtype=np.int64))


def verdict(equity: dict[tuple[int, int], float], m: int, games: int = 10_000) -> Tournament:
    """The verdict where these pairs have these equities, without draws, and all others only draw."""
    wins = [[0] * m for _ in range(m)]
    for (i, j), share in equity.items():
        wins[i][j] = round(share * games)
        wins[j][i] = games - wins[i][j]
    return judge(NAMES[:m], counts_of(wins, games))


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 60))
def test_standard_error(wins: int, losses: int, draws: int) -> None:
    """That of the mean of results 1, ½ and 0, written out game by game."""
    results = [1.0] * wins + [0.5] * draws + [0.0] * losses
    result = judge(NAMES[:2], counts_of([[0, wins], [losses, 0]], len(results)))
    assert result.equity[0][1] == pytest.approx(fmean(results))
    assert result.stderr[0][1] == pytest.approx(pstdev(results) / sqrt(len(results)), abs=1e-9)


@pytest.mark.parametrize("m", [2, 5])
def test_bonferroni(m: int) -> None:
    """The chance that a normal number is beyond the threshold, over all ordered pairs, is the level."""
    least_z = verdict({}, m).least_z
    assert m * (m - 1) * erfc(least_z / sqrt(2)) / 2 == pytest.approx(LEVEL)


def test_threshold() -> None:
    """Three steps of the same strength: a cycle just above the threshold, and none just below it."""
    games = 10_000
    least_z = verdict({}, 3).least_z
    edge = round((0.5 + least_z * 0.5 / sqrt(games)) * games)
    for wins, found in [(edge + 2, 1), (edge - 2, 0)]:
        share = wins / games
        result = verdict({(0, 1): share, (1, 2): share, (2, 0): share}, 3, games)
        assert len(result.cycles) == found


def test_ratings_expect_what_happened() -> None:
    """The fitted model gives every strategy its own sum of equities, as the most likely one does."""
    shares = {(0, 1): 0.6, (0, 2): 0.55, (1, 2): 0.7, (0, 3): 0.9, (1, 3): 0.52, (2, 3): 0.4}
    result = verdict(shares, 4)
    for i in range(4):
        others = [j for j in range(4) if j != i]
        expected = sum(1 / (1 + 10 ** ((result.ratings[j] - result.ratings[i]) / 400)) for j in others)
        assert expected == pytest.approx(sum(result.equity[i][j] for j in others), abs=1e-9)


def test_always_beaten() -> None:
    """Ratings stay finite where a strategy never wins."""
    result = verdict({(0, 1): 1.0, (0, 2): 1.0, (1, 2): 0.5}, 3)
    assert result.ratings[0] > 1000
    assert all(abs(rating) < 1e6 for rating in result.ratings)
    assert result.stderr[0][1] == 0.0


def test_documented_cycle() -> None:
    names = ("utility:exp:-0.02", "utility:exp:0.02", "target:630")
    *_, counts = simulate(Run(Game.classic(), names, 1987), 1_000_000)
    assert judge(names, counts).cycles == [names]


def test_meetings_replace_counts() -> None:
    """A tenth of a percent is enough where it is exact, and nothing in games; a hair above one half is rounding."""
    counts = counts_of([[0, 5100, 5000], [4900, 0, 5100], [5000, 4900, 0]], 10_000)
    assert judge(NAMES[:3], counts).cycles == []
    pairs = {
        (0, 1): Meeting(0.501, 0.0, is_exact=True),
        (1, 2): Meeting(0.501, 0.0, is_exact=True),
        (0, 2): Meeting(0.499, 0.0, is_exact=True),
    }
    result = judge(NAMES[:3], counts, pairs)
    assert result.cycles == [("rock", "paper", "scissors")]
    assert result.equity[2][0] == 1 - 0.499
    assert result.exact[2] == [True, True, False]
    pairs[0, 2] = Meeting(0.5 - 1e-15, 0.0, is_exact=True)
    assert judge(NAMES[:3], counts, pairs).cycles == []
    pairs[0, 2] = Meeting(0.499, 0.01, is_exact=False)
    assert judge(NAMES[:3], counts, pairs).cycles == []


# Pairs in which somebody plays a duel.

GAME = Game.parse("2d6", "1-5")


def test_exact() -> None:
    assert meet(Run(GAME, ("hunter", "optimal"), 18), 1).equity == pytest.approx(hunter(GAME).outcome.equity, abs=1e-12)
    path = EquilibriumPath(equilibrium(GAME), RULES["greedy"](GAME)).outcome
    met = meet(Run(GAME, ("equilibrium", "greedy"), 18), 1)
    assert met.equity == pytest.approx(1 - path.equity, abs=1e-12)
    assert (met.stderr, met.is_exact) == (0.0, True)
    path = EquilibriumPath(equilibrium(GAME), hunter(GAME)).outcome
    assert meet(Run(GAME, ("hunter", "equilibrium"), 18), 1).equity == pytest.approx(path.equity, abs=1e-12)


@pytest.mark.parametrize("other", ["random", "target:80"])
def test_simulated_where_that_takes_too_long(other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(GAME, ("hunter", other), 18)
    exact = meet(run, 1)
    monkeypatch.setattr("tentimes18.simulate.tournament.QUICK_STEPS", 100)
    found = meet(run, 20_000)
    assert exact.is_exact
    assert not found.is_exact
    assert abs(found.equity - exact.equity) < 4 * found.stderr


def test_hindsight_is_simulated() -> None:
    found = meet(Run(GAME, ("hindsight", "equilibrium"), 18), 500)
    assert not found.is_exact
    assert found.equity > 0.5


def test_which_pairs() -> None:
    run = Run(Game.parse("1d4", "1-3"), ("optimal", "greedy", "hunter", "random"), 18)
    told: list[tuple[int, int]] = []
    found = meetings_of(run, 100, progress=lambda done, total: told.append((done, total)))
    assert sorted(found) == [(0, 2), (1, 2), (2, 3)]
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert meetings_of(Run(run.game, ("optimal", "greedy"), 18), 100) == {}
