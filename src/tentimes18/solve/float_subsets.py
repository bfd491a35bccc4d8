"""The table M[A] of `solve.subsets` in float64, for many slots.

The maximum over i of λ_i x + M[A - i] is the upper envelope of |A| lines in x. It is built and walked once for all
rolls, in O(|A| + rolls) steps, where taking the maximum roll by roll needs O(|A| · rolls).

Several threads: the table is cut by the highest bits of A into blocks. A block needs only itself and the blocks whose
number is a subset of its own, so the blocks whose numbers have equally many bits are independent.
"""

from typing import Final

import numpy as np

from tentimes18.game import Game
from tentimes18.kernels import subsets as kernel
from tentimes18.kernels.types import Floats
from tentimes18.plan import admit_game
from tentimes18.solve.float_thresholds import roll_law
from tentimes18.solve.layers import LayerPool, Progress
from tentimes18.solve.subsets import INSTEAD, subset_plan

__all__ = ["subset_values"]

BLOCK_BITS: Final = 6
LARGEST_BLOCK: Final = 20  # bits of the sets in a block: a fraction of a second
SMALL: Final = 13  # up to here threads take longer to start than the table to fill


def subset_values(game: Game, progress: Progress | None = None) -> Floats:
    """M[A] for every free set A in float64, the mask A as the index; progress is told (blocks done, blocks).

    >>> float(subset_values(Game.classic())[Game.classic().all_free])
    642.2393504256153
    """
    admit_game(game, subset_plan, instead=INSTEAD)
    lam = np.array([float(multiplier) for multiplier in game.multipliers])
    law = roll_law(game.dice)
    M = np.empty(1 << game.size)
    M[0] = 0.0
    if game.size <= SMALL:
        kernel.fill(lam, law, 1, len(M), M)
        return M
    bits = max(BLOCK_BITS, game.size - LARGEST_BLOCK)
    step = 1 << (game.size - bits)

    def fill(block: int) -> None:
        kernel.fill(lam, law, max(1, block * step), (block + 1) * step, M)

    with LayerPool(1 << bits, progress) as pool:
        for layer in range(bits + 1):
            blocks = [block for block in range(1 << bits) if block.bit_count() == layer]
            pool.run(fill, blocks, work=len(blocks))
    return M
