"""An equilibrium and its opponent followed from two empty boards, round by round."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from tentimes18.kernels import duel_path as kernel
from tentimes18.kernels.types import DuelTable, Followed, LayerChances, OpponentSlots, Slots
from tentimes18.solve.duel.outcome import Outcome
from tentimes18.solve.duel.windows import DuelWindows
from tentimes18.solve.layers import apart

__all__ = ["EquilibriumRound", "follow_rounds", "outcome_of"]


class EquilibriumRound(NamedTuple):
    """A round: what happened in it, and the chance that the duel was open before it."""

    found: Followed
    before: float


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
    >>> [(one.before, one.found.still_open) for one in rounds]
    [(1.0, 1.0)]
    """
    here, before = LayerChances(np.ones((1, 1), dtype=np.bool_), np.ones(1)), 1.0
    for k in range(windows.game.size, 0, -1):
        sizes = windows.sizes[k - 1]
        after = LayerChances(np.zeros(sizes.shape, dtype=np.bool_), np.zeros(int(sizes.sum())))
        layer = windows.layer(k)
        follow = partial(kernel.follow_equilibrium, equilibrium, windows.moves, layer, rule, opponent, here, after)
        found = apart(follow)
        yield EquilibriumRound(found, before)
        here, before = after, found.still_open


def outcome_of(rounds: Sequence[EquilibriumRound]) -> Outcome:
    """The opponent's chances, of all rounds from the first on.

    >>> outcome_of([EquilibriumRound(Followed(1, 0.0, 0.0, won=0.25, lost=0.5, still_open=0.25), before=1.0)])
    Outcome(equity=0.625, win=0.5, draw=0.25, loss=0.25)
    """
    win, loss = sum(one.found.lost for one in rounds), sum(one.found.won for one in rounds)
    draw = rounds[-1].found.still_open
    return Outcome(win + draw / 2, win, draw, loss)
