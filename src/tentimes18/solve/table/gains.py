"""How far behind is too far: the most that one player can still gain on another, for every two free sets.

    g[A, B] = max over x, i, j of shift_i(x) - shift_j(x) + g[A - i, B - j],    g[∅, ∅] = 0,

as in `solve.duel.windows`: who is behind another by more than that ends behind it.
"""

from functools import lru_cache, partial

import numpy as np

from tentimes18.game import Game
from tentimes18.kernels import windows as kernel
from tentimes18.kernels.types import TableGains
from tentimes18.plan import admit_game
from tentimes18.solve.layers import apart
from tentimes18.solve.moves import moves_of
from tentimes18.solve.table.plans import gains_plan

__all__ = ["table_gains"]


@lru_cache(maxsize=2)
def table_gains(game: Game) -> TableGains:
    """The most that one can gain on another, for kernels.

    >>> gains = table_gains(Game.parse("1d6", "1-2"))
    >>> gains.values[gains.starts[1] :].tolist()
    [0, 0, 5, 0, 5]
    """
    admit_game(game, gains_plan)
    shifts = moves_of(game).shifts
    masks = np.arange(1 << game.size)
    sizes = np.bitwise_count(masks)
    groups = [masks[sizes == k] for k in range(game.size + 1)]
    ranks = np.zeros(1 << game.size, dtype=np.int64)
    layers = [np.zeros((1, 1), dtype=np.int64)]
    for group in groups:
        ranks[group] = np.arange(len(group))
    for group in groups[1:]:
        found = np.empty((len(group), len(group)), dtype=np.int64)
        apart(partial(kernel.largest_gains, shifts, group, ranks, layers[-1], found))
        layers.append(found)
    counts = np.array([len(group) for group in groups])
    starts = np.cumsum(counts**2) - counts**2
    return TableGains(ranks, starts, counts, np.concatenate([layer.ravel() for layer in layers]))
