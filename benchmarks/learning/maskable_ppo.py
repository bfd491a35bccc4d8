"""MaskablePPO of sb3-contrib on the classic game, by points or by regret, looked at while it learns.

By points it is rewarded as the game is scored, and has to find out what a move is worth later on (no discount). By
regret it is told at once what each move gave up, so that nothing later matters (discount 0).
"""

from collections.abc import Iterator
from typing import Any, Final

import gymnasium as gym
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

__all__ = ["SETTINGS", "learn"]

GAMES: Final = 64
RATE: Final = 1e-3
SCALES: Final = {"aim": 0.01, "regret": 0.1}  # rewards near 1
DISCOUNTS: Final = {"aim": 1.0, "regret": 0.0}
SETTINGS: Final[dict[str, Any]] = {
    "n_steps": 80,
    "batch_size": 512,
    "n_epochs": 6,
    "ent_coef": 0.003,
    "policy_kwargs": {"net_arch": [128, 128]},
}


class _Pause(BaseCallback):
    """Ends a call of `learn` in the first step after so many."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self._steps = steps

    def _on_step(self) -> bool:
        return self.num_timesteps <= self._steps


def learn(reward: str, checkpoints: list[int], seed: int) -> Iterator[tuple[int, Any]]:
    """The model after about these numbers of steps, and how many they were."""

    def make() -> Any:
        env = gym.make("tentimes18.envs:Ten18-v0", reward=reward, disable_env_checker=True)
        return gym.wrappers.TransformReward(env, lambda points: SCALES[reward] * points)

    games, total = DummyVecEnv([make] * GAMES), checkpoints[-1]
    rate = {"learning_rate": lambda left: RATE * left, "gamma": DISCOUNTS[reward]}  # it falls to 0
    model = MaskablePPO("MlpPolicy", games, seed=seed, device="cpu", **rate, **SETTINGS)
    for checkpoint in checkpoints:
        model.learn(total - model.num_timesteps, _Pause(checkpoint), reset_num_timesteps=False)
        yield model.num_timesteps, model
