"""What the best pure strategy secures in the duel, against an opponent who knows it.

A pure strategy names one slot for each position and roll. An opponent who knows it answers that slot, so in place of
the value of the matrix game each position and roll has max min of its entries:

    G[A, B][e] = Σ_x P(x) max_{i ∈ A} min_{j ∈ B} G[A - i, B - j][e + shift_i(x) - shift_j(x)],

with G[∅, ∅] = 0, 1/2, 1 for e < 0, e = 0, e > 0. Mixed moves secure 1/2 from the start, by symmetry. Where G is smaller
there, a strategy that nothing beats must mix.
"""

from fractions import Fraction
from functools import cache

from tentimes18.duel.equilibrium import solve_windows
from tentimes18.duel.lead_windows import DuelWindows, check_duel_size, duel_steps, open_positions
from tentimes18.game import Game, slots_of
from tentimes18.limits import check_size
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.parallel import Progress

EXACT_STEP = 500.0  # an operation on integers in Python takes as long as this many in compiled code
EXACT_BYTES = 400.0  # per position in Python


def pure_guarantee(game: Game, progress: Progress | None = None) -> float:
    """The share of wins, draws counting one half, that the best pure strategy secures from the start."""
    check_duel_size(game, values=1, power=2)
    windows = DuelWindows(game, half=False)
    values, _ = solve_windows(windows, progress=progress, is_pure=True)
    return windows.read(values, game.all_free, game.all_free, 0)


def exact_pure_guarantee(game: Game, progress: Progress | None = None) -> Fraction:
    """The same as a fraction, for small games."""
    positions = sum(open_positions(game))
    operations = EXACT_STEP * duel_steps(game, power=2)
    check_size(f"the exact guarantee on {game.size} slots", bytes=EXACT_BYTES * positions, operations=operations)
    shifts = lattice_of(game).shifts

    @cache
    def points(mine: int, theirs: int, lead: int) -> int:
        """The guarantee times 2 Wᵏ, W being the sum of the weights and k the number of free slots."""
        if not mine:
            return 1 + (lead > 0) - (lead < 0)
        if progress:
            progress(min(points.cache_info().currsize, int(positions)), int(positions) + 1)
        return sum(
            weight
            * max(
                min(
                    points(mine ^ 1 << i - 1, theirs ^ 1 << j - 1, lead + shifts[i - 1][x] - shifts[j - 1][x])
                    for j in slots_of(theirs)
                )
                for i in slots_of(mine)
            )
            for x, weight in enumerate(game.dice.counts)
        )

    return Fraction(points(game.all_free, game.all_free, 0), 2 * sum(game.dice.counts) ** game.size)
