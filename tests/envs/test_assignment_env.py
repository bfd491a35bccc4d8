"""`Assignment-v0`: the checker of Gymnasium, returns against the value of the plan, regrets against its losses."""

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from scipy import stats

from tentimes18.assignment import Poisson, Problem, RandomNumber, UniformLaw
from tentimes18.dice import Dice
from tentimes18.envs.assignment_env import AssignmentEnv
from tentimes18.envs.ten18 import Ten18Env
from tentimes18.errors import Ten18Error
from tests.support.environments import played_episode

PROBLEMS: dict[str, Callable[[], Problem | None]] = {
    "by default": lambda: None,
    "equal slots": lambda: Problem(UniformLaw(0, 1), slots=2, arrivals=5),
    "a long tail": lambda: Problem(stats.gamma(2, scale=50), slots=[1, 1, 5], arrivals=4),
    "discounted": lambda: Problem([1, 2, 6], slots=[1, 3], arrivals=4, discount=0.9),
    "to be filled": lambda: Problem(Dice.parse("1d6-3"), slots=[1, 2, 3], arrivals=4, must_fill=True),
    "a law each": lambda: Problem([Dice.parse("1d4"), Dice.parse("1d20"), Dice.parse("1d4")], slots=[1, 2]),
    "a random number": lambda: Problem(UniformLaw(0, 1), slots=[1, 2], arrivals=RandomNumber([0.2, 0.3, 0.5])),
    "nothing": lambda: Problem([0], slots=1, arrivals=2),
}
EACH_PROBLEM = pytest.mark.parametrize("name", PROBLEMS)


def at_random(seed: int) -> Callable[[dict[str, Any]], int]:
    generator = np.random.default_rng(seed)
    return lambda info: int(generator.choice(np.flatnonzero(info["action_mask"])))


def best(info: dict[str, Any]) -> int:
    return int(info["best_action"])


@EACH_PROBLEM
def test_gymnasium_has_nothing_to_complain_of(name: str) -> None:
    env = gym.make("tentimes18.envs:Assignment-v0", problem=PROBLEMS[name]())
    check_env(env.unwrapped)
    played_episode(env, at_random(18), seed=18)


@EACH_PROBLEM
def test_return_is_value_and_luck_less_regret(name: str) -> None:
    env = AssignmentEnv(PROBLEMS[name]())
    for seed in range(8):
        episode = played_episode(env, at_random(seed), seed=seed)
        told = env.optimal_value + episode.luck - episode.regret
        assert sum(episode.rewards) == pytest.approx(told, abs=1e-9 * max(1.0, env.optimal_value))
        assert min(info["regret"] for info in episode.infos) >= 0


@EACH_PROBLEM
def test_returns_of_the_best_play_are_the_value(name: str) -> None:
    env = AssignmentEnv(PROBLEMS[name]())
    env.reset(seed=18)
    episodes = [played_episode(env, best) for _ in range(200)]
    returns = np.array([sum(episode.rewards) for episode in episodes])
    assert abs(returns.mean() - env.optimal_value) <= 4 * returns.std(ddof=1) / np.sqrt(len(returns)) + 1e-9
    assert max(episode.regret for episode in episodes) < 1e-9


def test_luck_has_no_drift() -> None:
    """The luck of each round is 0 on average, also of that in which no more values come."""
    env = AssignmentEnv(PROBLEMS["a random number"]())
    env.reset(seed=5)
    choose = at_random(5)
    for place in range(3):
        lucks = [
            e.infos[place]["luck"] for e in (played_episode(env, choose) for _ in range(300)) if len(e.infos) > place
        ]
        assert abs(np.mean(lucks)) < 4 * np.std(lucks) / np.sqrt(len(lucks))


def test_as_many_values_as_slots_is_the_game() -> None:
    """With dice and slots that must all be filled, both environments measure the same game alike."""
    rolls = [4, 1, 6, 3]
    game = Ten18Env("1d6", "1-4")
    general = AssignmentEnv(Problem(Dice.parse("1d6"), slots=[1, 2, 3, 4], arrivals=4, must_fill=True))
    assert general.optimal_value == pytest.approx(game.optimal_value)
    actions = {1: 3, 2: 0, 3: 1, 4: 2}
    for env, options in ((game, {"rolls": rolls}), (general, {"values": rolls})):
        chosen = iter(actions.values())
        episode = played_episode(env, lambda _, chosen=chosen: next(chosen), options=options)  # type: ignore[misc]
        if env is game:
            expected = episode
    assert [info["regret"] for info in episode.infos] == pytest.approx([info["regret"] for info in expected.infos])
    assert [info["luck"] for info in episode.infos] == pytest.approx(
        [info["luck"] for info in expected.infos], abs=1e-12
    )
    assert episode.rewards == expected.rewards
    assert [info["best_action"] for info in episode.infos] == [info["best_action"] for info in expected.infos]


def test_regrets_are_the_losses_of_the_plan() -> None:
    problem = Problem(UniformLaw(0, 1), slots=[1, 3], arrivals=3, discount=0.5)
    env = AssignmentEnv(problem)
    plan = problem.solve()
    env.reset(options={"values": [0.9, 0.1, 0.7]})
    *_, info = env.step(2)
    assert info["regret"] == pytest.approx(plan.losses(0.9, left=2)[None])
    assert info["value"] == 0.1
    _, reward, *_, info = env.step(1)
    assert reward == pytest.approx(0.5 * 3 * 0.1)
    assert info["regret"] == pytest.approx(0.5 * plan.losses(0.1, left=1)[2])
    assert info["action_mask"].tolist() == [1, 0, 1]
    _, _, terminated, _, info = env.step(0)
    assert terminated
    assert info["regret"] == 0


@pytest.mark.parametrize("action", [0, 4, -1])
def test_an_illegal_action_ends_the_game(action: int) -> None:
    env = AssignmentEnv(Problem(Dice.parse("1d6-3"), slots=[1, 2, 3], arrivals=3, must_fill=True))
    env.reset(seed=2)
    *_, info = env.step(0)
    assert info["action_mask"].tolist() == [0, 1, 1, 0]
    _, reward, terminated, truncated, info = env.step(action)
    assert (terminated, truncated, info["illegal"]) == (True, False, True)
    assert reward == -2 * 5
    assert not env.action_masks().any()
    with pytest.raises(gym.error.ResetNeeded):
        env.step(1)


@pytest.mark.parametrize(
    "problem",
    [
        "a problem",
        Problem(UniformLaw(0, 1), 2, arrivals=Poisson(rate=3.0, until=2.0)),
        Problem(UniformLaw(0, 1), 2, arrivals=RandomNumber({0: 0.5, 3: 0.5})),
        Problem(UniformLaw(0, 1), 2, arrivals=4, batches=2),
        Problem(stats.norm(), 2, arrivals=4, must_fill=True),
    ],
    ids=["text", "Poisson", "perhaps none", "batches", "no least value"],
)
def test_other_problems_are_told_in_a_line(problem: Any) -> None:
    with pytest.raises(Ten18Error) as caught:
        AssignmentEnv(problem)
    assert caught.value.field == "problem"
    assert "\n" not in str(caught.value)


def test_bad_options_are_told_in_a_line() -> None:
    env = AssignmentEnv()
    for options, field in (({"values": [1]}, "values"), ({"values": "ab"}, "values"), ({"rolls": []}, "options")):
        with pytest.raises(Ten18Error) as caught:
            env.reset(options=options)
        assert caught.value.field == field
