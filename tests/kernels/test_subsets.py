"""The envelope of lines against the maximum roll by roll."""

import numpy as np
import pytest
from hypothesis import given

from tentimes18.game import Game
from tentimes18.kernels.subsets import fill
from tests.support.arrays import roll_law
from tests.support.games import games


def plain(game: Game) -> list[float]:
    """M[A] as it stands: Σ_x P(x) max_i (λ_i x + M[A - i])."""
    lam = [float(multiplier) for multiplier in game.multipliers]
    M = [0.0]
    for A in range(1, 1 << game.size):
        free = [i for i in range(game.size) if A >> i & 1]
        best = (max(lam[i] * x + M[A ^ 1 << i] for i in free) for x in game.dice.support)
        M.append(sum(count * value for count, value in zip(game.dice.counts, best, strict=True)) / game.dice.total)
    return M


@given(games(max_slots=5, max_rolls=6))
def test_every_set(game: Game) -> None:
    M = np.full(1 << game.size, np.nan)
    M[0] = 0.0
    fill(np.array([float(multiplier) for multiplier in game.multipliers]), roll_law(game.dice), 1, len(M), M)
    assert M.tolist() == pytest.approx(plain(game), rel=0, abs=1e-10)


def test_a_range_leaves_the_rest_alone() -> None:
    game = Game.parse("3d6", "1-4")
    lam, law = np.arange(1.0, 5.0), roll_law(game.dice)
    whole = np.zeros(16)
    fill(lam, law, 1, 16, whole)
    M = np.full(16, -1.0)
    M[:8] = whole[:8]
    fill(lam, law, 8, 12, M)
    assert np.array_equal(M[:12], whole[:12])
    assert set(M[12:]) == {-1.0}
