"""Simulated games: a rule of a user's own, the scores that the players make, and whether two counts are the same."""

from typing import Any, Final

import numpy as np

from tentimes18.game import Board, Game, Number
from tentimes18.simulate.drawing import draw
from tentimes18.simulate.games import Counts
from tentimes18.simulate.players import players_of
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of

CLASSIC: Final = Game.classic()
MINE: Final = f"{__name__}:by_parity"


def by_parity(board: Board, roll: int) -> int:
    """A rule that looks at the score and at the rounds, as no table of ours does."""
    slots = board.free_slots
    return slots[(roll + board.rounds + int(board.score)) % len(slots)]


def middle(game: Game) -> str:
    """The strategy for a target that is neither sure nor out of reach."""
    return f"target:{int(game.dice.mean * sum(game.multipliers)) + 1}"


def kernel_scores(run: Run, first: int, size: int) -> list[list[Number]]:
    lattice, free = lattice_of(run.game), run.game.all_free
    rolls = draw(run, first, size)
    found = []
    for player in players_of(run).plays:
        scores = np.full(size, -1, dtype=np.int32)
        player(first, rolls, scores)
        found.append(lattice.scores(free, scores.tolist()))
    return found


def assert_same(left: Counts, right: Counts) -> None:
    assert left.games == right.games
    for name in ("histograms", "wins", "draws", "first_places"):
        assert np.array_equal(getattr(left, name), getattr(right, name)), name
    for name in ("difference", "squared_difference", "largest"):
        assert getattr(left, name) == getattr(right, name), name


def law_of_run(found: dict[str, Any]) -> dict[float, int]:
    return dict(found["histogram"])
