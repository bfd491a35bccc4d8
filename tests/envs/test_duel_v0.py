"""The duel for PettingZoo: its own checkers, the rules, seeds, and illegal actions."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from tentimes18.envs import duel_v0
from tentimes18.envs.duel_v0 import DuelEnv, parallel_env
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.run import Run


def small(draw: float = 0.5, render_mode: str | None = None) -> DuelEnv:
    return parallel_env(dice="1d6", slots="1-3", draw=draw, render_mode=render_mode)


def played(env: DuelEnv, rolls: list[int], *moves: tuple[Any, Any]) -> Any:
    """The answer to the last of these moves."""
    env.reset(options={"rolls": rolls})
    answer = None
    for first, second in moves:
        answer = env.step({"player_0": first, "player_1": second})
    return answer


def test_the_checkers_of_pettingzoo_pass() -> None:
    parallel_api_test(parallel_env(), num_cycles=30)
    parallel_seed_test(small)


@pytest.mark.parametrize(
    ("draw", "second", "rewards"),
    [
        (0.5, (2, 1, 0), (-1.0, 1.0)),
        (0.5, (0, 1, 2), (0.0, 0.0)),
        (0.75, (0, 1, 2), (0.5, -0.5)),
        (0.0, (0, 1, 2), (-1.0, 1.0)),
        (0.75, (1, 0, 2), (1.0, -1.0)),
    ],
)
def test_the_higher_score_wins(draw: float, second: tuple[int, ...], rewards: tuple[float, float]) -> None:
    rolls = [6, 3, 1] if second == (2, 1, 0) else [1, 3, 6]
    moves = list(zip((0, 1, 2), second, strict=True))
    _, made, over, cut, infos = played(small(draw), rolls, *moves)
    assert made == dict(zip(("player_0", "player_1"), rewards, strict=True))
    assert all(over.values())
    assert not any(cut.values())
    assert not any(info["illegal"] for info in infos.values())
    _, made, over, _, _ = played(small(draw), rolls, *moves[:2])
    assert set(made.values()) == {0.0}
    assert not any(over.values())


@pytest.mark.parametrize("action", [0, 3, -1, 1.5, None, "x", float("nan"), np.int64(10**12), [1]])
def test_an_illegal_action_ends_it_and_never_raises(action: Any) -> None:
    env = small()
    observations, rewards, over, _, infos = played(env, [1, 2, 3], (0, 1), (action, 2))
    assert rewards == {"player_0": -1.0, "player_1": 1.0}
    assert infos == {"player_0": {"illegal": True}, "player_1": {"illegal": False}}
    assert all(over.values())
    assert env.agents == []
    assert observations["player_1"]["action_mask"].tolist() == [0, 0, 0]
    _, rewards, _, _, infos = played(small(), [1, 2, 3], (action if action != 0 else 5, action if action != 0 else 5))
    assert rewards == {"player_0": -1.0, "player_1": -1.0}
    assert all(info["illegal"] for info in infos.values())


def rolls_of(env: DuelEnv) -> list[int]:
    rolls = []
    while env.agents:
        assert env.roll is not None
        rolls.append(env.roll)
        slot = env.boards[0].free_slots[0] - 1
        env.step({"player_0": slot, "player_1": slot})
    return rolls


def test_seeds_give_the_games_of_a_simulation() -> None:
    env, expected = small(), drawn_rolls(Run(Game.parse("1d6", "1-3"), (), 18), 0, 3)
    env.reset(seed=18)
    games = [rolls_of(env)]
    for _ in range(2):
        env.reset()
        games.append(rolls_of(env))
    assert games == expected
    env.reset(seed=18)
    assert rolls_of(env) == expected[0]


def test_without_a_seed_games_differ() -> None:
    games = set()
    for _ in range(5):
        env = small()
        env.reset()
        games.add(tuple(rolls_of(env)))
    assert len(games) > 1


def test_bad_seeds_options_and_actions_give_one_line() -> None:
    env = small()
    for reset, field in (({"seed": 1.5}, "seed"), ({"seed": "a"}, "seed"), ({"options": [1]}, "options")):
        with pytest.raises(Ten18Error, match="accepted: ") as caught:
            env.reset(**reset)
        assert caught.value.field == field
    env.reset(seed=1, options={"rolls": np.array([1, 2, 3])})
    for actions in (None, [0, 1], {"player_0": 0}):
        with pytest.raises(Ten18Error, match=r"player_1|action of each player") as caught:
            env.step(actions)  # type: ignore[arg-type]
        assert caught.value.field == "actions"
    assert env.roll == 1


def test_how_it_looks() -> None:
    env = small(render_mode="ansi")
    env.reset(options={"rolls": [5, 4, 1]})
    env.step({"player_0": 2, "player_1": 1})
    shown = env.render()
    assert isinstance(shown, str)
    lines = shown.splitlines()
    assert lines[0].split() == ["player_0", "player_1"]
    assert lines[1].count("roll 4") == 2
    assert "score 15" in lines[1]
    assert "score 10" in lines[1]
    picture = small(render_mode="rgb_array")
    picture.reset(seed=1)
    assert isinstance(before := picture.render(), np.ndarray)
    picture.step({"player_0": 0, "player_1": 2})
    assert isinstance(after := picture.render(), np.ndarray)
    assert (before != after).any()
    assert small().render() is None
    with pytest.raises(Ten18Error):
        small(render_mode="human")


def test_one_after_the_other() -> None:
    env = duel_v0.env(dice="1d6", slots="1-3")
    env.reset(seed=18)
    before = env.observe("player_1")["observation"]
    env.step(0)
    assert np.array_equal(env.observe("player_1")["observation"], before)
    for action in (1, 1, 0, 2, 2):
        env.step(action)
    assert sum(env.rewards.values()) == 0
    assert all(env.terminations.values())
