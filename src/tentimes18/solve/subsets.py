"""M[A]: the table over all sets of free slots (the paper's section "Dynamic Programming", Eq. (1)).

With M[A] the value of the free set A, M[∅] = 0 and

    M[A] = Σ_x P(x) max_{i ∈ A} (λ_i x + M[A - i]).

The best move for a roll x is the i that attains the maximum. Here the table is exact, and taken roll by roll;
`solve.float_subsets` has it for many slots.

Nothing here knows of the thresholds: the two ways to the same value are compared in the tests, exactly.
"""

from fractions import Fraction
from math import lcm
from typing import Final

from tentimes18.errors import TooLarge
from tentimes18.game import Game, slots_of

__all__ = ["exact_subset_values", "verify_subset_size"]

MAX_SLOTS: Final = 26
MAX_EXACT_SLOTS: Final = 14


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
