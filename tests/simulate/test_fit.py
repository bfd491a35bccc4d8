"""The chi-square test against SciPy and tables, and fits of counts with known answers."""

from math import erfc, inf, sqrt

import pytest
from scipy.special import gammaincc

from tentimes18.simulate.games import MIN_EXPECTED, fit
from tentimes18.simulate.games import _tail as tail
from tentimes18.solve.score_distribution import ScoreDistribution

COIN = ScoreDistribution((0, 1), (1, 1), 2)


@pytest.mark.parametrize(
    ("chi_square", "degrees", "p_value"),
    [(0.0, 5, 1.0), (-1e-12, 5, 1.0), (1e-320, 1, 1.0), (3.0, 0, 1.0), (inf, 5, 0.0), (1e9, 1, 0.0)],
)
def test_ends(chi_square: float, degrees: int, p_value: float) -> None:
    assert tail(chi_square, degrees) == p_value


@pytest.mark.parametrize("degrees", [1, 2, 9, 100, 999, 10_000, 50_001])
@pytest.mark.parametrize("sigmas", [-0.5, 0, 0.5, 2, 5])
def test_against_scipy(degrees: int, sigmas: float) -> None:
    chi_square = degrees + sigmas * sqrt(2 * degrees)
    assert tail(chi_square, degrees) == pytest.approx(float(gammaincc(degrees / 2, chi_square / 2)), rel=1e-7)


def counted(scores: dict[int, int]) -> ScoreDistribution:
    return ScoreDistribution(
        tuple(sorted(scores)), tuple(scores[score] for score in sorted(scores)), sum(scores.values())
    )


def test_coin() -> None:
    """60 of 100: two standard errors of the mean, whose square is the chi-square."""
    result = fit(counted({0: 40, 1: 60}), COIN)
    assert result.z == pytest.approx(2)
    assert result.chi_square == pytest.approx(4)
    assert result.degrees == 1
    assert result.p_value == pytest.approx(erfc(sqrt(2)))


def test_rare_scores_are_taken_together() -> None:
    """Weights 1, 1, 6, 1, 1 in 50 games: groups of 10 (two scores), 30 and the 10 of the last two."""
    law = ScoreDistribution((1, 2, 3, 4, 5), (1, 1, 6, 1, 1), 10)
    result = fit(counted({1: 7, 2: 6, 3: 31, 4: 2, 5: 4}), law)
    assert result.degrees == 2
    assert result.chi_square == pytest.approx(3**2 / 10 + 1**2 / 30 + 4**2 / 10)


def test_what_is_left_joins_the_last_group() -> None:
    """In 40 games the weights expect 4, 4, 24, 4, 4: the first group is the first three, and the rest is too small."""
    law = ScoreDistribution((1, 2, 3, 4, 5), (1, 1, 6, 1, 1), 10)
    result = fit(counted({1: 4, 3: 26, 5: 10}), law)
    assert result.degrees == 0
    assert (result.chi_square, result.p_value) == (0.0, 1.0)
    assert MIN_EXPECTED == 10


@pytest.mark.parametrize("games", [1, 5, 9, 1_000])
def test_impossible_score(games: int) -> None:
    """Even one such game among so few that no group of scores can be tested."""
    assert fit(counted({0: games, 7: 1}), COIN).chi_square == inf
    assert fit(counted({0: games, 7: 1}), COIN).p_value == 0.0
