"""Agents for many games at once: what they are asked with, and what an action is."""

from typing import Any

import numpy as np
import pytest

from tentimes18.envs.agents import NO_ACTION, Predictor, Turn, choose_of, name_of, strategy_of, whole
from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.strategies.named import named

GAME = Game.parse("1d6", "1-4")


def turn_after(actions: list[int], count: int = 40) -> Turn:
    """The turn of these games after the same actions in all of them."""
    envs = Ten18VectorEnv(count, "1d6", "1-4")
    observations, infos = envs.reset_to(18, 0)
    rolls, taken = [infos["roll"]], []
    for action in actions:
        taken.append(np.full(count, action))
        observations, _, _, _, infos = envs.step(taken[-1])
        rolls.append(infos["roll"])
    return Turn(0, observations, infos, np.arange(0, count, 2), rolls, taken)


@pytest.mark.parametrize("strategy", ["optimal", "nearest", "bands", "target:28", "cvar:0.2"])
def test_a_strategy_chooses_as_on_its_boards(strategy: str) -> None:
    for actions in ([], [2], [2, 0, 1]):
        turn = turn_after(actions)
        chosen = choose_of(strategy, GAME, seed=1)(turn)
        for i, action in zip(turn.playing, chosen, strict=True):
            rolls = [int(row[i]) for row in turn.rolls]
            board = Board.replay(GAME, [(roll, slot + 1) for roll, slot in zip(rolls, actions, strict=False)])
            assert named(strategy).choose(board, rolls[-1]) == action + 1


def test_functions_see_the_games_that_are_played_alone() -> None:
    turn = turn_after([3])
    seen: list[dict[str, Any]] = []

    def one(observation: Any, info: dict[str, Any]) -> int:
        seen.append(info)
        assert observation.shape == (5,)
        return int(info["best_action"])

    best = turn.infos["best_action"][turn.playing]
    assert choose_of(one, GAME, seed=1)(turn).tolist() == best.tolist()
    assert [info["roll"] for info in seen] == turn.rolls[-1][turn.playing].tolist()
    assert {type(seen[0][name]) for name in ("roll", "regret", "illegal")} == {int, float, bool}
    many = choose_of(
        lambda observations, infos: infos["best_action"] + 0 * len(observations), GAME, seed=1, is_batch=True
    )
    assert many(turn).tolist() == best.tolist()


def test_models_are_asked_for_what_they_take() -> None:
    class Plain:
        def predict(self, observations: Any) -> Any:
            return observations.argmax(axis=1)

    model = Predictor(Plain())
    assert not model.takes_masks
    assert model(np.eye(3), np.ones((3, 3)), is_first=True).tolist() == [0, 1, 2]
    assert choose_of(Plain(), GAME, seed=1)(turn_after([0], count=4)).shape == (2,)


def test_what_an_action_is() -> None:
    assert [whole(action) for action in (3, np.uint8(3), np.array(3), np.array([[3]]), True)] == [3, 3, 3, 3, 1]
    for action in (None, 3.0, np.float64(3), np.array([1, 2]), "3", -(10**40)):
        assert whole(action) == NO_ACTION


def test_names_and_strategies() -> None:
    strategy = named("nearest")
    assert strategy_of(strategy) is strategy
    assert name_of(strategy) == "nearest"
    assert name_of(Predictor) == "Predictor"
    with pytest.raises(Ten18Error, match="it plays duels only"):
        strategy_of("hunter")
    with pytest.raises(Ten18Error, match="accepted: a model with predict"):
        choose_of(None, GAME, seed=1)
