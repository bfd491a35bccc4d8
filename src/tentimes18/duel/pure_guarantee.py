"""What the best pure strategy secures in the duel, against an opponent who knows it.

A pure strategy names one slot for each position and roll. An opponent who knows it answers that slot, so in place of
the value of the matrix game each position and roll has max min of its entries:

    G[A, B][e] = Σ_x P(x) max_{i ∈ A} min_{j ∈ B} G[A - i, B - j][e + shift_i(x) - shift_j(x)],

with G[∅, ∅] = 0, 1/2, 1 for e < 0, e = 0, e > 0. Mixed moves secure 1/2 from the start, by symmetry. Where G is smaller
there, a strategy that nothing beats must mix.
"""

from fractions import Fraction
from functools import cache, partial

import numpy as np

from tentimes18.arrays import Floats, Ints, Moves
from tentimes18.compiled import compiled
from tentimes18.duel.lead_windows import DuelLayer, DuelWindows, check_duel_size, duel_steps, open_positions
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
    values = np.empty(windows.cells)
    values[0] = 0.5
    windows.fill_layers(lambda k: partial(_fill_guarantee, windows.moves, windows.layer(k), values), 2, progress)
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


@compiled()
def _fill_guarantee(moves: Moves, layer: DuelLayer, value: Floats, mine_ranks: Ints) -> None:
    """The guarantee at every lead of the pairs whose first set has one of these ranks."""
    P, shifts = moves
    ranks, sets = layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    after_offsets, after_lows, after_sizes = layer.after
    widest = sizes.max()
    least, best = np.empty(widest), np.empty(widest)
    for a in mine_ranks:
        A = sets[a]
        for b in range(len(sets)):
            B, size, low = sets[b], sizes[a, b], lows[a, b]
            total = value[offsets[a, b] : offsets[a, b] + size]
            total[:] = 0.0
            for x in range(len(P)):
                best[:size] = 0.0
                for i in range(len(shifts)):
                    if not A >> i & 1:
                        continue
                    rank_a = ranks[A ^ (1 << i)]
                    least[:size] = 1.0
                    for j in range(len(shifts)):
                        if not B >> j & 1:
                            continue
                        rank_b = ranks[B ^ (1 << j)]
                        # Lead low + t becomes index t + move in the window of the smaller sets.
                        move = low + shifts[i, x] - shifts[j, x] - after_lows[rank_a, rank_b]
                        begin = min(max(0, -move), size)
                        end = max(begin, min(size, after_sizes[rank_a, rank_b] - move))
                        place = after_offsets[rank_a, rank_b] + move
                        least[:begin] = 0.0
                        first, at = np.uint64(place + begin), np.uint64(begin)
                        for t in range(np.uint64(end - begin)):
                            entry = value[first + t]
                            least[at + t] = entry if entry < least[at + t] else least[at + t]
                    for t in range(np.uint64(size)):
                        best[t] = least[t] if least[t] > best[t] else best[t]
                for t in range(np.uint64(size)):
                    total[t] += P[x] * best[t]
