"""An equilibrium and its opponent followed from two empty boards, round by round."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from tentimes18.kernels import duel_path as kernel
from tentimes18.kernels.types import DuelTable, Followed, OpponentSlots, Slots
from tentimes18.solve.duel.windows import DuelWindows
from tentimes18.solve.layers import apart

__all__ = ["EquilibriumRound", "follow_rounds"]


class EquilibriumRound(NamedTuple):
    """A round: what happened in it, the chance that the duel was open before it, and that it is after it."""

    found: Followed
    before: float
    after: float


def follow_rounds(
    equilibrium: DuelTable, windows: DuelWindows, rule: Slots, opponent: OpponentSlots
) -> Iterator[EquilibriumRound]:
    """The rounds from the first on; moves are compared with the rule. ``windows`` are those of all pairs.

    What is open after the last round is drawn.

    >>> from tentimes18.game import Game
    >>> from tentimes18.kernels.types import ANY
    >>> from tentimes18.solve.duel.response import nobody
    >>> from tentimes18.solve.rule_slots import same_everywhere
    >>> windows = DuelWindows(Game.parse("1d2", "1"), half=False)
    >>> any_slots = same_everywhere(windows.game, ANY)
    >>> table = windows.table(np.full(windows.cells, 0.5))
    >>> rounds = follow_rounds(table, windows, any_slots, OpponentSlots(any_slots, nobody(windows)))
    >>> [(one.before, one.after) for one in rounds]
    [(1.0, 1.0)]
    """
    chances = np.ones(1)
    for k in range(windows.game.size, 0, -1):
        after = np.zeros(int(windows.sizes[k - 1].sum()))
        follow = partial(
            kernel.follow_equilibrium, equilibrium, windows.moves, windows.layer(k), rule, opponent, chances, after
        )
        found = apart(follow)
        yield EquilibriumRound(found, float(chances.sum()), float(after.sum()))
        chances = after
