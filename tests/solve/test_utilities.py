"""The two families of utilities against their own recursions."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Game, mask_of, slots_of
from tentimes18.solve.aims import UtilityTable
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.utilities import Utility, exponential, power
from tests.support.games import games
from tests.support.solved import classic_optimal


def exponential_twin(game: Game, aversion: float) -> float:
    """The best certainty equivalent, by a recursion that needs no scores: e^(-a Σ) is a product.

    U[A] = Σ P(x) best_i e^(-a λ_i x) U[A - i], the smallest for a > 0 and the largest for a < 0; then -log(U) / a.
    """
    best = min if aversion > 0 else max
    low = game.dice.support[0]  # dice from 0 on keep the numbers near 1

    @cache
    def U(free: int) -> float:
        if not free:
            return 1.0
        slots = slots_of(free)
        return sum(
            count
            / game.dice.total
            * best(
                exp(-aversion * float(game.multipliers[slot - 1]) * (roll - low)) * U(free ^ mask_of([slot]))
                for slot in slots
            )
            for roll, count in zip(game.dice.support, game.dice.counts, strict=True)
        )

    return low * float(sum(game.multipliers)) - log(U(game.all_free)) / aversion


def certainty(game: Game, utility: Utility) -> float:
    return float(UtilityTable(game, utility).best_play().value)


@given(games(max_slots=4, max_rolls=4), st.sampled_from([-0.5, -0.03, 0.01, 0.2, 1.0]))
def test_constant_aversion_against_the_product(game: Game, aversion: float) -> None:
    wanted = exponential_twin(game, aversion)
    assert certainty(game, exponential(game, aversion)) == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("small", [1e-7, 1e-13])
def test_little_aversion_is_nearly_neutral(small: float) -> None:
    """To first order the certainty equivalent is mean - a · variance / 2."""
    game = Game.classic()
    mean, variance = float(classic_optimal().mean), float(classic_optimal().variance)
    for aversion in (small, -small):
        play = UtilityTable(game, exponential(game, aversion)).best_play()
        assert play.value == pytest.approx(mean - aversion * variance / 2, abs=1e-6)
        assert play.distribution(exact=False).mean == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize("parameter", [-3.0, -0.5, 0.0, 0.3, 1.0, 2.5])
@pytest.mark.parametrize("family", [exponential, power])
def test_utilities_increase_and_have_an_inverse(family: Callable[[Game, float], Utility], parameter: float) -> None:
    game = Game.parse("3d6", "1-3")
    utility = family(game, parameter)
    assert utility.inverse is not None
    values = [utility.value(float(score)) for score in range(18, 109)]
    assert all(low < high for low, high in pairwise(values))
    assert [utility.inverse(value) for value in values] == pytest.approx(list(range(18, 109)), rel=1e-9)


def test_utility_of_a_distribution() -> None:
    law = ScoreDistribution((1, 9), (1, 3), 4)
    assert Utility(lambda score: score**0.5).of_distribution(law) == 2.5
    assert Utility(lambda score: score**0.5, lambda value: value**2).of_distribution(law) == 6.25


def test_extreme_utilities() -> None:
    with pytest.raises(InvalidGame, match=r"^strategy: exp:1\S* is too extreme for scores from 165 to 990"):
        exponential(Game.classic(), 1)
    for dice, exponent in (("1d6-4", 0.5), ("1d6-4", -1), ("1d6-1", 0), ("1d6-1", -1)):
        with pytest.raises(InvalidGame, match=r"^strategy: power:.* needs positive scores"):
            power(Game.parse(dice, "1-3"), exponent)
    assert certainty(Game.parse("1d6-1", "1-3"), power(Game.parse("1d6-1", "1-3"), 0.5)) > 0


@pytest.mark.parametrize(("dice", "exponent"), [("3d6", -1000.0), ("d{0}", 0.5)])
def test_power_out_of_range(dice: str, exponent: float) -> None:
    """Rejected, or computed; never an arithmetic error."""
    game = Game.parse(dice, "1-10")
    try:
        value = certainty(game, power(game, exponent))
    except Ten18Error:
        return
    assert game.dice.support[0] * 55 <= value <= game.dice.support[-1] * 55
