"""The distributions of `solve.rule_distributions` in float64, for games where exact numbers take too long.

Two layers of distributions are in memory, of the sets with k and with k - 1 free slots. No term is ever subtracted, so
that even the rarest scores have a small relative error.
"""

from functools import partial

import numpy as np

from tentimes18.arrays import Floats, Ints, Moves, Slots
from tentimes18.compiled import compiled
from tentimes18.game import Game
from tentimes18.limits import as_float, check_size, power_of_two
from tentimes18.solve.lattice import Lattice, lattice_of, lattice_width
from tentimes18.solve.move_arrays import Spans, moves_of, rule_slots, sets_by_size, subset_sums
from tentimes18.solve.parallel import LayerPool, Progress, part_count
from tentimes18.solve.rule_distributions import largest_layer
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import Rule


def float_rule_distribution(
    game: Game, rule: Rule, free: int | None = None, progress: Progress | None = None
) -> ScoreDistribution:
    """The distribution of `rule_distribution` in float64, for games where exact numbers take too long."""
    free = game.all_free if free is None else free
    n, rolls, count = free.bit_count(), len(game.dice.support), power_of_two(free.bit_count())
    scores = as_float(lattice_width(game, free)) + 1
    check_size(
        f"the distribution of the score on {n:,} slots",
        bytes=8 * largest_layer(n) * scores + (40 + rolls) * count + 300 * scores,
        operations=count * rolls * scores / 8,
    )
    slots = rule_slots(game, rule, free, progress)
    moves = moves_of(game, free)
    widths = subset_sums(moves.shifts.max(axis=1))
    offsets = np.zeros(1 << n, dtype=np.int64)
    spans = Spans(widths, offsets)
    distribution = np.ones(1)
    with LayerPool(int(widths[1:].sum()) + len(widths) - 1, progress) as pool:
        for sets in sets_by_size(n)[0][1:]:
            ends = np.cumsum(widths[sets] + 1)
            offsets[sets[1:]] = ends[:-1]
            smaller, distribution = distribution, np.empty(ends[-1])
            fill = partial(_fill_distributions, moves, slots, spans, smaller, distribution)
            parts = part_count(len(sets), float(ends[-1]) * len(moves.P) / 4)
            pool.run(fill, np.array_split(sets, parts), work=int(ends[-1]))
    return distribution_of_array(lattice_of(game), free, distribution)


def distribution_of_array(lattice: Lattice, free: int, distribution: Floats) -> ScoreDistribution:
    """The distribution of points from a free set, from probabilities by index."""
    support = np.flatnonzero(distribution).tolist()
    return ScoreDistribution(tuple(lattice.scores(free, support)), tuple(distribution[support].tolist()), 1.0)


@compiled()
def _fill_distributions(moves: Moves, slots: Slots, spans: Spans, smaller: Floats, larger: Floats, sets: Ints) -> None:
    """Fill in the distributions of these sets, all with as many slots, in ``larger``; that of A is at offsets[A]."""
    P, shifts = moves
    widths, offsets = spans
    for A in sets:
        distribution = larger[offsets[A] : offsets[A] + widths[A] + 1]
        distribution[:] = 0.0
        for x in range(len(P)):
            i = slots[A, x]
            B = A ^ (1 << i)
            source = smaller[offsets[B] : offsets[B] + widths[B] + 1]
            target = distribution[shifts[i, x] : shifts[i, x] + widths[B] + 1]
            p = P[x]
            for j in range(len(source)):
                target[j] += p * source[j]
