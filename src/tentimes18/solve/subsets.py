"""M[A]: the table over all sets of free slots (the paper's section "Dynamic Programming", Eq. (1)).

With M[A] the value of the free set A, M[∅] = 0 and

    M[A] = Σ_x P(x) max_{i ∈ A} (λ_i x + M[A - i]).

The best move for a roll x is the i that attains the maximum. Here the table is exact, and taken roll by roll;
`solve.float_subsets` has it for many slots.

Nothing here knows of the thresholds: the two ways to the same value are compared in the tests, exactly.
"""

from fractions import Fraction
from math import lcm

from tentimes18.game import Game, slots_of
from tentimes18.limits import check_size, power_of_two
from tentimes18.solve.parallel import Progress

SETS_PER_REPORT = 256


def exact_subset_values(game: Game, progress: Progress | None = None) -> list[Fraction]:
    """M[A] for every free set A, exact: the plain recurrence, with integers over total^|A|.

    >>> print(exact_subset_values(Game.classic())[Game.classic().all_free])
    18785030572793410855/29249267520503808
    """
    sets, bits = power_of_two(game.size), game.size * game.dice.total.bit_length()
    products = sets * game.size / 2 * len(game.dice.support)
    job = f"the exact table over all subsets of {game.size:,} slots"
    check_size(job, bytes=sets * (250 + bits / 3), operations=products * (200 + bits / 10))
    rolls = list(zip(game.dice.support, game.dice.counts, strict=True))
    common = lcm(*(multiplier.denominator for multiplier in game.multipliers))
    lam = [int(multiplier * common) for multiplier in game.multipliers]
    T = game.dice.total
    M = [0] * (1 << game.size)
    for A in range(1, 1 << game.size):
        unit = T ** (A.bit_count() - 1)
        lines = [(lam[slot - 1] * unit, M[A ^ 1 << (slot - 1)]) for slot in slots_of(A)]
        M[A] = sum(count * max(slope * x + height for slope, height in lines) for x, count in rolls)
        if progress and A % SETS_PER_REPORT == 0:
            progress(A, 1 << game.size)
    return [Fraction(M[A], common * T ** A.bit_count()) for A in range(1 << game.size)]
