"""Laws of scores: exact ones against all sequences of rolls, float ones against the exact, and both against play."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tentimes18.errors import TooLarge
from tentimes18.game import Board, Game, Number, slots_of
from tentimes18.solve.rules import Rule, ScoreRule, optimal_rule
from tentimes18.solve.scores.exact_laws import hindsight_law, random_law, rule_law, score_rule_law
from tentimes18.solve.scores.float_laws import float_rule_law
from tentimes18.solve.scores.score_law import ScoreLaw
from tentimes18.solve.thresholds import exact_thresholds
from tentimes18.strategies.rules import greedy
from tests.oracle import Score, play, sequences
from tests.support.games import all_slots, games, law_of
from tests.support.solved import as_oracle, boards, last_or_first, moved, of_sets, peak_memory, rest_of

GAMES = 200_000


def by_score(free: int, score: Number, roll: int) -> int:
    """A rule that looks at the score too."""
    slots = slots_of(free)
    return slots[int(2 * score + roll) % len(slots)]


def without_score(rule: Rule) -> ScoreRule:
    return lambda free, _score, roll: rule(free, roll)


@given(games())
@settings(max_examples=40)
def test_optimal(game: Game) -> None:
    law = law_of(game.dice)

    def best(free: frozenset[int], _score: Score, roll: int) -> int:
        return play.best_slots(law, game.multipliers, free, roll)[0]

    found = rule_law(game, optimal_rule(game))
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
        assert as_oracle(rule_law(game, rule, board.free)) == wanted
    wanted = moved(sequences.law_of(law, left, of_sets(by_score, board)), board.score)
    assert as_oracle(score_rule_law(game, by_score, board.free, board.score)) == wanted


@given(boards(max_slots=4, max_rolls=3))
@settings(max_examples=40)
def test_random_and_hindsight_from_any_position(board: Board) -> None:
    law, left = law_of(board.game.dice), board.game.multipliers_of(board.free)
    assert as_oracle(random_law(board.game, board.free)) == sequences.law_of_random(law, left)
    assert as_oracle(hindsight_law(board.game, board.free)) == sequences.law_of_hindsight(law, left)


@given(boards(max_slots=5, max_rolls=5))
def test_form_of_a_law(board: Board) -> None:
    """Scores increase and can happen, weights are integers over total^n, whole scores are integers."""
    game, free = board.game, board.free
    for law in (
        rule_law(game, optimal_rule(game), free),
        score_rule_law(game, by_score, free),
        random_law(game, free),
        hindsight_law(game, free),
    ):
        assert law.is_exact
        assert sum(law.weights) == law.total == game.dice.total ** free.bit_count()
        assert all(low < high for low, high in pairwise(law.scores))
        assert all(weight > 0 for weight in law.weights)
        assert all(isinstance(score, int) == (Fraction(score).denominator == 1) for score in law.scores)


@given(games(max_slots=5, max_rolls=5))
def test_a_rule_is_the_same_with_and_without_the_score(game: Game) -> None:
    best = optimal_rule(game)
    assert score_rule_law(game, without_score(best)) == rule_law(game, best)


@given(boards(min_free=1))
def test_a_position_is_a_game_of_its_own(board: Board) -> None:
    rest = rest_of(board)
    best, rest_best = optimal_rule(board.game), optimal_rule(rest)
    assert rule_law(board.game, best, board.free) == rule_law(rest, rest_best)
    assert random_law(board.game, board.free) == random_law(rest)
    assert hindsight_law(board.game, board.free) == hindsight_law(rest)


@given(games(max_slots=3, max_rolls=3), st.integers(1, 4), st.integers(-5, 5))
def test_scaled_multipliers_and_shifted_dice(game: Game, factor: int, shift: int) -> None:
    """S becomes factor · (S + shift · Σ λ), whatever the strategy."""
    law = law_of(game.dice)
    dice = type(game.dice).from_mapping({roll + shift: p for roll, p in law.items()})
    other = Game(dice, [factor * multiplier for multiplier in game.multipliers])
    points = shift * sum(game.multipliers)
    for compute in (random_law, hindsight_law, lambda game: rule_law(game, optimal_rule(game))):
        wanted = {factor * (score + points): share for score, share in as_oracle(compute(game)).items()}
        assert as_oracle(compute(other)) == wanted


@cache
def classic_law(strategy: str) -> ScoreLaw:
    game = Game.classic()
    if strategy == "optimal":
        return rule_law(game, optimal_rule(game))
    return random_law(game) if strategy == "random" else hindsight_law(game)


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


def test_random_is_symmetric() -> None:
    """With dice as symmetric as 3d6 a score is as likely as its mirror image."""
    law = classic_law("random")
    assert law.scores == tuple(165 + 990 - score for score in reversed(law.scores))
    assert law.weights == tuple(reversed(law.weights))


@pytest.mark.parametrize("score", range(165, 991, 33))
def test_hindsight_reaches_every_score_more_often(score: int) -> None:
    """It is at least as good in every single game."""
    best = classic_law("hindsight").at_least(score)
    assert classic_law("optimal").at_least(score) <= best
    assert classic_law("random").at_least(score) <= best


Player = Callable[[NDArray[np.int64], np.random.Generator], NDArray[np.int64]]


def play_ranks(
    rolls: NDArray[np.int64], rank_of: Callable[[int, NDArray[np.int64]], NDArray[np.int64]]
) -> NDArray[np.int64]:
    """Scores of games on the slots 1-10, when a roll with k free slots goes to the free slot of this rank, from 0."""
    games, n = rolls.shape
    free = np.ones((games, n), dtype=bool)
    scores = np.zeros(games, dtype=np.int64)
    for turn in range(n):
        roll = rolls[:, turn]
        rank = rank_of(n - turn, roll)
        slot = np.argmax(free & (np.cumsum(free, axis=1) == rank[:, np.newaxis] + 1), axis=1)
        free[np.arange(games), slot] = False
        scores += (slot + 1) * roll
    return scores


def play_optimal(rolls: NDArray[np.int64], _generator: np.random.Generator) -> NDArray[np.int64]:
    """The thresholds of the paper; no roll of three dice is one of them, so floats decide as fractions do."""
    rows = [np.array([float(threshold) for threshold in row]) for row in exact_thresholds(Game.classic().dice, 9)]
    return play_ranks(rolls, lambda k, roll: np.searchsorted(rows[k - 2], roll) if k > 1 else np.zeros_like(roll))


def play_random(rolls: NDArray[np.int64], generator: np.random.Generator) -> NDArray[np.int64]:
    return play_ranks(rolls, lambda k, roll: generator.integers(0, k, size=roll.shape))


def play_hindsight(rolls: NDArray[np.int64], _generator: np.random.Generator) -> NDArray[np.int64]:
    scores: NDArray[np.int64] = np.sort(rolls, axis=1) @ np.arange(1, 11)
    return scores


def misfit(scores: NDArray[np.int64], law: ScoreLaw) -> float:
    """Chi-square over bins that expect at least 20 games, as a standard normal deviate (Wilson and Hilferty 1931)."""
    observed = np.bincount(scores, minlength=int(law.scores[-1]) + 1)
    chi_square, bins = 0.0, 0
    seen, expected = 0, 0.0
    for score, weight in zip(law.scores, law.weights, strict=True):
        seen += int(observed[int(score)])
        expected += len(scores) * (weight / law.total)
        if expected >= 20 and len(scores) * law.at_least(score + 1) >= 20:
            chi_square, bins = chi_square + (seen - expected) ** 2 / expected, bins + 1
            seen, expected = 0, 0.0
    chi_square, bins = chi_square + (seen - expected) ** 2 / expected, bins + 1
    degrees = bins - 1
    return float(((chi_square / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / (2 / (9 * degrees)) ** 0.5)


@cache
def played(strategy: str) -> NDArray[np.int64]:
    """Final scores of 200 000 games of three dice; the seed is fixed."""
    generator = np.random.default_rng(18)
    rolls = generator.integers(1, 7, size=(GAMES, 10, 3)).sum(axis=2)
    player: Player = {"optimal": play_optimal, "random": play_random, "hindsight": play_hindsight}[strategy]
    return player(rolls, generator)


@pytest.mark.parametrize("strategy", ["optimal", "random", "hindsight"])
def test_games_follow_the_law(strategy: str) -> None:
    """Shape: |z| < 3, about 1 in 400 by chance. Place: the mean within 4 standard errors, half a point."""
    scores, law = played(strategy), classic_law(strategy)
    assert abs(misfit(scores, law)) < 3
    stderr = law.sd / GAMES**0.5
    assert abs(scores.mean() - float(law.mean)) < 4 * stderr


def test_games_do_not_follow_another_law() -> None:
    """The bound tells laws apart: five points more, or another rule with the same mean."""
    game = Game.classic()
    other = rule_law(game, greedy(game))
    assert misfit(played("optimal"), classic_law("optimal").shifted(5)) > 10
    assert misfit(played("optimal"), other.shifted(642 - other.median)) > 10


@pytest.mark.parametrize("slots", ["1-30", "1-1200"])
@pytest.mark.parametrize("compute", [rule_law, float_rule_law])
def test_too_many_sets(compute: Callable[[Game, Rule], ScoreLaw], slots: str) -> None:
    """Refused in one line with the figure, before memory is taken for it."""
    game = Game.parse("3d6", slots)
    with peak_memory() as peak:
        with pytest.raises(TooLarge, match=r"^slots: .*\d (bytes|GB|TB)") as refused:
            compute(game, last_or_first)
        assert peak() < 50e6  # a number for each set takes 8.6 GB
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("compute", [random_law, hindsight_law])
def test_too_many_scores(compute: Callable[[Game], ScoreLaw]) -> None:
    game = Game.parse("d{0,1,1000000}", "1-20")
    with peak_memory() as peak:
        with pytest.raises(TooLarge, match=r"^slots: the exact law of the score on 20 slots would need about \d+ GB"):
            compute(game)
        assert peak() < 50e6  # a number for each set takes 8.6 GB
