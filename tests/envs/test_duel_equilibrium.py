"""The equilibrium by observation: the values and moves of the tables, in the units of the environment."""

import numpy as np
import pytest

from tentimes18.duel.draw_odds import DrawOdds
from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.envs.duel_view import DuelEquilibrium, DuelView
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Board, Game, Position

GAME = Game.parse("1d4", "1-3")
EMPTY = Board(GAME)


@pytest.mark.parametrize("draw", [0.5, 0.75])
@pytest.mark.parametrize("player", [0, 1])
def test_values_over_the_rolls_are_those_of_the_table(draw: float, player: int) -> None:
    view = DuelView(GAME, draw)
    equilibrium = DuelEquilibrium(view)
    odds = DrawOdds(GAME, draw)
    table = solve_equilibrium(GAME) if draw == 0.5 else odds.turned if player else odds
    seen_mixed = False
    for i in (1, 2, 3):
        for j in (1, 2, 3):
            position = Position(EMPTY.place(2, i), EMPTY.place(2, j))
            observations = [view.observe(position, roll, player) for roll in GAME.dice.support]
            mean = np.mean([equilibrium.value(observation) for observation in observations])
            assert (mean + 1) / 2 == pytest.approx(table.value_on(position), rel=0, abs=1e-12)
            for roll, observation in zip(GAME.dice.support, observations, strict=True):
                policy = equilibrium.policy(observation)
                assert {a + 1: p for a, p in enumerate(policy.tolist()) if p} == table.moves_on(position, roll)
                seen_mixed |= policy.max() < 1
    assert seen_mixed or draw == 0.5


def test_the_end_has_a_value_and_no_move() -> None:
    view = DuelView(GAME, 0.75)
    full = Board.replay(GAME, [(1, 1), (2, 2), (4, 3)])
    ahead, drawn = Position(full, Board.replay(GAME, [(1, 3), (2, 2), (4, 1)])), Position(full, full)
    equilibrium = DuelEquilibrium(view)
    assert equilibrium.value(view.observe(ahead, None)) == 1
    assert equilibrium.value(view.observe(drawn, None)) == 0.5
    assert equilibrium.value(view.observe(drawn, None, player=1)) == -0.5
    with pytest.raises(Ten18Error):
        equilibrium.policy(view.observe(drawn, None))


def test_start() -> None:
    assert DuelEquilibrium(DuelView(GAME)).start == pytest.approx(0, rel=0, abs=1e-12)
    one, other = (DuelEquilibrium(DuelView(GAME, draw)).start for draw in (0.75, 0.25))
    assert one == pytest.approx(-other, rel=0, abs=1e-12)
    assert one > 0.1


def test_an_observation_of_another_duel_is_refused() -> None:
    seen = DuelView(GAME, 0.75).observe(Position(EMPTY, EMPTY), 1)
    with pytest.raises(Ten18Error):
        DuelEquilibrium(DuelView(GAME)).value(seen)


@pytest.mark.parametrize("draw", [0.5, 0.75])
def test_what_does_not_fit_is_refused(draw: float) -> None:
    with pytest.raises(TooLarge):
        DuelEquilibrium(DuelView(Game.parse("3d6", "1-20"), draw))
