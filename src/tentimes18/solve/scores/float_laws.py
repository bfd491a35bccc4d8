"""The laws of `solve.scores.exact_laws` in float64, for games where exact numbers take too long.

Two layers of laws are kept, of the sets with k and with k - 1 free slots. No term is ever subtracted, so that even the
rarest scores have a small relative error.
"""

from functools import partial

import numpy as np

from tentimes18.game import Game
from tentimes18.kernels import scores as kernel
from tentimes18.kernels.types import Floats, Ints, Slots, Spans
from tentimes18.solve.lattice import Lattice, lattice_of
from tentimes18.solve.layers import LayerPool, Progress, part_count
from tentimes18.solve.moves import moves_of
from tentimes18.solve.rule_slots import rule_slots
from tentimes18.solve.rules import OptimalRule, Rule
from tentimes18.solve.scores.plans import SECONDS_A_PRODUCT, admit_law, float_law_plan
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["float_rule_law", "law_of_array", "subset_sums"]


def float_rule_law(game: Game, rule: Rule, free: int | None = None, progress: Progress | None = None) -> ScoreLaw:
    """The law of `rule_law` in float64, for games where exact numbers take too long.

    >>> from tentimes18.solve.rules import optimal_rule
    >>> round(float_rule_law(Game.classic(), optimal_rule(Game.classic())).mean, 9)
    642.239350426
    """
    free = game.all_free if free is None else free
    admit_law(game, free, partial(float_law_plan, is_optimal=isinstance(rule, OptimalRule)))
    return _float_law(game, free, rule_slots(game, rule, free, progress), progress)


def _float_law(game: Game, free: int, slots: Slots, progress: Progress | None) -> ScoreLaw:
    lattice = lattice_of(game)
    n = free.bit_count()
    moves = moves_of(game, free)
    masks = np.arange(1 << n)
    widths = subset_sums(moves.shifts.max(axis=1))
    sizes = np.bitwise_count(masks)
    offsets = np.zeros(1 << n, dtype=np.int64)
    spans = Spans(widths, offsets)
    law = np.ones(1)
    with LayerPool(int(widths[1:].sum()) + len(widths) - 1, progress) as pool:
        for k in range(1, n + 1):
            sets = masks[sizes == k]
            ends = np.cumsum(widths[sets] + 1)
            offsets[sets[1:]] = ends[:-1]
            smaller, law = law, np.empty(ends[-1])
            fill = partial(kernel.fill_laws, moves, slots, spans, smaller, law)
            parts = part_count(len(sets), SECONDS_A_PRODUCT * float(ends[-1]) * len(moves.P))
            pool.run(fill, np.array_split(sets, parts), work=int(ends[-1]))
    return law_of_array(lattice, free, law)


def subset_sums(values: Ints) -> Ints:
    """The sum of the values of each set, by its mask.

    >>> subset_sums(np.array([1, 20])).tolist()
    [0, 1, 20, 21]
    """
    sums = np.zeros(1 << len(values), dtype=np.int64)
    for i, value in enumerate(values):
        sums[1 << i : 2 << i] = sums[: 1 << i] + value
    return sums


def law_of_array(lattice: Lattice, free: int, law: Floats) -> ScoreLaw:
    """The law of points from a free set, from probabilities by index.

    >>> game = Game.parse("1d3", "2")
    >>> law_of_array(lattice_of(game), game.all_free, np.array([0.5, 0.0, 0.5])).scores
    (2, 6)
    """
    support = np.flatnonzero(law).tolist()
    return ScoreLaw(tuple(lattice.scores(free, support)), tuple(law[support].tolist()), 1.0)
