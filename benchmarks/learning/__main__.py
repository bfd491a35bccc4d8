"""Train and judge the baselines on the classic game: `python -m benchmarks.learning`, or with the names of some.

What is found goes into results.json beside this file, the table and the picture of docs/research/baselines.md are
made of it by `python -m tools.baselines`. MaskablePPO needs requirements.lock of this folder; the others need nothing
more.
"""

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from time import perf_counter
from typing import Any

from benchmarks.learning.q_learning import GAMES, QLearning
from tentimes18.envs import evaluate
from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.files import write_whole
from tentimes18.game import Game

RESULTS = Path(__file__).with_name("results.json")
EPISODES = 100_000  # that the last word is said on
EPISODES_A_LOOK = 10_000  # while learning
SEEDS = (18, 19, 20, 21, 22)  # of the training runs; the first one is shown
JUDGED_BY = 2026  # a seed that nobody learns from

Learning = Iterator[tuple[int, Any]]


def _q_learning(seed: int) -> Learning:
    game = Game.classic()
    learner = QLearning(game.size, len(game.dice.support))
    checkpoints = [10_000 * 2**k for k in range(13)]
    return ((steps, learner) for steps in learner.learn(Ten18VectorEnv(GAMES), checkpoints, seed))


def _ppo(reward: str, seed: int) -> Learning:
    from benchmarks.learning.maskable_ppo import learn

    return learn(reward, [1, 2, 4, 8, 16, 32, 64, 128, 200], seed)


FIXED = ("random", "greedy", "nearest")
LEARNED: dict[str, Callable[[int], Learning]] = {
    "q-learning": _q_learning,
    "ppo-points": partial(_ppo, "aim"),
    "ppo-regret": partial(_ppo, "regret"),
}
PACKAGES = {"q-learning": ("numpy",)} | dict.fromkeys(
    ("ppo-points", "ppo-regret"), ("numpy", "sb3-contrib", "stable-baselines3", "torch")
)


def judged(agent: Any) -> dict[str, Any]:
    found = evaluate(agent, EPISODES, seed=JUDGED_BY).to_dict()
    del found["agent"], found["costliest"], found["environment"]
    return found


def learned(name: str) -> dict[str, Any]:
    curve: list[dict[str, Any]] = []
    start, seconds, steps, agent = perf_counter(), 0.0, 0, None
    for steps, agent in LEARNED[name](SEEDS[0]):
        seconds += perf_counter() - start
        look = evaluate(agent, EPISODES_A_LOOK, seed=JUDGED_BY)
        curve.append({"steps": steps, "regret_a_move": look.regret_a_move._asdict()})
        print(f"{name}: {steps:,} steps, {seconds:.0f} s, {look.regret_a_move.value:.3f} a move", flush=True)
        start = perf_counter()
    versions = {package: version(package) for package in PACKAGES[name]} | {"python": python_version()}
    found: dict[str, Any] = {"steps": steps, "seconds": round(seconds), "versions": versions, "curve": curve} | judged(
        agent
    )
    gaps: list[float] = [found["gap_from_regrets"]["value"]]
    for seed in SEEDS[1:]:
        _, agent = list(LEARNED[name](seed))[-1]
        gaps.append(judged(agent)["gap_from_regrets"]["value"])
        print(f"{name}, seed {seed}: {gaps[-1]:.4f}", flush=True)
    return found | {"gaps_by_seed": gaps}


def main(names: list[str]) -> None:
    for name in names or (*FIXED, *LEARNED):
        found = learned(name) if name in LEARNED else judged(name)
        results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        results[name] = found
        ordered = {known: results[known] for known in (*FIXED, *LEARNED) if known in results}
        write_whole(RESULTS, (json.dumps(ordered, indent=1) + "\n").encode())
        print(f"{name}: {found['gap_from_regrets']}")


if __name__ == "__main__":
    main(sys.argv[1:])
