"""Positions in play, laws in the form of the oracle, and memory."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TypeAlias

from hypothesis import strategies as st

from tentimes18.game import Board, Game, mask_of, slots_of
from tentimes18.solve.law import ScoreLaw
from tests.conftest import games
from tests.oracle import Score

SetChoice: TypeAlias = Callable[[frozenset[int], Score, int], int]


@st.composite
def boards(draw: st.DrawFn, max_slots: int = 4, max_rolls: int = 3, min_free: int = 0) -> Board:
    """A game in play: from the empty board to one with ``min_free`` free slots."""
    board = Board(draw(games(max_slots, max_rolls)))
    for _ in range(draw(st.integers(0, max(0, board.game.size - min_free)))):
        board = board.place(draw(st.sampled_from(board.game.dice.support)), draw(st.sampled_from(slots_of(board.free))))
    return board


def as_oracle(law: ScoreLaw) -> dict[Score, Fraction]:
    """An exact law as the oracle gives it."""
    assert law.is_exact
    total = Fraction(law.total)
    return {score: weight / total for score, weight in zip(law.scores, map(Fraction, law.weights), strict=True)}


def moved(law: dict[Score, Fraction], points: Score) -> dict[Score, Fraction]:
    """The law with so many points more."""
    return {score + points: share for score, share in law.items()}


def set_choice(choose: Callable[[int, Score, int], int], board: Board) -> SetChoice:
    """A rule for the game that is left on a board, in the form of the oracle, from one for the whole game."""
    slots = slots_of(board.free)

    def choose_rank(free: frozenset[int], score: Score, roll: int) -> int:
        mask = mask_of(slots[rank - 1] for rank in free)
        return 1 + slots.index(choose(mask, board.score + score, roll))

    return choose_rank


def assert_close(law: ScoreLaw, exact: ScoreLaw, tolerance: float) -> None:
    """Every probability of a float law within the tolerance, as a share of the exact one."""
    assert not law.is_exact
    assert law.scores == exact.scores
    for weight, wanted in zip(law.weights, exact.weights, strict=True):
        share = Fraction(wanted) / exact.total
        assert abs(Fraction(weight) - share) <= tolerance * share


@contextmanager
def peak_memory() -> Iterator[Callable[[], int]]:
    """Inside, a function that gives the most bytes held at a time so far."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def rest_of(board: Board) -> Game:
    """The game that is left: the free slots, renumbered."""
    return Game(board.game.dice, board.game.multipliers_of(board.free))
