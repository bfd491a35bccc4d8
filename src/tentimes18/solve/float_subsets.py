"""The table M[A] of `solve.subsets` in float64, for many slots.

The maximum over i of λ_i x + M[A - i] is the upper envelope of |A| lines in x. It is built and walked once for all
rolls, in O(|A| + rolls) steps, where taking the maximum roll by roll needs O(|A| · rolls).

Several threads: the table is cut by the highest bits of A into blocks. A block needs only itself and the blocks whose
number is a subset of its own, so the blocks whose numbers have equally many bits are independent. As numbers,
A - {i} < A: the natural order of the masks serves.
"""

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.compiled import compiled
from tentimes18.game import Game
from tentimes18.limits import check_size, power_of_two
from tentimes18.solve.float_thresholds import RollDistribution, roll_distribution
from tentimes18.solve.parallel import LayerPool, Progress

BLOCK_BITS = 6
LARGEST_BLOCK = 20  # bits of the sets in a block: a fraction of a second
SMALL = 13  # up to here threads take longer to start than the table to fill


def subset_values(game: Game, progress: Progress | None = None) -> Floats:
    """M[A] for every free set A in float64, the mask A as the index; ``progress`` gets the blocks done and all."""
    sets = power_of_two(game.size)
    job = f"the table over all subsets of {game.size:,} slots"
    check_size(job, bytes=8 * sets, operations=sets * (4 * game.size + len(game.dice.support)))
    lam = np.array([float(multiplier) for multiplier in game.multipliers])
    distribution = roll_distribution(game.dice)
    M = np.empty(1 << game.size)
    M[0] = 0.0
    if game.size <= SMALL:
        _fill(lam, distribution, 1, len(M), M)
        return M
    bits = max(BLOCK_BITS, game.size - LARGEST_BLOCK)
    step = 1 << (game.size - bits)

    def fill(block: int) -> None:
        _fill(lam, distribution, max(1, block * step), (block + 1) * step, M)

    with LayerPool(1 << bits, progress) as pool:
        for layer in range(bits + 1):
            blocks = [block for block in range(1 << bits) if block.bit_count() == layer]
            pool.run(fill, blocks, work=len(blocks))
    return M


@compiled()
def _fill(lam: Floats, distribution: RollDistribution, first: int, last: int, M: Floats) -> None:
    """Fill M[first:last]; all M[A - i] outside of that range must be there."""
    rolls, C, S = distribution
    n = len(lam)
    s = len(rolls)
    slope = np.empty(n)
    height = np.empty(n)
    start = np.empty(n)
    for A in range(first, last):
        top = -1
        rest = A
        i = 0
        while rest:
            # The lines come by increasing slope; a line that is nowhere highest is taken from the stack.
            if rest & 1:
                m = M[A ^ (1 << i)]
                a = lam[i]
                begin = -np.inf
                while top >= 0:
                    if slope[top] == a:
                        if height[top] >= m:
                            break
                    else:
                        begin = (height[top] - m) / (a - slope[top])
                        if begin > start[top]:
                            break
                    top -= 1
                    begin = -np.inf
                if top < 0 or slope[top] != a:
                    top += 1
                    slope[top] = a
                    height[top] = m
                    start[top] = begin
            rest >>= 1
            i += 1
        value = 0.0
        p = 0
        for line in range(top + 1):
            q = p
            if line == top:
                q = s
            else:
                end = start[line + 1]
                while q < s and rolls[q] <= end:
                    q += 1
            value += slope[line] * (S[q] - S[p]) + height[line] * (C[q] - C[p])
            p = q
        M[A] = value
