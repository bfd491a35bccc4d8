"""Distributions of scores: exact ones against all sequences of rolls, float ones against the exact."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings

from tentimes18.game import Board, Game
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.rule_distributions import (
    hindsight_distribution,
    random_distribution,
    rule_distribution,
)
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import Rule, optimal_rule
from tests.oracle import Score, play, sequences
from tests.support.games import all_slots, games, law_of
from tests.support.solved import (
    as_oracle,
    assert_close,
    boards,
    classic_optimal,
    last_or_first,
    of_sets,
)


def without_score(rule: Rule) -> Callable[[int, Score, int], int]:
    return lambda free, _score, roll: rule(free, roll)


@given(games())
@settings(max_examples=40)
def test_optimal(game: Game) -> None:
    law = law_of(game.dice)

    def best(free: frozenset[int], _score: Score, roll: int) -> int:
        return play.best_slots(law, game.multipliers, free, roll)[0]

    found = rule_distribution(game, optimal_rule(game))
    assert as_oracle(found) == sequences.law_of(law, game.multipliers, best)
    assert found.mean == play.value(law, game.multipliers, all_slots(game))


@given(boards())
@settings(max_examples=40)
def test_any_rule_from_any_position(board: Board) -> None:
    """Under `optimal`, and under rules that only a program would play by."""
    game = board.game
    law = law_of(game.dice)
    left = game.multipliers_of(board.free)
    rules: list[Rule] = [optimal_rule(game), last_or_first]
    for rule in rules:
        wanted = sequences.law_of(law, left, of_sets(without_score(rule), board))
        assert as_oracle(rule_distribution(game, rule, board.free)) == wanted


@given(boards(max_slots=4, max_rolls=3))
@settings(max_examples=40)
def test_random_and_hindsight_from_any_position(board: Board) -> None:
    law, left = law_of(board.game.dice), board.game.multipliers_of(board.free)
    assert as_oracle(random_distribution(board.game, board.free)) == sequences.law_of_random(law, left)
    assert as_oracle(hindsight_distribution(board.game, board.free)) == sequences.law_of_hindsight(law, left)


@cache
def classic_law(strategy: str) -> ScoreDistribution:
    game = Game.classic()
    if strategy == "optimal":
        return rule_distribution(game, optimal_rule(game))
    return random_distribution(game) if strategy == "random" else hindsight_distribution(game)


@pytest.mark.parametrize(
    ("strategy", "medians", "printed_mean"),
    [("random", (577, 578), "577.5"), ("optimal", (646,), "642.23935"), ("hindsight", (654,), "652.93403")],
)
def test_classic_game(strategy: str, medians: tuple[int, ...], printed_mean: str) -> None:
    law = classic_law(strategy)
    assert law.medians == medians
    assert round(Fraction(law.mean), 5) == Fraction(printed_mean)
    assert (law.scores[0], law.scores[-1]) == (165, 990)
    assert law.probability(165) == law.probability(990) == Fraction(1, 216**10)
    assert sum(law.weights) == law.total == 216**10


TOLERANCE = 1e-13  # of a float distribution, a share of each probability


@given(boards(max_slots=5, max_rolls=5))
@settings(max_examples=30)
def test_float_distributions(board: Board) -> None:
    """Sums of at most 5 · 5 positive products each: every probability has a relative error below 1e-13."""
    game = board.game
    for rule in (optimal_rule(game), last_or_first):
        assert_close(
            float_rule_distribution(game, rule, board.free), rule_distribution(game, rule, board.free), TOLERANCE
        )


def test_classic_game_in_floats() -> None:
    """Ten rounds with 16 rolls: every probability, even 4.5e-24 for 990, has a relative error below 1e-12."""
    game = Game.classic()
    assert_close(float_rule_distribution(game, optimal_rule(game)), classic_optimal(), 1e-12)
