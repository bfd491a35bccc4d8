"""Mean and variance against the distribution; and the rolls in the slots, against all sequences of rolls."""

from collections.abc import Callable
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.solve.hindsight import exact_order_statistics
from tentimes18.solve.moments import Moments, hindsight_moments, optimal_moments, random_moments, slot_distributions
from tentimes18.solve.rule_distributions import hindsight_distribution, random_distribution, rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import exact_thresholds, optimal_rule
from tests.oracle import Score, play, sequences
from tests.support.games import dice, games, law_of


def optimal_law(game: Game) -> ScoreDistribution:
    return rule_distribution(game, optimal_rule(game))


STRATEGIES: dict[str, tuple[Callable[[Game], Moments], Callable[[Game], ScoreDistribution]]] = {
    "random": (random_moments, random_distribution),
    "optimal": (optimal_moments, optimal_law),
    "hindsight": (hindsight_moments, hindsight_distribution),
}


def moments_of(law: ScoreDistribution) -> tuple[Fraction | float, Fraction | float]:
    return law.mean, law.variance


def pair(moments: Moments) -> tuple[Fraction, Fraction]:
    return moments.mean, moments.variance


@given(games(max_slots=6, max_rolls=5))
def test_moments_of_the_distribution(game: Game) -> None:
    for moments, law in STRATEGIES.values():
        assert pair(moments(game)) == moments_of(law(game))
        assert moments(game).sd == law(game).sd


def test_a_hundred_slots() -> None:
    """The mean is that of the thresholds; with 100 slots the exact distribution is out of reach."""
    game = Game.parse("3d6", "1-100")
    statistics = exact_order_statistics(game.dice, 100)
    assert optimal_moments(game).mean == exact_thresholds(game.dice, 100)[-1].value(game.multipliers)
    assert hindsight_moments(game).mean == sum(i * mean for i, mean in zip(range(1, 101), statistics, strict=True))
    assert random_moments(game).mean == 5050 * Fraction(21, 2)
    assert 0 < hindsight_moments(game).variance < optimal_moments(game).variance < random_moments(game).variance


@given(dice(max_rolls=3), st.lists(st.fractions(-3, 3, max_denominator=3), min_size=1, max_size=4, unique=True))
def test_rolls_in_the_slots(one: Dice, drawn: list[Fraction]) -> None:
    multipliers = sorted(drawn)
    law = law_of(one)

    def best(free: frozenset[int], _score: Score, roll: int) -> int:
        return play.best_slots(law, multipliers, free, roll)[0]

    wanted = sequences.slot_laws(law, multipliers, best)
    assert [dict(zip(one.support, found, strict=True)) for found in slot_distributions(one, len(multipliers))] == [
        {roll: slot.get(roll, Fraction(0)) for roll in one.support} for slot in wanted
    ]
