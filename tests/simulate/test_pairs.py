"""Pairs in which somebody plays a duel: exact ones as the duel's solvers say, and games where that takes too long."""

import pytest

from tentimes18.duel.play_out import EquilibriumPath
from tentimes18.game import Game
from tentimes18.simulate.run import Run
from tentimes18.simulate.tournament import meet, meetings_of
from tentimes18.strategies.named import RULES
from tentimes18.strategies.solved import equilibrium, hunter

GAME = Game.parse("2d6", "1-5")


def test_exact() -> None:
    assert meet(Run(GAME, ("hunter", "optimal"), 18), 1).equity == pytest.approx(hunter(GAME).outcome.equity, abs=1e-12)
    path = EquilibriumPath(equilibrium(GAME), RULES["greedy"](GAME)).outcome
    met = meet(Run(GAME, ("equilibrium", "greedy"), 18), 1)
    assert met.equity == pytest.approx(1 - path.equity, abs=1e-12)
    assert (met.stderr, met.is_exact) == (0.0, True)
    path = EquilibriumPath(equilibrium(GAME), hunter(GAME)).outcome
    assert meet(Run(GAME, ("hunter", "equilibrium"), 18), 1).equity == pytest.approx(path.equity, abs=1e-12)


@pytest.mark.parametrize("other", ["optimal", "random", "target:80"])
def test_simulated_where_that_takes_too_long(other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(GAME, ("hunter", other), 18)
    exact = meet(run, 1)
    monkeypatch.setattr("tentimes18.simulate.tournament.QUICK_STEPS", 100)
    found = meet(run, 20_000)
    assert exact.is_exact
    assert not found.is_exact
    assert abs(found.equity - exact.equity) < 4 * found.stderr


def test_who_sees_the_future_is_simulated() -> None:
    found = meet(Run(GAME, ("hindsight", "equilibrium"), 18), 500)
    assert not found.is_exact
    assert found.equity > 0.5


def test_which_pairs() -> None:
    run = Run(Game.parse("1d4", "1-3"), ("optimal", "greedy", "hunter", "random"), 18)
    told: list[tuple[int, int]] = []
    found = meetings_of(run, 100, progress=lambda done, total: told.append((done, total)))
    assert sorted(found) == [(0, 2), (1, 2), (2, 3)]
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert meetings_of(Run(run.game, ("optimal", "greedy"), 18), 100) == {}
