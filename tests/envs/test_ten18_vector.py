"""Many games at once: the same as single ones in Gymnasium's own vector environment, whatever the autoreset mode."""

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.errors import Ten18Error, TooLarge

NAME = "tentimes18.envs:Ten18-v0"
GAMES = [
    {"dice": "1d6", "slots": "1-4"},
    {"dice": "1d6-3", "slots": "-2,1/3,1/3,5", "reward": "regret"},
    {"dice": "1d4", "slots": "1-3", "aim": "target:18"},
    {"dice": "1d2:2=5000000000", "slots": "1-66"},  # more slots than a word has bits, more outcomes than are listed
    {"dice": "d{5}", "slots": "1"},
]
COUNT = 5


def verify_same(mine: Any, theirs: Any, where: str = "") -> None:
    assert type(mine) is type(theirs), where
    if isinstance(mine, dict):
        assert mine.keys() == theirs.keys()
        for key in mine:
            verify_same(mine[key], theirs[key], f"{where}/{key}")
    elif isinstance(mine, tuple):
        for place, (one, two) in enumerate(zip(mine, theirs, strict=True)):
            verify_same(one, two, f"{where}/{place}")
    elif isinstance(mine, np.ndarray):
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape), where
        if mine.dtype == object:
            verify_same(tuple(mine), tuple(theirs), where)
        else:
            assert mine.tolist() == theirs.tolist(), where
    else:
        assert mine == theirs, where


def some_actions(generator: np.random.Generator, masks: Any) -> Any:
    """Of each game an action that is allowed, and now and then one that is not."""
    size = masks.shape[1]
    return np.array(
        [
            generator.choice(np.flatnonzero(mask))
            if mask.any() and generator.random() < 0.97
            else generator.integers(size)
            for mask in masks
        ]
    )


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("options", GAMES, ids=lambda options: " ".join(options.values()))
def test_games_are_those_of_single_environments(options: dict[str, Any], mode: str) -> None:
    mine: Any = gym.make_vec(NAME, COUNT, autoreset_mode=mode, **options)
    modes = {"autoreset_mode": AutoresetMode(mode)}
    theirs: Any = gym.make_vec(NAME, COUNT, vectorization_mode="sync", vector_kwargs=modes, **options)
    assert mine.metadata["autoreset_mode"] is AutoresetMode(mode)
    assert (mine.observation_space, mine.action_space) == (theirs.observation_space, theirs.action_space)
    verify_same(mine.reset(seed=[9, 8, 7, 9, 5]), theirs.reset(seed=[9, 8, 7, 9, 5]))
    verify_same(mine.reset(seed=3), theirs.reset(seed=3))
    _, infos = mine.reset()
    theirs.reset()
    generator = np.random.default_rng(18)
    for _ in range(mine.action_space.nvec[0] + 12):  # beyond the end of all games, also on many slots
        actions = some_actions(generator, infos["action_mask"])
        result = mine.step(actions)
        verify_same(result, theirs.step(actions))
        infos = result[-1]


def test_games_that_are_over_wait_for_their_reset_where_it_is_disabled() -> None:
    mine = gym.make_vec(NAME, 3, dice="1d6", slots="1-2", autoreset_mode="Disabled")
    modes = {"autoreset_mode": AutoresetMode.DISABLED}
    theirs = gym.make_vec(NAME, 3, dice="1d6", slots="1-2", vectorization_mode="sync", vector_kwargs=modes)
    verify_same(mine.reset(seed=1), theirs.reset(seed=1))
    actions = np.array([0, 1, 7])  # the last one is none
    verify_same(mine.step(actions), theirs.step(actions))
    with pytest.raises(gym.error.ResetNeeded):
        mine.step(actions)
    mask = np.array([False, False, True])
    verify_same(mine.reset(options={"reset_mask": mask}), theirs.reset(options={"reset_mask": mask}))
    verify_same(mine.step(np.array([1, 0, 1])), theirs.step(np.array([1, 0, 1])))


def test_many_games_in_several_threads_are_those_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.envs.ten18_vector.SMALL_GAMES_A_THREAD", 2000)
    monkeypatch.setattr("tentimes18.envs.ten18_vector.thread_count", lambda: 4)
    many, few = Ten18VectorEnv(9000, "1d6", "1-3"), Ten18VectorEnv(10, "1d6", "1-3")
    _, infos = many.reset(seed=5)
    _, few_infos = few.reset(seed=5 + 8990)
    for _ in range(5):
        *_, infos = many.step(infos["best_action"])
        *_, few_infos = few.step(few_infos["best_action"])
        verify_same({key: value[-10:] for key, value in infos.items()}, few_infos)


def test_returns_are_the_exact_mean_and_regrets_explain_what_is_missing() -> None:
    envs = Ten18VectorEnv(4000)
    _, infos = envs.reset(seed=18)
    returns, told = np.zeros(4000), envs.optimal_value + infos["luck"]
    for _ in range(10):
        _, rewards, terminations, _, infos = envs.step(infos["best_action"])
        returns += rewards
        told += infos["luck"] - infos["regret"]
    assert terminations.all()
    assert abs(returns.mean() - envs.optimal_value) < 4 * returns.std(ddof=1) / np.sqrt(4000)
    assert np.abs(returns - told).max() < 1e-10


def test_games_of_one_seed_are_those_of_one_environment() -> None:
    many, single = Ten18VectorEnv(6, "1d6", "1-3"), gym.make(NAME, dice="1d6", slots="1-3")
    observations, infos = many.reset_to(18, 2)
    shown = [single.reset(seed=18 if not number else None) for number in range(8)][2:]
    assert observations.tolist() == [observation.tolist() for observation, _ in shown]
    assert infos["luck"].tolist() == [info["luck"] for _, info in shown]
    with pytest.raises(Ten18Error, match="seed: too long"):
        many.reset_to(10**200, 0)


def test_whatever_is_returned_stays_as_it_was() -> None:
    envs = Ten18VectorEnv(4, "1d6", "1-3")
    observations, infos = envs.reset(seed=1)
    before = observations.copy(), infos["action_mask"].copy()
    for _ in range(3):
        result = envs.step(envs.action_space.sample())
        assert not np.shares_memory(result[0], observations)
    assert (observations == before[0]).all()
    assert (infos["action_mask"] == before[1]).all()
    assert infos["_regret"] is not infos["_luck"]
    assert envs.action_masks().dtype == np.bool_


def test_without_seeds_games_differ() -> None:
    envs = Ten18VectorEnv(50)
    observations, _ = envs.reset()
    assert len(np.unique(observations, axis=0)) > 1
    with pytest.raises(gym.error.ResetNeeded):
        Ten18VectorEnv(2).step([0, 0])


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 2.5}, "num_envs"),
        ({"autoreset_mode": "never"}, "autoreset_mode"),
        ({"reward": "points"}, "reward"),
        ({"render_mode": "human"}, "render_mode"),
        ({"aim": "best"}, "aim"),
    ],
    ids=str,
)
def test_bad_arguments_are_told_in_a_line(options: dict[str, Any], field: str) -> None:
    with pytest.raises(Ten18Error) as caught:
        Ten18VectorEnv(**options)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def test_bad_actions_seeds_and_options_are_told_in_a_line() -> None:
    envs = Ten18VectorEnv(3, "1d6", "1-3")
    for reset in (
        {"seed": [1, 2]},
        {"options": {"reset_mask": np.zeros(3, dtype=np.bool_)}},
        {"options": {"rolls": 1}},
    ):
        with pytest.raises(Ten18Error) as caught:
            envs.reset(**reset)
        assert caught.value.field == next(iter(reset))
    envs.reset(seed=1)
    for actions in ([0, 1], [0.0, 1.0, 2.0]):
        with pytest.raises(Ten18Error, match="accepted: 3 numbers of slots, from 0"):
            envs.step(actions)


def test_more_games_than_fit_are_refused() -> None:
    with pytest.raises(TooLarge, match="num_envs: 1,000,000,000 games at once would need"):
        Ten18VectorEnv(10**9)
