"""The order statistics of `solve.hindsight` in float64.

Each binomial law grows from its largest term outwards, so nothing over- or underflows.
"""

from typing import Final

import numpy as np

from tentimes18.dice import Dice
from tentimes18.kernels.types import Floats
from tentimes18.plan import Plan, admit, largest
from tentimes18.solve.layers import Progress

__all__ = ["order_plan", "order_statistics"]

SECONDS_A_TERM: Final = 1.6e-8  # of a binomial law
SECONDS_A_ROLL: Final = 2e-5


def order_plan(dice: Dice, n: int) -> Plan:
    """What the order statistics take: a binomial law for each roll."""
    return Plan(
        f"the order statistics of {n:,} rolls",
        seconds=len(dice.support) * (SECONDS_A_ROLL + SECONDS_A_TERM * n),
        memory=80 * n,
    )


def order_statistics(dice: Dice, n: int, progress: Progress | None = None) -> Floats:
    """E[X_(1)], ..., E[X_(n)]: the expected rolls in the slots under hindsight; progress is told (rolls done, rolls).

    >>> [round(float(mean), 6) for mean in order_statistics(Dice.parse("1d6"), 2)]
    [2.527778, 4.472222]
    """
    admit(
        order_plan(dice, n),
        instead=lambda limits: (
            f"{largest(n - 1, lambda fewer: order_plan(dice, fewer).fits(limits)):,} slots of these dice fit"
        ),
    )
    row = np.full(n, float(dice.support[0]))
    b = np.arange(1, n + 1)
    for position in range(1, len(dice.support)):
        count, _ = dice.below(position)
        p, q = count / dice.total, (dice.total - count) / dice.total
        if q == 0.0:
            break
        mode = min(n, int((n + 1) * p))
        up = np.cumprod((n - b[mode:] + 1) / b[mode:] * (p / q))  # ratios of binomial term b to term b - 1
        down = np.cumprod((b[:mode] / (n - b[:mode] + 1) * (q / max(p, 1e-300)))[::-1])[::-1]
        law = np.concatenate((down, [1.0], up))
        fewer = np.cumsum(law)[:-1] / law.sum()
        row += (dice.support[position] - dice.support[position - 1]) * np.minimum(fewer, 1.0)
        if progress:
            progress(position, len(dice.support) - 1)
    return row
