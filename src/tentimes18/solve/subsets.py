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

from tentimes18.game import Game, slots_of
from tentimes18.plan import Plan, admit_game, power_of_two
from tentimes18.solve.layers import Progress, shared

__all__ = ["INSTEAD", "exact_subset_plan", "exact_subset_values", "subset_plan"]

INSTEAD: Final = "the thresholds need no such table"
SECONDS_A_LINE: Final = 4e-9  # of float64, of an envelope
SECONDS_A_ROLL: Final = 7.5e-10  # on it
SECONDS_A_PRODUCT: Final = 2e-7  # of integers
SETS_A_REPORT: Final = 256


def subset_plan(game: Game) -> Plan:
    """What the table takes in float64 (`solve.float_subsets`): an upper envelope for each of 2^n sets."""
    sets = power_of_two(game.size)
    return Plan(
        f"the table over all subsets of {game.size:,} slots",
        seconds=shared(sets * (SECONDS_A_LINE * game.size + SECONDS_A_ROLL * len(game.dice.support))),
        memory=8 * sets,
    )


def exact_subset_plan(game: Game) -> Plan:
    """What the exact table takes."""
    sets, bits = power_of_two(game.size), game.size * game.dice.total.bit_length()
    return Plan(
        f"the exact table over all subsets of {game.size:,} slots",
        seconds=sets * game.size / 2 * len(game.dice.support) * SECONDS_A_PRODUCT * (1 + bits / 2000),
        memory=sets * (250 + bits / 3),
    )


def exact_subset_values(game: Game, progress: Progress | None = None) -> list[Fraction]:
    """M[A] for every free set A, exact: the recurrence as it stands, with integers over total^|A|.

    >>> print(exact_subset_values(Game.classic())[Game.classic().all_free])
    18785030572793410855/29249267520503808
    """
    admit_game(game, exact_subset_plan, instead=INSTEAD)
    law = list(zip(game.dice.support, game.dice.counts, strict=True))
    common = lcm(*(multiplier.denominator for multiplier in game.multipliers))
    lam = [int(multiplier * common) for multiplier in game.multipliers]
    T = game.dice.total
    M = [0] * (1 << game.size)
    for A in range(1, 1 << game.size):
        unit = T ** (A.bit_count() - 1)
        lines = [(lam[slot - 1] * unit, M[A ^ 1 << (slot - 1)]) for slot in slots_of(A)]
        M[A] = sum(count * max(slope * x + height for slope, height in lines) for x, count in law)
        if progress and A % SETS_A_REPORT == 0:
            progress(A, 1 << game.size)
    return [Fraction(M[A], common * T ** A.bit_count()) for A in range(1 << game.size)]
