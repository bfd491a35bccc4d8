"""Evaluation: both gaps are the exact one within their errors, for any agent; and rules of agents, without a game."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from tentimes18.assignment import Problem, UniformDistribution
from tentimes18.coach.losses import CLASSES, Unit, classify
from tentimes18.envs import duel_v0, exact_gap, rule_of
from tentimes18.envs.evaluation import (
    Evaluation,
    evaluate,
)
from tentimes18.envs.ten18 import Ten18Env
from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.simulate.games import simulate
from tentimes18.simulate.run import Run
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import RULES, named
from tentimes18.strategies.strategy import score_distribution

SMALL: dict[str, Any] = {"dice": "1d6", "slots": "1-4"}
GAME = Game.parse("1d6", "1-4")
CLASSIC = Game.classic()
NAME = "tentimes18.envs:Ten18-v0"


def highest_free(observation: Any, info: dict[str, Any]) -> int:
    """High rolls up, all others down; of information it needs the mask alone."""
    free = np.flatnonzero(info["action_mask"])
    return int(free[-1] if observation[4] >= 0.6 else free[0])


def highest_of_many(observations: Any, infos: dict[str, Any]) -> Any:
    masks, n = infos["action_mask"], infos["action_mask"].shape[1]
    last, first = n - 1 - masks[:, ::-1].argmax(axis=1), masks.argmax(axis=1)
    return np.where(observations[:, n] >= 0.6, last, first)


class Masked:
    """The signature of `predict` is that of sb3_contrib.MaskablePPO."""

    def predict(
        self,
        observation: Any,
        state: Any = None,
        episode_start: Any = None,  # noqa: ARG002
        deterministic: bool = False,
        action_masks: Any = None,
    ) -> tuple[Any, Any]:
        assert deterministic
        assert action_masks.dtype == np.bool_
        assert action_masks.any(axis=-1).all()
        if observation.ndim == 1:
            return np.array(highest_free(observation, {"action_mask": action_masks})), state
        return highest_of_many(observation, {"action_mask": action_masks}), state


class Unmasked:
    """The signature of `predict` is that of stable_baselines3.PPO: the last slot for every high roll, free or not."""

    def predict(
        self, observation: Any, state: Any = None, episode_start: Any = None, deterministic: bool = False
    ) -> tuple[Any, Any]:
        assert episode_start is not None
        assert deterministic
        return np.where(observation[..., 4] >= 0.6, 3, observation[..., :4].argmax(axis=-1)), state


class Slow:
    """A strategy of a user's own."""

    name = "slow"

    def __init__(self, strategy: str) -> None:
        self.strategy = named(strategy)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:
        assert not future
        return self.strategy.choose(board, roll)


def gap_of_strategy(strategy: str, game: Game = GAME) -> float:
    return float(
        score_distribution(Board(game), named("optimal")).mean - score_distribution(Board(game), named(strategy)).mean
    )


def test_the_best_play_gives_up_nothing() -> None:
    result = evaluate("optimal", 5_000, seed=18)
    assert not result.regrets.any()
    assert result.gap_from_regrets == (0.0, 0.0)
    assert abs(result.gap_from_returns.value) < 4 * result.gap_from_returns.standard_error
    assert result.classes["best"] == result.moves == 50_000
    assert result.variance_ratio is None
    assert result.costliest == ()


@pytest.mark.parametrize("strategy", ["nearest", "random", "target:28", "cvar:0.2"])
def test_both_gaps_are_the_exact_one(strategy: str) -> None:
    result, exact = evaluate(strategy, 10_000, seed=18, **SMALL), gap_of_strategy(strategy)
    assert result.gap_from_regrets.standard_error > 0
    estimates = (result.regrets, result.gap_from_regrets), (result.returns, result.gap_from_returns)
    for values, (gap, error) in estimates:
        assert abs(gap - exact) < 4 * error
        assert error == pytest.approx(values.std(ddof=1) / np.sqrt(10_000))
    assert result.regret_a_move.value == pytest.approx(result.regrets.sum() / result.moves)
    assert result.variance_ratio == pytest.approx(result.returns.var() / result.regrets.var())
    assert result.returns.var() > result.regrets.var()
    assert result.illegal == 0


@pytest.mark.parametrize("strategy", ["nearest", "random", "target:28"])
def test_games_are_those_of_a_simulation(strategy: str) -> None:
    result = evaluate(strategy, 700, seed=7, **SMALL)
    *_, counts = simulate(Run(GAME, (strategy,), seed=7), 700)
    law = counts.distribution(GAME)
    assert Counter(result.returns.tolist()) == dict(zip(law.scores, law.weights, strict=True))


def same_numbers(one: Evaluation, two: Evaluation) -> None:
    assert one.to_dict() | {"agent": ""} == two.to_dict() | {"agent": ""}
    assert one.returns.tolist() == two.returns.tolist()


def test_an_agent_is_the_same_however_it_is_called() -> None:
    by_function = evaluate(highest_free, 400, seed=3, **SMALL)
    assert by_function.gap_from_regrets.value > 0
    same_numbers(by_function, evaluate(highest_of_many, 400, seed=3, batch=True, **SMALL))
    same_numbers(by_function, evaluate(Masked(), 400, seed=3, **SMALL))
    for name in ("optimal", "target:28", "cvar:0.2"):
        same_numbers(evaluate(name, 100, **SMALL), evaluate(Slow(name), 100, **SMALL))
    lowest = staticmethod(lambda observations: observations[..., :4].argmax(axis=-1))  # an array, and no memory
    assert evaluate(type("Plain", (), {"predict": lowest})(), 50, **SMALL).illegal == 0
    names = [evaluate(agent, 2, **SMALL).agent for agent in (highest_free, Masked(), Slow("nearest"), "greedy")]
    assert names == ["highest_free", "Masked", "slow", "greedy"]


@pytest.mark.parametrize("agent", [highest_free, Masked(), Unmasked()])
def test_wrappers_change_nothing(agent: Any) -> None:
    wrapped = gym.wrappers.TransformReward(gym.make(NAME, reward="regret", **SMALL), lambda reward: float(reward) / 7)
    result, expected = evaluate(agent, 300, env=wrapped, seed=3), evaluate(agent, 300, seed=3, **SMALL)
    assert result.regrets.tolist() == expected.regrets.tolist()
    assert np.abs(result.returns - expected.returns).max() < 1e-12
    assert (result.classes, result.illegal, result.costliest) == (
        expected.classes,
        expected.illegal,
        expected.costliest,
    )
    assert result.environment == {"dice": "1d6", "slots": "1-4", "aim": "mean"}


def test_the_general_problem_is_judged_too() -> None:
    env: Any = gym.make("tentimes18.envs:Assignment-v0", problem=Problem(UniformDistribution(0, 1), [1, 3], arrivals=3))

    def first_come(observation: Any, info: dict[str, Any]) -> int:  # noqa: ARG001
        return int(info["action_mask"].argmax())

    result = evaluate(first_come, 800, env=env, seed=1)
    exact = env.unwrapped.optimal_value - (1 + 3) / 2  # the mean of a value is one half
    for gap, error in (result.gap_from_regrets, result.gap_from_returns):
        assert abs(gap - exact) < 4 * error
    assert result.environment == {"environment": "Assignment-v0"}
    assert result.variance_ratio is not None
    assert 0 < result.costliest[0].roll < 1
    assert evaluate(lambda _, info: info["best_action"], 50, env=env).gap_from_regrets.value < 1e-12
    with pytest.raises(Ten18Error, match="agent 'nearest': plays the game, not another problem"):
        evaluate("nearest", 5, env=env)


def test_classes_of_the_general_problem_are_scaled_to_it() -> None:
    """They do not depend on the unit of the values, and the classic game has its own classes there too."""
    dice = {roll: Fraction(count, 216) for roll, count in zip(CLASSIC.dice.support, CLASSIC.dice.counts, strict=True)}
    classes = []
    for factor in (1, 50):
        values = {factor * roll: chance for roll, chance in dice.items()}
        problem = Problem(values, list(range(1, 11)), arrivals=10, must_fill=True)
        env = gym.make("tentimes18.envs:Assignment-v0", problem=problem)
        classes.append(evaluate(lambda _, info: info["action_mask"].argmax(), 400, env=env).classes)
    assert classes[0] == classes[1]
    game = evaluate(lambda _, info: info["action_mask"].argmax(), 4000).classes
    assert all(abs(classes[0][name] - game[name] / 10) < 150 for name in game)


def test_a_strategy_plays_the_game_of_an_environment() -> None:
    env = gym.make(NAME, aim="target:28", **SMALL)
    same_numbers(evaluate("nearest", 100, env=env), evaluate("nearest", 100, aim="target:28", **SMALL))


def test_illegal_actions_are_counted() -> None:
    result = evaluate(Unmasked(), 500, seed=5, **SMALL)
    assert 0 < result.illegal < 500
    assert result.moves == sum(result.classes.values()) + result.illegal < 2000
    gap, error = result.gap_from_returns
    assert abs(gap - result.gap_from_regrets.value) < 4 * error
    assert "illegal" in str(result)


@pytest.mark.parametrize("action", [None, 2.5, -1, 4, 10**30, "0", np.array([0, 1])], ids=repr)
def test_an_answer_that_is_no_action_ends_the_episode(action: Any) -> None:
    def agent(observation: Any, info: dict[str, Any]) -> Any:  # noqa: ARG001
        assert [type(info[name]) for name in ("roll", "regret", "illegal")] == [int, float, bool]
        return action

    for options in (SMALL, {"env": gym.make(NAME, **SMALL)}):
        result = evaluate(agent, 5, **options)
        assert (result.illegal, result.moves) == (5, 5)
        assert result.returns.tolist() == pytest.approx([0.0] * 5, abs=1e-12)
    assert evaluate(lambda _, infos: np.full(len(infos["roll"]), 1.5), 5, batch=True, **SMALL).illegal == 5


def test_a_model_with_a_memory_gets_it_back() -> None:
    class Remembers:
        calls: list[Any] = []  # noqa: RUF012

        def predict(self, observation: Any, state: Any = None, episode_start: Any = None, **_: Any) -> tuple[Any, Any]:
            self.calls.append((state, episode_start.tolist()))
            rounds = 0 if state is None else state
            return np.full(observation.shape[:-1], rounds), rounds + 1

    for options, count in ((SMALL, 3), ({"env": gym.make(NAME, **SMALL)}, 1)):
        Remembers.calls.clear()
        result = evaluate(Remembers(), 3, **options)
        assert result.illegal == 0  # slot after slot
        one_game = [(None, [True] * count), (1, [False] * count), (2, [False] * count), (3, [False] * count)]
        assert Remembers.calls == one_game * (3 // count)


class Counting:
    """A function with a memory: it takes the slots in order, starting again with each game."""

    def reset(self) -> None:
        self.next = -1

    def __call__(self, observation: Any, info: dict[str, Any]) -> int:  # noqa: ARG002
        assert info.keys() == {"action_mask", "illegal", "roll"}
        self.next += 1
        return self.next


@pytest.mark.parametrize("env", [None, gym.make(NAME, **SMALL)])
def test_a_function_is_reset_before_each_game(env: Any) -> None:
    result = evaluate(Counting(), 50, env=env, hints=False, **SMALL)
    assert (result.illegal, result.moves) == (0, 200)


def test_an_agent_that_looks_up_the_answer_fails_without_hints() -> None:
    for batch in (False, True):
        with pytest.raises(KeyError, match="best_action"):
            evaluate(lambda _, info: info["best_action"], 5, batch=batch, hints=False, **SMALL)


def test_without_a_seed_games_are_new_and_can_be_repeated() -> None:
    one, two = (evaluate("random", 50, seed=None, **SMALL) for _ in range(2))
    assert one.seed != two.seed
    same_numbers(one, evaluate("random", 50, seed=one.seed, **SMALL))


def test_classes_and_costliest_decisions_are_those_of_a_recount() -> None:
    result = evaluate(highest_free, 300, seed=11, **SMALL)
    env, classes, decisions = Ten18Env(**SMALL), Counter[str](), Counter[Any]()
    for episode in range(300):
        observation, info = env.reset(seed=11 if not episode else None)
        is_over = False
        while not is_over:
            action = highest_free(observation, info)
            free = tuple(np.flatnonzero(info["action_mask"]).tolist())
            made = (free, float(info["roll"]), action, info["best_action"])
            observation, _, is_over, _, info = env.step(action)
            classes[classify(info["regret"]).name] += 1
            decisions[*made, info["regret"]] += 1
    assert result.classes == {known.name: classes[known.name] for known in CLASSES}
    ordered = sorted(((made, times) for made, times in decisions.items() if made[-1]), key=lambda entry: -entry[0][-1])
    assert [decision.regret for decision in result.costliest] == [regret for (*_, regret), _ in ordered[:10]]
    for free, roll, chosen, best, regret, times, score in result.costliest:
        assert decisions[free, roll, chosen, best, regret] == times
        assert score is None


def test_a_target_is_judged_by_its_chance() -> None:
    for strategy in ("target:28", "optimal"):
        result = evaluate(strategy, 5000, aim="target:28", seed=2, **SMALL)
        best, played = (score_distribution(Board(GAME), named(name)).at_least(28) for name in ("target:28", strategy))
        assert result.optimal_value == pytest.approx(float(best))
        gap, error = result.gap_from_regrets
        assert abs(gap - float(best - played)) <= 4 * error
    worst = result.costliest[0]
    assert worst.score is not None
    assert classify(worst.regret, Unit.chance).mark
    assert result.classes[classify(worst.regret, Unit.chance).name] > 0


def test_many_blocks_are_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [evaluate(agent, 25, seed=4, **SMALL) for agent in ("random", Masked())]
    monkeypatch.setattr("tentimes18.envs.evaluation.BLOCK", 7)
    for agent, whole in zip(("random", Masked()), expected, strict=True):
        same_numbers(evaluate(agent, 25, seed=4, **SMALL), whole)


@pytest.mark.parametrize(
    ("agent", "options", "message"),
    [
        (5, {}, "agent 5: accepted: a model with predict, a function of observation and info, a strategy"),
        ("lucky", {}, "strategy 'lucky': not known"),
        ("hunter", {}, "it plays duels only"),
        ("hindsight", {}, "agent 'hindsight': knows the rolls to come"),
        ("optimal", {"episodes": 1}, "episodes 1: accepted: a number of episodes, 2 or more"),
        ("optimal", {"episodes": 10**12}, r"episodes: .* episodes needs 80 TB of memory"),
        ("optimal", {"seed": 10**200}, "seed: too long"),
        ("optimal", {"env": gym.make("CartPole-v1")}, "accepted: a Ten18-v0 or an Assignment-v0 for one player"),
        (lambda *_: [1, 2, 3], {"batch": True}, r"agent: answered 10 games with an array of shape \(3,\)"),
    ],
)
def test_bad_input(agent: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(Ten18Error, match=message) as caught:
        evaluate(agent, **{"episodes": 10} | options)
    assert "\n" not in str(caught.value)


def test_absent_parts_are_not_shown() -> None:
    """The whole report is in docs/research/baselines.md, where tests/test_generated_docs.py compares it."""
    text = str(evaluate("optimal", 100, **SMALL))
    assert not {"vary", "costliest"} & set(text.split())
    assert re.search(r"^from regrets +0\.0+ +0\.0+$", text, re.MULTILINE)
    assert "score" in str(evaluate("optimal", 100, aim="target:28", **SMALL))


def test_the_dictionary_is_ready_for_json() -> None:
    result = evaluate("nearest", 100, **SMALL)
    message, worst = json.loads(json.dumps(result.to_dict())), result.costliest[0]
    assert message["gap_from_regrets"] == result.gap_from_regrets._asdict()
    assert message["costliest"][0] == worst._asdict() | {"free": list(worst.free)}
    assert message.keys() == set(result.__dataclass_fields__) - {"returns", "regrets"}


def table_of(strategy: str, game: Game = CLASSIC) -> Any:
    rule = RULES[strategy](game)
    rows = [[rule(free, roll) - 1 for roll in game.dice.support] for free in range(1, 1 << game.size)]
    return np.array([[0] * len(game.dice.support), *rows])


def halves(observation: Any, info: dict[str, Any]) -> int:
    free = np.flatnonzero(info["action_mask"])
    return int(free[-1] if observation[-1] > 0.5 else free[0])


def halves_of_many(_: Any, infos: dict[str, Any]) -> Any:
    masks = infos["action_mask"]
    last, first = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), masks.argmax(axis=1)
    return np.where(infos["roll"] > 10.5, last, first)


class HalvingModel:
    def predict(self, observations: Any, action_masks: Any) -> Any:
        return halves_of_many(None, {"action_mask": action_masks, "roll": 3 + 15 * observations[:, -1]}), None


@pytest.mark.parametrize("strategy", ["optimal", "nearest", "greedy"])
def test_a_table_is_worth_what_its_rule_is(strategy: str) -> None:
    mean = [score_distribution(Board(CLASSIC), named(name), exact=True).mean for name in ("optimal", strategy)]
    assert exact_gap(table_of(strategy)) == mean[0] - mean[1]


def test_all_forms_of_an_agent_have_one_gap_and_games_agree_with_it() -> None:
    gap = exact_gap(halves)
    assert exact_gap(halves_of_many, batch=True) == exact_gap(HalvingModel()) == gap
    estimate, error = evaluate(halves_of_many, 20_000, seed=18, batch=True).gap_from_regrets
    assert abs(estimate - float(gap)) < 4 * error


def test_a_duel_against_a_table() -> None:
    env, table = duel_v0.parallel_env("3d6", "1-4"), table_of("optimal", Game.parse("3d6", "1-4"))
    assert env.exploitability(rule_of(table, dice="3d6", slots="1-4")) == env.exploitability("optimal")


def test_only_moves_that_are_reached_must_be_legal() -> None:
    game = Game.parse("1d6", "1-3")
    lowest = np.zeros((8, 6), dtype=np.int64)
    lowest[[4, 6]] = np.array([[2], [1]])  # of all sets, 111, 110 and 100 are reached
    strategy = rule_of(lowest, dice="1d6", slots="1-3")
    assert score_distribution(Board(game), strategy).mean == 21
    assert strategy.choose(Board(game).place(3, 3), 6) == optimal_rule(game)(3, 6)
    lowest[6, 2] = 0
    with pytest.raises(IllegalMove, match="places 3 in slot 0 where only 1 2 are free"):
        rule_of(lowest, dice="1d6", slots="1-3")


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (np.zeros((8, 5), dtype=int), "accepted: 8 × 6 actions"),
        (np.zeros((8, 6)), "accepted: 8 × 6 actions"),
        (lambda observation, info: 0.5, "places 1 in slot -1"),  # noqa: ARG005
    ],
)
def test_bad_agents_of_a_rule(agent: Any, message: str) -> None:
    with pytest.raises(Ten18Error, match=message):
        rule_of(agent, dice="1d6", slots="1-3")
    with pytest.raises(Ten18Error, match="knows 1d6 1,2 only"):
        score_distribution(Board(CLASSIC), rule_of(halves, dice="1d6", slots="1-2"))
