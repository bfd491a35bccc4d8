"""An equilibrium followed against the best reply to it: the chances that this has, and those it leaves."""

import numpy as np
import pytest

from tentimes18.game import Game
from tentimes18.kernels.types import BEST_REPLY, Hunter, OpponentSlots
from tentimes18.solve.duel.equilibrium import Equilibrium
from tentimes18.solve.duel.follow import follow_rounds
from tentimes18.solve.duel.response import nobody
from tentimes18.solve.rule_slots import same_everywhere


def followed(table: Equilibrium) -> tuple[float, float, float, float]:
    """Equity of the best reply by its table; win, draw and loss of it by following."""
    windows, equities = table._best_equities(None)
    theirs, order, _ = nobody(windows)
    opponent = OpponentSlots(same_everywhere(table.game, BEST_REPLY), Hunter(theirs, order, windows.table(equities)))
    rounds = list(follow_rounds(table.windows.table(table.values), windows, opponent.slots, opponent))
    assert len(rounds) == table.game.size
    win, loss = sum(one.found.lost for one in rounds), sum(one.found.won for one in rounds)
    return float(equities[-1]), win, rounds[-1].after, loss


def test_against_an_equilibrium_nothing_is_gained() -> None:
    """Two players of the equilibrium keep the same board: the duel is drawn."""
    equity, win, draw, loss = followed(Equilibrium(Game.parse("3d6", "1-4")))
    assert (equity, win, draw, loss) == pytest.approx((0.5, 0.0, 1.0, 0.0), rel=0, abs=1e-12)


@pytest.mark.parametrize(("dice", "slots"), [("1d4", "1-3"), ("1d3", "1-4")])
def test_against_wrong_moves_the_equity_is_what_following_finds(dice: str, slots: str) -> None:
    """Values that are wrong make wrong moves, mixed ones too: the reply gains, the same both ways."""
    table = Equilibrium(Game.parse(dice, slots))
    values = np.clip(table.values + 0.2 * np.random.default_rng(18).random(len(table.values)), 0.0, 1.0)
    for offsets, _, sizes in map(table.windows.of_size, range(table.game.size + 1)):
        for offset, size in zip(offsets.diagonal(), sizes.diagonal(), strict=True):
            same = values[offset : offset + size]  # both players have this set: the values mirror each other
            same[:] = (same + 1.0 - same[::-1]) / 2
    table.values = values
    equity, win, draw, loss = followed(table)
    assert equity > 0.5 + 1e-6
    assert equity == pytest.approx(win + draw / 2, rel=0, abs=1e-12)
    assert win + draw + loss == pytest.approx(1, rel=0, abs=1e-12)
    outcome = table.against()
    assert (outcome.win, outcome.draw, outcome.loss) == pytest.approx((win, draw, loss), rel=0, abs=1e-12)
