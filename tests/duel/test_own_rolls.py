"""The duel with own rolls, against enumeration."""

from fractions import Fraction

import pytest

from tentimes18 import Game
from tentimes18.duel.own_rolls import equity, outcome, own_rolls_equilibrium, response_to_distribution
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.rule_distributions import random_distribution, rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import optimal_rule
from tests.oracle.aims import best_utility
from tests.support.games import law_of

GAMES = [Game.parse("1d6", "1-3"), Game.parse("1d4", "1-4"), Game.parse("d{-1,2,5}:2=3", "-1,1/2,2")]


def beaten(law: ScoreDistribution, score: Fraction | int) -> Fraction:
    """The chance that a score beats one with this distribution, a draw counting one half, in fractions."""
    below = sum((Fraction(law.probability(s)) for s in law.scores if s < score), Fraction(0))
    return below + Fraction(law.probability(score)) / 2


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_response_to_distribution_is_the_best_utility(game: Game) -> None:
    theirs = rule_distribution(game, optimal_rule(game))
    best = best_utility(law_of(game.dice), game.multipliers, lambda score: beaten(theirs, score))
    response = response_to_distribution(game, theirs)
    assert response.value == pytest.approx(float(best), abs=1e-12)
    assert equity(response.distribution(), theirs) == pytest.approx(float(best), abs=1e-12)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_outcome_by_all_pairs_of_scores(game: Game) -> None:
    mine, theirs = random_distribution(game), rule_distribution(game, optimal_rule(game))
    chances = [Fraction(0)] * 3
    for s in mine.scores:
        for t in theirs.scores:
            place = 0 if s > t else 1 if s == t else 2
            chances[place] += Fraction(mine.probability(s)) * Fraction(theirs.probability(t))
    found = outcome(mine, theirs)
    assert (found.win, found.draw, found.loss) == pytest.approx(tuple(map(float, chances)), abs=1e-12)
    assert found.equity == pytest.approx(found.win + found.draw / 2, abs=1e-12)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_equilibrium_is_not_exploitable(game: Game) -> None:
    solved = own_rolls_equilibrium(game, most=1e-6)
    assert sum(solved.shares) == pytest.approx(1, abs=1e-12)
    # Separate code: the exact best response to the mixture, by the oracle.
    best = best_utility(law_of(game.dice), game.multipliers, lambda score: beaten(solved.distribution, score))
    assert -1e-9 <= float(best) - 0.5 <= 1e-6 + 1e-9


@pytest.mark.slow
def test_classic() -> None:
    game = Game.classic()
    solved = own_rolls_equilibrium(game)
    assert solved.exploitability < 1e-5
    optimal = float_rule_distribution(game, optimal_rule(game))
    assert 0.5 < equity(solved.distribution, optimal) <= float(response_to_distribution(game, optimal).value) + 1e-12
