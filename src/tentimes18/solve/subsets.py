"""M[A]: the table over all sets of free slots (the paper's section "Dynamic Programming", Eq. (1)).

With M[A] the value of the free set A, M[∅] = 0 and

    M[A] = Σ_x P(x) max_{i ∈ A} (λ_i x + M[A - i]).

The maximum over i is the upper envelope of |A| lines in x. It is built and walked once for all rolls, in O(|A| + rolls)
steps, where taking the maximum roll by roll needs O(|A| · rolls). The best move for a roll x is the i that attains it.

Nothing here knows of the thresholds: the two ways to the same value are compared in the tests, exactly.

Several threads: the table is cut by the highest bits of A into blocks. A block needs only itself and the blocks whose
number is a subset of its own, so the blocks whose numbers have equally many bits are independent.
"""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

from tentimes18.errors import TooLarge
from tentimes18.game import Game, slots_of
from tentimes18.kernels import thread_count
from tentimes18.solve.thresholds import Progress, law_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["exact_subset_values", "subset_values", "verify_subset_size"]

MAX_SLOTS: Final = 26
MAX_EXACT_SLOTS: Final = 14
BLOCK_BITS: Final = 6
SMALL: Final = 13  # up to here threads take longer to start than the table to fill


def verify_subset_size(game: Game, most: int = MAX_SLOTS) -> None:
    """Raise ``TooLarge`` where the table would have more than 2^most entries."""
    if game.size > most:
        exponent = game.size + 3
        size = f"{2.0**exponent:.1e} bytes" if exponent < 1000 else f"2^{exponent} bytes"
        raise TooLarge(
            f"the table over all subsets of {game.size} slots has 2^{game.size} entries ({size}); "
            f"at most {most} slots: use the thresholds, which need no such table",
            field="slots",
        )


def subset_values(game: Game, progress: Progress | None = None) -> "NDArray[np.float64]":
    """M[A] for every free set A in float64, the mask A as the index; progress is told (blocks done, blocks).

    >>> float(subset_values(Game.classic())[Game.classic().all_free])
    642.2393504256153
    """
    import numpy as np

    from tentimes18.kernels import subsets as kernel

    verify_subset_size(game)
    lam = np.array([float(multiplier) for multiplier in game.multipliers])
    law = law_arrays(game.dice)
    M = np.empty(1 << game.size)
    M[0] = 0.0
    if game.size <= SMALL:
        kernel.fill(lam, *law, 1, len(M), M)
        return M
    bits = BLOCK_BITS
    step = 1 << (game.size - bits)

    def fill(block: int) -> None:
        kernel.fill(lam, *law, max(1, block * step), (block + 1) * step, M)

    done = 0
    with ThreadPoolExecutor(thread_count()) as pool:
        for layer in range(bits + 1):
            for _ in pool.map(fill, (block for block in range(1 << bits) if block.bit_count() == layer)):
                done += 1
                if progress:
                    progress(done, 1 << bits)
    return M


def exact_subset_values(game: Game) -> list[Fraction]:
    """M[A] for every free set A, exact: the recurrence as it stands, with integers over total^|A|.

    >>> print(exact_subset_values(Game.classic())[Game.classic().all_free])
    18785030572793410855/29249267520503808
    """
    verify_subset_size(game, MAX_EXACT_SLOTS)
    law = list(zip(game.dice.support, game.dice.counts, strict=True))
    common = lcm(*(multiplier.denominator for multiplier in game.multipliers))
    lam = [int(multiplier * common) for multiplier in game.multipliers]
    T = game.dice.total
    M = [0] * (1 << game.size)
    for A in range(1, 1 << game.size):
        unit = T ** (A.bit_count() - 1)
        lines = [(lam[slot - 1] * unit, M[A ^ 1 << (slot - 1)]) for slot in slots_of(A)]
        M[A] = sum(count * max(slope * x + height for slope, height in lines) for x, count in law)
    return [Fraction(M[A], common * T ** A.bit_count()) for A in range(1 << game.size)]
