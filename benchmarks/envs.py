"""Claim: an environment is faster than CartPole, thousands of games at once are faster than a NumPy table lookup."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import gymnasium as gym
import numpy as np

from benchmarks.harness import Claim, Section, best_of, seconds
from benchmarks.plain_environment import NumpyEnvironment
from tentimes18.envs import evaluate
from tentimes18.game import Game

NAME = "tentimes18.envs:Ten18-v0"
SINGLE_STEPS = 20_000
GAMES = 16_384
VECTOR_STEPS = 110
RATE_GOAL = 30e6  # steps per second
PLAIN_GOAL = 1 / 3  # of the time of a NumPy table lookup
IMPORT_GOAL = 1.3
IMPORT_RUNS = 15
JUDGED = 100_000  # episodes
JUDGED_ALONE = 1_000  # one by one
JUDGE_GOAL = 5.0


def run() -> Section:
    ours = gym.make(NAME, disable_env_checker=True)
    cart = gym.make("CartPole-v1", disable_env_checker=True)
    _single(ours)
    single, cartpole = (best_of(partial(_single, env))[0] / SINGLE_STEPS for env in (ours, cart))

    envs = gym.make_vec(NAME, num_envs=GAMES)
    plain = NumpyEnvironment(Game.classic(), GAMES, seed=18)
    envs.reset(seed=18)
    many = partial(_many, envs, lambda: envs.reset()[1]["best_action"], VECTOR_STEPS)
    many()
    vector_took, mean = best_of(many)
    plain_took, plain_mean = best_of(partial(_many, plain, lambda: np.maximum(plain.best_action, 0), VECTOR_STEPS))
    vector, by_numpy = vector_took / (VECTOR_STEPS * GAMES), plain_took / (VECTOR_STEPS * GAMES)
    optimal: float = envs.unwrapped.optimal_value  # type: ignore[attr-defined]
    for found, games in ((mean, GAMES * VECTOR_STEPS // 11), (plain_mean, GAMES * VECTOR_STEPS // 11)):
        assert abs(found - optimal) < 6 * 40 / np.sqrt(games), "not the mean of the best play"

    judging, judged = best_of(partial(evaluate, "nearest", JUDGED, seed=18))
    alone, _ = best_of(partial(evaluate, _best_action, JUDGED_ALONE, env=ours, seed=18))
    (gap, error), (_, noise) = judged.gap_from_regrets, judged.gap_from_returns

    pairs = [(_import("tentimes18.envs"), _import("gymnasium")) for _ in range(IMPORT_RUNS)]
    importing, peer = (min(times) for times in zip(*pairs, strict=True))
    claims = [
        Claim(
            "one step of Ten18-v0, in units of one of CartPole-v1",
            1.0,
            single / cartpole,
            f"{1 / single:,.0f} steps per second, with regret, luck and best action of each",
            f"CartPole-v1 in the same run, in the same wrappers: {1 / cartpole:,.0f} steps per second",
            lambda ratio: f"{ratio:.2f}",
        ),
        Claim(
            f"one step of {GAMES:,} games at once, for each",
            1 / RATE_GOAL,
            vector,
            f"{1 / vector / 1e6:.1f} million steps per second",
            f"NumPy, a table lookup: {1 / by_numpy / 1e6:.1f} million",
            lambda value: f"{value * 1e9:.1f} ns",
        ),
        Claim(
            "the same, in units of a NumPy table lookup",
            PLAIN_GOAL,
            vector / by_numpy,
            f"{by_numpy / vector:.1f} times as fast",
            "`benchmarks/plain_environment.py`, in one thread: the same results",
            lambda ratio: f"{ratio:.3f}",
        ),
        Claim(
            f"`nearest` judged on {JUDGED:,} games",
            JUDGE_GOAL,
            judging,
            f"gap {gap:.4f} ± {error:.4f} from regrets; from returns the error is {noise:.2f}",
            f"one by one in the environment: {seconds(alone * JUDGED / JUDGED_ALONE)}, from {JUDGED_ALONE:,} of them",
            seconds,
        ),
        Claim(
            "`import tentimes18.envs`, in units of `import gymnasium`",
            IMPORT_GOAL,
            importing / peer,
            "1: Gymnasium is imported",
            f"{seconds(importing)} against {seconds(peer)}, whole processes",
            lambda ratio: f"{ratio:.2f}",
        ),
    ]
    return Section(
        "Environments",
        "The classic game by its best actions, through `step` of what `gym.make` and `gym.make_vec` give; the checker "
        "of environments is off for both single ones.",
        claims,
    )


def _best_action(_: Any, info: dict[str, Any]) -> int:
    return int(info["best_action"])


def _single(env: Any) -> None:
    _, info = env.reset(seed=18)
    for _ in range(SINGLE_STEPS):
        *_, terminated, truncated, info = env.step(info.get("best_action", 1))
        if terminated or truncated:
            _, info = env.reset()


def _many(envs: Any, start: Callable[[], Any], steps: int) -> float:
    """The mean return of the games of these steps: as many as all of them take to end together."""
    total, games, actions = 0.0, 0, start()
    for _ in range(steps):
        _, rewards, terminations, _, infos = envs.step(actions)
        actions = np.maximum(infos["best_action"], 0)
        total += float(rewards.sum())
        games += int(terminations.sum())
    return total / games


def _import(module: str) -> float:
    start = perf_counter()
    subprocess.run((sys.executable, "-c", f"import {module}"), check=True)
    return perf_counter() - start
