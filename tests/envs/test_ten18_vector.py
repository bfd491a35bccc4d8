"""Many games at once: the same as single ones in Gymnasium's own vector environment, whatever the autoreset mode."""

import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tentimes18.envs.ten18_vector import Ten18VectorEnv, roll_places
from tentimes18.errors import IllegalMove, Ten18Error, TooLarge
from tentimes18.game import Game

NAME = "tentimes18.envs:Ten18-v0"
GAMES: list[dict[str, Any]] = [
    {"dice": "1d6", "slots": "1-4", "hints": False},
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
            assert np.array_equal(mine, theirs), where
    else:
        assert mine == theirs, where


def some_actions(generator: np.random.Generator, masks: Any) -> Any:
    """For each game an action that is allowed, or sometimes one that is not."""
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
@pytest.mark.parametrize("options", GAMES, ids=lambda options: " ".join(map(str, options.values())))
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
    for _ in range(mine.action_space.nvec[0] + 6):  # beyond the end of all games, also on many slots
        actions = some_actions(generator, infos["action_mask"])
        result = mine.step(actions)
        verify_same(result, theirs.step(actions))
        infos = result[-1]


def test_games_that_are_over_wait_for_their_reset_where_it_is_disabled() -> None:
    mine = gym.make_vec(NAME, 3, dice="1d6", slots="1-2", autoreset_mode="Disabled")
    modes = {"autoreset_mode": AutoresetMode.DISABLED}
    theirs = gym.make_vec(NAME, 3, dice="1d6", slots="1-2", vectorization_mode="sync", vector_kwargs=modes)
    verify_same(mine.reset(seed=1), theirs.reset(seed=1))
    actions = np.array([0, 1, 7])  # the last one is illegal
    verify_same(mine.step(actions), theirs.step(actions))
    with pytest.raises(gym.error.ResetNeeded):
        mine.step(actions)
    mask = np.array([False, False, True])
    verify_same(mine.reset(options={"reset_mask": mask}), theirs.reset(options={"reset_mask": mask}))
    verify_same(mine.step(np.array([1, 0, 1])), theirs.step(np.array([1, 0, 1])))


@pytest.mark.parametrize(
    "options",
    [
        {"dice": "1d6", "slots": "1-4"},
        {"dice": "1d6-3", "slots": "-2,1/3,1/3,5", "aim": "target:7", "reward": "regret"},
        {"dice": "1d2:2=5000000000", "slots": "1-66"},
    ],
    ids=lambda options: " ".join(options.values()),
)
def test_games_on_given_rolls_are_those_of_single_environments(options: dict[str, Any]) -> None:
    many = Ten18VectorEnv(3, autoreset_mode="Disabled", **options)
    singles = [gym.make(NAME, **options) for _ in range(3)]
    n, support = many.game.size, many.game.dice.support
    generator = np.random.default_rng(18)
    rolls = generator.choice(support, size=(3, n))
    observations, infos = many.reset(seed=5, options={"rolls": rolls})
    shown: list[Any] = [env.reset(seed=5 + i, options={"rolls": rolls[i]}) for i, env in enumerate(singles)]
    for turn in range(n):
        assert observations.tolist() == [result[0].tolist() for result in shown]
        for key in shown[0][-1]:
            assert infos[key].tolist() == [np.asarray(result[-1][key]).tolist() for result in shown], (turn, key)
        actions = np.array([generator.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        observations, rewards, terminations, _, infos = many.step(actions)
        shown = [env.step(action) for env, action in zip(singles, actions, strict=True)]
        assert rewards.tolist() == [result[1] for result in shown]
    assert terminations.all()
    # After them come the first games of the seeds, as in single environments.
    assert many.reset()[1]["roll"].tolist() == [env.reset()[1]["roll"] for env in singles]


def test_some_games_start_on_given_rolls_and_the_others_go_on() -> None:
    envs = Ten18VectorEnv(2, "1d6", "1-3")
    _, before = envs.reset(seed=1)
    mask = np.array([False, True])
    _, infos = envs.reset(options={"reset_mask": mask, "rolls": [[0, 0, 0], [6, 5, 4]]})
    assert (infos["roll"].tolist(), infos["_roll"].tolist()) == ([0, 6], [False, True])
    *_, infos = envs.step([0, 2])
    assert infos["roll"][1] == 5
    assert before["roll"][0] == Ten18VectorEnv(1, "1d6", "1-3").reset(seed=1)[1]["roll"][0]


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_boards_are_shown_as_those_of_single_environments(mode: str) -> None:
    options: dict[str, Any] = {"dice": "1d6", "slots": "1-2", "render_mode": mode}
    mine: Any = gym.make_vec(NAME, 3, **options)
    theirs: Any = gym.make_vec(NAME, 3, vectorization_mode="sync", **options)
    assert mine.render_mode == mode
    assert mine.metadata["render_modes"] == ["ansi", "rgb_array"]
    with pytest.raises(gym.error.ResetNeeded):
        mine.render()
    mine.reset(seed=2)
    theirs.reset(seed=2)
    for actions in ([0, 1, 7], [1, 0, 0], [1, 1, 1], [0, 0, 1]):  # an illegal one, and a game that starts again
        frames, expected = mine.render(), theirs.render()
        assert isinstance(frames, tuple)
        verify_same(frames, expected)
        mine.step(np.array(actions))
        theirs.step(np.array(actions))
    assert Ten18VectorEnv(2).render() is None


def test_many_games_in_several_threads_are_those_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.envs.ten18_vector.MIN_THREAD_TABLE_GAMES", 2000)
    monkeypatch.setattr("tentimes18.envs.ten18_vector.thread_count", lambda: 4)
    many, few = Ten18VectorEnv(9000, "1d6", "1-3"), Ten18VectorEnv(10, "1d6", "1-3")
    _, infos = many.reset(seed=5)
    _, few_infos = few.reset(seed=5 + 8990)
    for _ in range(5):
        *_, infos = many.step(infos["best_action"])
        *_, few_infos = few.step(few_infos["best_action"])
        verify_same({key: value[-10:] for key, value in infos.items()}, few_infos)


def test_returned_arrays_do_not_change() -> None:
    envs = Ten18VectorEnv(4, "1d6", "1-3")
    observations, infos = envs.reset(seed=1)
    before = observations.copy(), infos["action_mask"].copy()
    for _ in range(3):
        assert not np.shares_memory(envs.step(envs.action_space.sample())[0], observations)
    assert (observations == before[0]).all()
    assert (infos["action_mask"] == before[1]).all()
    assert infos["_regret"] is not infos["_luck"]


def test_games_go_on_after_pickling() -> None:
    envs = Ten18VectorEnv(3, "1d6", "1-3", render_mode="ansi")
    envs.reset(seed=4)
    envs.step([0, 1, 2])
    copied = pickle.loads(pickle.dumps(envs))
    for actions in ([1, 0, 0], [2, 2, 1], [0, 0, 0]):  # into the next game
        verify_same(envs.step(actions), copied.step(actions))
        assert envs.render() == copied.render()


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
    ],
    ids=str,
)
def test_bad_arguments(options: dict[str, Any], field: str) -> None:
    with pytest.raises(Ten18Error) as caught:
        Ten18VectorEnv(**options)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def test_bad_actions_seeds_and_options() -> None:
    envs = Ten18VectorEnv(3, "1d6", "1-3")
    for reset in (
        {"seed": [1, 2]},
        {"seed": [1, 2, 2.5]},
        {"seed": [1, 2, "b"]},
        {"seed": 1.5},
        {"options": [1]},
        {"options": {"reset_mask": np.zeros(3, dtype=np.bool_)}},
        {"options": {"roll": 1}},
        {"options": {"reset_mask": np.ones(3, dtype=np.bool_), "dice": 1}},
    ):
        with pytest.raises(Ten18Error) as caught:
            envs.reset(**reset)
        assert caught.value.field == next(iter(reset))
    for rolls in (1, [1, 2, 3], [[1, 2, 3]], [[1], [1, 2], [3]], np.ones((3, 3)), [["a"] * 3] * 3):
        with pytest.raises(Ten18Error, match="accepted: an array of 3 × 3 rolls, one row per game") as caught:
            envs.reset(options={"rolls": rolls})
        assert caught.value.field == "rolls"
        assert "\n" not in str(caught.value)
    with pytest.raises(Ten18Error, match="roll: 1d6 never shows 7; its rolls are 1 to 6"):
        envs.reset(options={"rolls": [[1, 2, 3], [4, 7, 6], [0, 1, 1]]})
    envs.reset(seed=1)
    for actions in ([0, 1], [0.0, 1.0, 2.0]):
        with pytest.raises(Ten18Error, match="accepted: 3 numbers of slots, from 0"):
            envs.step(actions)


def test_rolls_of_games_that_do_not_start_are_ignored() -> None:
    game = Game.parse("d{-3,0,8}", "1,2")
    rolls = [[8, -3], [99, 99], [0, 0]]
    assert roll_places(game, 3, np.array([0, 2]), rolls).tolist() == [[2, 0], [1, 1]]
    with pytest.raises(IllegalMove, match="never shows 99"):
        roll_places(game, 3, np.array([0, 1, 2]), rolls)
    with pytest.raises(IllegalMove, match="never shows 9"):
        roll_places(game, 1, np.array([0]), np.array([[8, 9]], dtype=np.uint8))


def test_too_many_games_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="num_envs: a batch of 1,000,000,000 games needs"):
        Ten18VectorEnv(10**9)
    monkeypatch.setenv("TEN18_MEMORY", "120MB")
    with pytest.raises(TooLarge, match=r"a batch of 101 games needs 121 MB of memory; the limit is 120 MB"):
        Ten18VectorEnv(101, render_mode="rgb_array")
    Ten18VectorEnv(101, render_mode="ansi")
