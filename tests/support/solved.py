"""Positions in play, what is best in them, distributions in the form of the oracle, and memory."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tentimes18.game import Board, Game, mask_of, slots_of
from tentimes18.solve.aim_tables import BestPlay
from tentimes18.solve.aims import ChanceTable, chance_table
from tentimes18.solve.rule_distributions import rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import exact_thresholds, optimal_rule
from tentimes18.strategies.front import FrontPoint, front_of
from tests.oracle import Score, aims, sequences, ties
from tests.support.games import games, law_of

TOLERANCE: Final = 1e-12
SHARES: Final = [Fraction(1, 100), Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(1)]
MANY_DICE: Final = [
    *("3d6", "1d6", "2d12:12=2", "d20-10", "d{-5,0,7}:0=3", "20d6", "d100", "d{-1000000,1,1000000}:1=7", "d2")
]

few = settings(max_examples=20)

SetChoice: TypeAlias = Callable[[frozenset[int], Score, int], int]


@st.composite
def boards(draw: st.DrawFn, max_slots: int = 4, max_rolls: int = 3, min_free: int = 0) -> Board:
    """A game in play: from the empty board to one with ``min_free`` free slots."""
    board = Board(draw(games(max_slots, max_rolls)))
    for _ in range(draw(st.integers(0, max(0, board.game.size - min_free)))):
        board = board.place(draw(st.sampled_from(board.game.dice.support)), draw(st.sampled_from(board.free_slots)))
    return board


def as_oracle(law: ScoreDistribution) -> dict[Score, Fraction]:
    assert law.is_exact
    total = Fraction(law.total)
    return {score: weight / total for score, weight in zip(law.scores, map(Fraction, law.weights), strict=True)}


def moved(law: dict[Score, Fraction], points: Score) -> dict[Score, Fraction]:
    return {score + points: share for score, share in law.items()}


def of_sets(choose: Callable[[int, Score, int], int], board: Board) -> SetChoice:
    """A rule for the game that is left on a board, in the form of the oracle, from one for the whole game."""
    slots = board.free_slots

    def choose_rank(free: frozenset[int], score: Score, roll: int) -> int:
        mask = mask_of(slots[rank - 1] for rank in free)
        return 1 + slots.index(choose(mask, board.score + score, roll))

    return choose_rank


def assert_close(law: ScoreDistribution, exact: ScoreDistribution, tolerance: float) -> None:
    """Every probability of a float distribution within the tolerance, as a share of the exact one."""
    assert not law.is_exact
    assert law.scores == exact.scores
    for weight, wanted in zip(law.weights, exact.weights, strict=True):
        share = Fraction(wanted) / exact.total
        assert abs(Fraction(weight) - share) <= tolerance * share


@contextmanager
def peak_memory() -> Iterator[Callable[[], int]]:
    """Inside, a function that gives the most bytes held at a time so far.

    Those of all threads: in a process that runs many tests some megabytes may be another one's.
    """
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def targets_of(game: Game, score: Score = 0, free: int | None = None) -> list[Fraction]:
    """Every score that can happen from a position, and others between, below and above."""
    multipliers = game.multipliers if free is None else game.multipliers_of(free)
    reached = sorted(score + points for points in sequences.law_of_random(law_of(game.dice), multipliers))
    between = [Fraction(low + high) / 2 for low, high in pairwise(reached)]
    beside = [reached[0] - Fraction(1, 3), reached[0] + Fraction(1, 7), reached[-1] + Fraction(1, 5)]
    return [*map(Fraction, reached), *between, *beside]


def largest(game: Game) -> Fraction:
    highest = max(Fraction(abs(roll)) for roll in game.dice.support)
    return max(Fraction(1), highest * sum(abs(Fraction(multiplier)) for multiplier in game.multipliers))


def best_after(board: Board, utility: Callable[[Score], Fraction]) -> Fraction:
    """The greatest expected utility of the final score from a position, over all strategies."""
    left = board.game.multipliers_of(board.free)
    return aims.best_utility(law_of(board.game.dice), left, lambda points: utility(board.score + points))


def first_best(board: Board, utility: Callable[[Score], Fraction]) -> tuple[Fraction, dict[int, int]]:
    """The mean of the final score, and of the slots that are exactly best for each roll the one with the best mean."""
    left, free = board.game.multipliers_of(board.free), frozenset(range(1, len(board.free_slots) + 1))
    law = law_of(board.game.dice)
    worth, choose = ties.best_play(law, left, lambda points: utility(board.score + points))
    slots = {roll: board.free_slots[choose(free, Fraction(0), roll) - 1] for roll in law} if free else {}
    return board.score + worth(free, Fraction(0))[1], slots


def check_law(play: BestPlay, board: Board) -> ScoreDistribution:
    """The distribution from a position is that of its slots, followed through all sequences of rolls."""
    law = play.distribution(board.free, board.score)
    left = board.game.multipliers_of(board.free)
    wanted = sequences.law_of(law_of(board.game.dice), left, of_sets(play.choose, board))
    assert as_oracle(law) == moved(wanted, board.score)
    assert all(isinstance(score, int) == (Fraction(score).denominator == 1) for score in law.scores)
    rounded = play.distribution(board.free, board.score, exact=False)
    assert rounded.scores == law.scores
    assert rounded.weights == pytest.approx(
        [float(law.probability(score)) for score in law.scores], rel=TOLERANCE, abs=0
    )
    return law


@cache
def classic_optimal() -> ScoreDistribution:
    return rule_distribution(Game.classic(), optimal_rule(Game.classic()))


@cache
def classic_chances() -> ChanceTable:
    return chance_table(Game.classic())


@cache
def usual_front(game: Game) -> list[FrontPoint]:
    return front_of(game)


def last_or_first(free: int, roll: int) -> int:
    """A rule that is neither good nor simple, and looks at both arguments."""
    slots = slots_of(free)
    return slots[(roll + len(slots)) % len(slots)]


def by_thresholds(game: Game) -> list[Fraction]:
    """Σ λ_i E_k[i] for every free set; 0 for none."""
    rows = exact_thresholds(game.dice, game.size)
    return [
        rows[free.bit_count() - 1].value(game.multipliers_of(free)) if free else Fraction(0)
        for free in range(game.all_free + 1)
    ]
