"""MaskablePPO of sb3-contrib on the classic game, by points or by regret, looked at while it learns.

By points it is rewarded as the game is scored, and has to find out what a move is worth later on (no discount). By
regret the reward is what each move gave up, so nothing later matters (discount 0).
"""

from collections.abc import Iterator
from typing import Any

import gymnasium as gym
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

GAMES = 64
RATE = 1e-3
SCALES = {"aim": 0.01, "regret": 0.1}  # rewards near 1
DISCOUNTS = {"aim": 1.0, "regret": 0.0}
SETTINGS: dict[str, Any] = {
    "n_steps": 80,
    "batch_size": 512,
    "n_epochs": 6,
    "ent_coef": 0.003,
    "policy_kwargs": {"net_arch": [128, 128]},
}


class _Pause(BaseCallback):  # type: ignore[misc]
    """Ends a call of `learn` after this number of rollouts: in the first step of the next one."""

    def __init__(self, rollouts: int) -> None:
        super().__init__()
        self._left = rollouts

    def _on_rollout_end(self) -> None:
        self._left -= 1

    def _on_step(self) -> bool:
        return self._left > 0


def learn(reward: str, checkpoints: list[int], seed: int) -> Iterator[tuple[int, Any]]:
    """The model and the number of steps after each of these numbers of rollouts."""

    def make() -> Any:
        env = gym.make("tentimes18.envs:Ten18-v0", reward=reward, disable_env_checker=True)
        return gym.wrappers.TransformReward(env, lambda points: SCALES[reward] * float(points))

    rate = {"learning_rate": lambda left: RATE * left, "gamma": DISCOUNTS[reward]}  # it falls to 0
    model = MaskablePPO("MlpPolicy", DummyVecEnv([make] * GAMES), seed=seed, device="cpu", **rate, **SETTINGS)
    done, rollout = 0, GAMES * SETTINGS["n_steps"]
    for rollouts in checkpoints:
        left = checkpoints[-1] * rollout - model.num_timesteps
        model.learn(left, _Pause(rollouts - done), reset_num_timesteps=False)
        done = rollouts
        yield done * rollout, model
