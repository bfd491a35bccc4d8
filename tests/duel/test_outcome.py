"""The chances of a duel from equity and draw."""

import pytest

from tentimes18.duel.play_out import Outcome


def test_of_equity_and_draw() -> None:
    assert Outcome.of(0.625, 0.25, 0.5) == Outcome(equity=0.625, win=0.5, draw=0.25, loss=0.25)
    assert Outcome.of(0.5, 0.25, 0.0) == Outcome(equity=0.5, win=0.5, draw=0.25, loss=0.25)
    assert Outcome.of(0.75, 0.25, 1.0) == Outcome(equity=0.75, win=0.5, draw=0.25, loss=0.25)


@pytest.mark.parametrize(("equity", "draw"), [(0.5 - 1e-16, 1.0), (1.0 + 1e-15, 0.0), (0.3, 0.6 + 1e-16)])
def test_rounding_leaves_no_chance_outside_of_0_to_1(equity: float, draw: float) -> None:
    outcome = Outcome.of(equity, draw, 0.5)
    assert 0 <= outcome.win <= 1
    assert 0 <= outcome.loss <= 1
    assert outcome.equity == equity
