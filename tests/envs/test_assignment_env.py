"""`Assignment-v0`: the checker of Gymnasium, returns against the value of the plan, regrets against its losses."""

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from scipy import stats

from tentimes18.assignment import Endless, Poisson, Problem, RandomNumber, Regimes, UniformDistribution
from tentimes18.assignment.arrivals import Arrival, stream_of
from tentimes18.dice import Dice
from tentimes18.envs.assignment_env import AssignmentEnv
from tentimes18.envs.ten18 import Ten18Env
from tentimes18.errors import Ten18Error
from tests.support.environments import played_episode

PROBLEMS: dict[str, Callable[[], Problem | None]] = {
    "by default": lambda: None,
    "equal slots": lambda: Problem(UniformDistribution(0, 1), slots=2, arrivals=5),
    "a long tail": lambda: Problem(stats.gamma(2, scale=50), slots=[1, 1, 5], arrivals=4),
    "discounted": lambda: Problem([1, 2, 6], slots=[1, 3], arrivals=4, discount=0.9),
    "to be filled": lambda: Problem(Dice.parse("1d6-3"), slots=[1, 2, 3], arrivals=4, must_fill=True),
    "a distribution each": lambda: Problem([Dice.parse("1d4"), Dice.parse("1d20"), Dice.parse("1d4")], slots=[1, 2]),
    "a random number": lambda: Problem(UniformDistribution(0, 1), slots=[1, 2], arrivals=RandomNumber([0.2, 0.3, 0.5])),
    "nothing": lambda: Problem([0], slots=1, arrivals=2),
    "perhaps none": lambda: Problem([1, 4], slots=[1, 2], arrivals=RandomNumber({0: 0.3, 1: 0.2, 3: 0.5})),
    "not in each round": lambda: Problem(UniformDistribution(0, 1), slots=[1, 2], arrivals=5, chance=0.4, discount=0.9),
    "in time": lambda: Problem(UniformDistribution(0, 1), slots=[1, 3], arrivals=Poisson(rate=2.0, until=2.0)),
    "in time, discounted": lambda: Problem(
        [1, 2, 6], slots=[1, 3], arrivals=Poisson(rate=[(0, 3.0), (1, 1.0)], until=2.0), discount=0.8, chance=0.7
    ),
    "without an end": lambda: Problem(UniformDistribution(0, 1), slots=[1, 2], arrivals=Endless(), discount=0.8),
    "without an end, not in each round": lambda: Problem([1, 5], [1, 2], Endless(), discount=0.9, chance=0.5),
    "regimes": lambda: Problem(
        [Dice.parse("1d4"), Dice.parse("1d20")],
        slots=[1, 2],
        arrivals=4,
        regimes=Regimes([[0.9, 0.1], [0.5, 0.5]], start=[0.5, 0.5]),
        discount=0.9,
    ),
    "regimes, a random number": lambda: Problem(
        [[1, 2], [4, 9]],
        slots=[1, 2],
        arrivals=RandomNumber([0.2, 0.3, 0.5]),
        regimes=Regimes([[0, 1], [1, 0]]),
        chance=0.8,
    ),
    "batches": lambda: Problem(UniformDistribution(0, 1), slots=[1, 2, 2, 5], arrivals=7, batches=3, discount=0.9),
    "batches to be filled": lambda: Problem(
        Dice.parse("1d6-3"), slots=[0, 1, 2, 3], arrivals=5, batches=[2, 1, 2], must_fill=True
    ),
    "ahead": lambda: Problem([0, 1, 5], slots=[1, 2], arrivals=5, ahead=2, chance=0.9, discount=0.95),
    "ahead, to be filled": lambda: Problem([-2, 1, 5], slots=[1, 2, 3], arrivals=4, ahead=1, must_fill=True),
}
EACH_PROBLEM = pytest.mark.parametrize("name", PROBLEMS)


def at_random(seed: int) -> Callable[[dict[str, Any]], int]:
    generator = np.random.default_rng(seed)
    return lambda info: int(generator.choice(np.flatnonzero(info["action_mask"])))


def best(info: dict[str, Any]) -> int:
    return int(info["best_action"])


@pytest.mark.parametrize(
    "name", ["by default", "a long tail", "in time", "regimes", "batches", "ahead", "without an end"]
)
def test_gymnasium_checks_pass(name: str) -> None:
    env = gym.make("tentimes18.envs:Assignment-v0", problem=PROBLEMS[name]())
    check_env(env.unwrapped)
    played_episode(env, at_random(18), seed=18)


@EACH_PROBLEM
def test_return_is_value_and_luck_less_regret(name: str) -> None:
    """In every episode of random play, in which the luck is 0 on average."""
    env = AssignmentEnv(PROBLEMS[name]())
    choose, lucks = at_random(5), []
    env.reset(seed=5)
    for _ in range(100):
        episode = played_episode(env, choose)
        expected = env.optimal_value + episode.luck - episode.regret
        assert sum(episode.rewards) == pytest.approx(expected, abs=1e-9 * max(1.0, env.optimal_value))
        assert min(info["regret"] for info in episode.infos) >= 0
        lucks.append(episode.luck)
    assert abs(np.mean(lucks)) <= 4 * np.std(lucks, ddof=1) / np.sqrt(len(lucks)) + 1e-9


@EACH_PROBLEM
def test_returns_of_the_best_play_are_the_value(name: str) -> None:
    env = AssignmentEnv(PROBLEMS[name]())
    env.reset(seed=18)
    episodes = [played_episode(env, best) for _ in range(100)]
    returns = np.array([sum(episode.rewards) for episode in episodes])
    assert abs(returns.mean() - env.optimal_value) <= 4 * returns.std(ddof=1) / np.sqrt(len(returns)) + 1e-9
    assert max(episode.regret for episode in episodes) < 1e-9


def test_as_many_values_as_slots_is_the_game() -> None:
    """With dice and slots that must all be filled, both environments measure the same game alike."""
    rolls, actions = [4, 1, 6, 3], [3, 0, 1, 2]
    game = Ten18Env("1d6", "1-4")
    general = AssignmentEnv(Problem(Dice.parse("1d6"), slots=[1, 2, 3, 4], arrivals=4, must_fill=True))
    assert general.optimal_value == pytest.approx(game.optimal_value)
    one, two = iter(actions), iter(actions)
    expected = played_episode(game, lambda _: next(one), options={"rolls": rolls})
    episode = played_episode(general, lambda _: next(two), options={"values": rolls})
    assert episode.rewards == expected.rewards
    for mine, theirs in zip(episode.infos, expected.infos, strict=True):
        assert mine["regret"] == pytest.approx(theirs["regret"])
        assert mine["luck"] == pytest.approx(theirs["luck"], abs=1e-12)
        assert mine["best_action"] == theirs["best_action"]


@pytest.mark.parametrize("action", [0, 4, -1])
def test_an_illegal_action_ends_the_game(action: int) -> None:
    env = AssignmentEnv(Problem(Dice.parse("1d6-3"), slots=[1, 2, 3], arrivals=3, must_fill=True))
    assert not env.action_masks().any()
    with pytest.raises(gym.error.ResetNeeded):
        env.step(0)
    with pytest.raises(gym.error.ResetNeeded):
        _ = env.exact_luck
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
    ("problem", "accepted"),
    [
        ("a problem", "accepted: a tentimes18.assignment.Problem"),
        (Problem(UniformDistribution(0, 1), 2, arrivals=4, revenue=True), "accepted: a problem without revenue"),
        (
            Problem(UniformDistribution(0, 1), 2, arrivals=5000, batches=2500),
            "accepted: batches of at most 1,001 values",
        ),
        (
            Problem(stats.norm(), 2, arrivals=4, must_fill=True),
            "slots that must be filled need distributions with a least value",
        ),
    ],
    ids=["text", "revenue", "large batches", "no least value"],
)
def test_other_problems_are_rejected(problem: Any, accepted: str) -> None:
    with pytest.raises(Ten18Error, match=accepted) as caught:
        AssignmentEnv(problem)
    assert caught.value.field == "problem"
    assert "\n" not in str(caught.value)


EXACT: dict[str, tuple[Problem, dict[str, Any]]] = {
    "dice": (
        Problem(Dice.parse("1d6"), [1, Fraction(1, 3)], arrivals=3, discount=Fraction(9, 10)),
        {"values": [2, 6, 1]},
    ),
    "thirds": (Problem([Fraction(1, 3), 2], [1, 2], arrivals=3), {"values": [1 / 3, 2, 1 / 3]}),
    "uniform": (Problem(UniformDistribution(0, 1), [1, 2, 7], arrivals=4), {"values": [0.1, 0.9, 0.3, 0.7]}),
    "to be filled": (Problem([-5, 1, 2], [1, 3], arrivals=3, must_fill=True), {"values": [2, -5, 1]}),
    "rounds that bring nothing": (
        Problem([1, 3], [1, 2], arrivals=3, chance=Fraction(1, 3)),
        {"values": [None, 1, 3]},
    ),
    "regimes": (
        Problem([[1, 2], [4, 9]], [1, 2], arrivals=3, regimes=Regimes([[Fraction(1, 3), Fraction(2, 3)], [1, 0]])),
        {"values": [2, 4, 9], "regimes": [0, 1, 0]},
    ),
    "batches": (Problem([1, 3, 7], [1, 2, 5], arrivals=5, batches=[3, 2]), {"values": [3, 1, 7, 7, 1]}),
    "ahead": (Problem([Fraction(1, 3), 3], [1, 2], arrivals=4, ahead=2), {"values": [3, 1 / 3, 1 / 3, 3]}),
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_regrets_and_luck_add_up(name: str) -> None:
    problem, options = EXACT[name]
    env, plan = AssignmentEnv(problem), problem.solve(exact=True)
    near = 4 * (env.plan.error + 2.0**-50 * float(plan.value))
    assert env.exact_optimal_value == plan.value
    for seed in range(2):
        choose = at_random(seed)
        _, info = env.reset(options=options)
        assert env.exact_regret == 0
        total, luck, regret = Fraction(0), env.exact_luck, Fraction(0)
        while info["action_mask"].any():
            arrival, free = env.arrival, np.flatnonzero(env.action_masks()[:-1]) + 1
            assert arrival is not None
            action = choose(info)
            *_, info = env.step(action)
            assert abs(info["regret"] - env.exact_regret) <= near
            assert abs(info["luck"] - env.exact_luck) <= near
            if action < len(problem.multipliers):
                assert action + 1 in free
                value = Fraction(arrival.value) if arrival.value != 1 / 3 or name == "uniform" else Fraction(1, 3)
                total += Fraction(problem.discount) ** int(arrival.age) * Fraction(problem.multipliers[action]) * value
            luck, regret = luck + env.exact_luck, regret + env.exact_regret
        assert total == plan.value + luck - regret
        assert regret >= 0


def test_an_illegal_action_has_an_exact_regret() -> None:
    env = AssignmentEnv(Problem(Dice.parse("1d6-3"), slots=[1, 2, 3], arrivals=3, must_fill=True))
    env.reset(options={"values": [3, 1, 0]})
    luck = env.exact_luck
    _, first, *_ = env.step(2)
    luck, regret = luck + env.exact_luck, env.exact_regret
    _, reward, *_ = env.step(3)  # rejecting is not allowed
    assert reward == -2 * 3
    assert env.exact_luck == 0
    assert env.exact_optimal_value + luck - regret - env.exact_regret == Fraction(first) + Fraction(reward)


def test_what_is_known_in_floats_only_has_no_exact_regret() -> None:
    for name, field in (("in time", "arrivals"), ("without an end", "arrivals"), ("a long tail", "distribution")):
        env = AssignmentEnv(PROBLEMS[name]())
        env.reset(seed=1)
        with pytest.raises(Ten18Error) as caught:
            _ = env.exact_regret
        assert caught.value.field == field


@pytest.mark.parametrize("name", ["by default", "in time", "regimes", "batches", "ahead", "without an end"])
def test_a_game_goes_on_after_pickling(name: str) -> None:
    env = AssignmentEnv(PROBLEMS[name]())
    env.reset(seed=4)
    copied = pickle.loads(pickle.dumps(env))
    refuse = len(env.plan.multipliers)
    for _ in range(3):
        mine, theirs = env.step(refuse), copied.step(refuse)
        assert mine[0].tolist() == theirs[0].tolist()
        assert (mine[1:4], mine[4]["luck"]) == (theirs[1:4], theirs[4]["luck"])
        if mine[2]:
            env.reset()
            copied.reset()


def test_without_a_value_the_only_action_is_reject() -> None:
    env = AssignmentEnv(PROBLEMS["in time"]())
    observation, info = env.reset(options={"values": [], "times": []})
    assert observation.tolist() == [1, 1, 0, 0]
    assert (info["action_mask"].tolist(), info["best_action"]) == ([0, 0, 1], 2)
    assert info["luck"] == -env.optimal_value
    for action, illegal in ((2, False), (0, True)):
        env.reset(options={"values": [], "times": []})
        _, reward, terminated, _, info = env.step(action)
        assert (reward, terminated, info["illegal"], info["regret"], info["luck"]) == (0, True, illegal, 0, 0)


def test_observations_tell_all_that_is_known() -> None:
    env = AssignmentEnv(PROBLEMS["batches"]())
    observation, _ = env.reset(options={"values": [0.5, 0.25, 0.75, 0.5, 0.25, 0.5, 0.125]})
    assert observation.tolist() == pytest.approx([1, 1, 1, 1, 0.5, 2 / 3, 1, 1, 0.25, 0.75])
    observation, *_ = env.step(4)
    assert observation.tolist() == pytest.approx([1, 1, 1, 1, 0.25, 2 / 3, 1, 0, 0.75, 0])
    env = AssignmentEnv(PROBLEMS["regimes"]())
    observation, _ = env.reset(options={"values": [3, 7, 1, 1], "regimes": [0, 1, 1, 0]})
    assert observation.tolist() == pytest.approx([1, 1, 3, 3 / 4, 1, 0])
    assert env.step(2)[0].tolist() == pytest.approx([1, 1, 7, 2 / 4, 0, 1])
    env = AssignmentEnv(PROBLEMS["ahead"]())
    observation, _ = env.reset(options={"values": [5, 1, 0, 5, 1]})
    assert observation.tolist() == pytest.approx([1, 1, 5, 4 / 5, 1, 1, 1, 0])
    env = AssignmentEnv(PROBLEMS["in time"]())
    observation, _ = env.reset(options={"values": [0.5], "times": [0.5]})
    assert observation.tolist() == pytest.approx([1, 1, 0.5, 3 / 4])
    assert env.arrival is not None
    assert env.arrival.left == 1.5
    env = AssignmentEnv(PROBLEMS["without an end"]())
    assert env.reset(options={"values": [0.5]})[0].tolist() == pytest.approx([1, 1, 0.5])


@pytest.mark.parametrize(
    ("name", "options", "field"),
    [
        ("by default", {"values": [1]}, "values"),
        ("by default", {"values": "ab"}, "values"),
        ("by default", {"values": 3}, "values"),
        ("by default", {"values": [None] * 10}, "values"),
        ("by default", {"values": [np.nan] * 10}, "values"),
        ("by default", {"rolls": []}, "options"),
        ("by default", [1], "options"),
        ("perhaps none", {"values": [1] * 4}, "values"),
        ("in time", {"values": [1]}, "options"),
        ("in time", {"values": [1], "times": [3]}, "times"),
        ("in time", {"values": [1, 1], "times": [1, 0.5]}, "times"),
        ("in time", {"values": [1, 1], "times": [1]}, "times"),
        ("regimes", {"values": [1] * 4, "regimes": [0, 1, 2, 0]}, "regimes"),
        ("regimes", {"values": [1] * 4, "regimes": [0, 1, 0.5, 0]}, "regimes"),
        ("batches", {"values": [1] * 6}, "values"),
        ("ahead", {"values": [2] * 5}, "values"),
        ("without an end", {"values": None}, "values"),
    ],
    ids=str,
)
def test_bad_options(name: str, options: Any, field: str) -> None:
    env = AssignmentEnv(PROBLEMS[name]())
    with pytest.raises(Ten18Error, match="accepted: ") as caught:
        env.reset(options=options)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def drawn(problem: Problem, games: int, fixed: dict[str, Any] | None = None) -> list[list[Arrival]]:
    stream, random = stream_of(problem), np.random.default_rng(18)
    episodes = []
    for _ in range(games):
        stream.start(random, stream.read(fixed))
        arrivals = []
        while (arrival := stream.next()) is not None:
            assert len(arrival.shown) == stream.width
            arrivals.append(arrival)
        episodes.append(arrivals)
    return episodes


def verify_mean(numbers: list[float], expected: float) -> None:
    assert abs(np.mean(numbers) - expected) <= 4 * np.std(numbers) / np.sqrt(len(numbers))
    assert np.std(numbers) > 0


COUNTS: dict[str, tuple[Callable[[], Problem], float]] = {
    "random": (lambda: Problem([1, 2], 1, arrivals=RandomNumber({0: 0.5, 3: 0.5})), 1.5),
    "some rounds": (lambda: Problem([1, 2], 1, arrivals=6, chance=0.25), 1.5),
    "in time": (lambda: Problem([1, 2], 1, Poisson(rate=lambda time: 2 * time, until=2.0), chance=0.5), 2.0),
    "without an end": (lambda: Problem([1, 2], 1, Endless(), discount=0.75), 4.0),
    "without an end, some rounds": (lambda: Problem([1, 2], 1, Endless(), discount=0.75, chance=0.5), 2.0),
}


@pytest.mark.parametrize("name", COUNTS)
def test_as_many_come_as_the_problem_says(name: str) -> None:
    problem, expected = COUNTS[name]
    verify_mean([len(arrivals) for arrivals in drawn(problem(), 600)], expected)
