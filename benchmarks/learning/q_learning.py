"""Tabular Q-learning on many games at once, in NumPy: it sees observations, masks and rewards, and nothing else.

Q[s, a] is moved towards r + max Q[s', a'] over the actions allowed in s'. A cell that was visited N times moves by
N^-POWER of the way, and c visits in one step are c such moves towards their mean.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tentimes18.envs.ten18_vector import Ten18VectorEnv

GAMES = 1024
EXPLORED = 0.1  # share of the moves that are random
POWER = 0.7


class QLearning:
    """A table for every set of free slots, roll and action; ``predict`` is that of Stable-Baselines3.

    >>> learner = QLearning(slots=3, rolls=6)
    >>> for steps in learner.learn(Ten18VectorEnv(64, "1d6", "1-3"), [640, 6400], seed=18):
    ...     print(steps)
    640
    6400
    """

    def __init__(self, slots: int, rolls: int) -> None:
        self.q = np.zeros((rolls << slots, slots))
        self._visits = np.zeros(self.q.shape, dtype=np.int64)
        self._bits, self._slots, self._rolls = 1 << np.arange(slots), slots, rolls

    def states(self, observations: NDArray[np.float32]) -> NDArray[np.int64]:
        """The rows of the table: the free slots and the place of the roll."""
        free = (observations[:, : self._slots] > 0.5) @ self._bits
        rolls = np.rint(observations[:, self._slots] * (self._rolls - 1)).astype(np.int64)
        return free * self._rolls + rolls

    def predict(
        self,
        observation: NDArray[np.float32],
        state: Any = None,
        episode_start: Any = None,  # noqa: ARG002 (as others have it)
        deterministic: bool = True,  # noqa: ARG002
        action_masks: NDArray[np.bool_] | None = None,
    ) -> tuple[NDArray[np.int64], Any]:
        """The best actions by the table."""
        masks = observation[:, : self._slots] > 0.5 if action_masks is None else action_masks
        return np.where(masks, self.q[self.states(observation)], -np.inf).argmax(axis=1), state

    def learn(self, envs: Ten18VectorEnv, checkpoints: list[int], seed: int) -> Iterator[int]:
        """Play and learn, and stop at these numbers of steps to be looked at."""
        generator = np.random.default_rng(seed)
        observations, infos = envs.reset(seed=seed)
        masks, is_over = infos["action_mask"] > 0, np.zeros(envs.num_envs, dtype=np.bool_)
        steps = 0
        for checkpoint in checkpoints:
            while steps < checkpoint:
                actions = self.predict(observations, action_masks=masks)[0]
                chance = np.where(masks, generator.random(masks.shape), -1.0)
                actions = np.where(generator.random(len(actions)) < EXPLORED, chance.argmax(axis=1), actions)
                states = self.states(observations)
                observations, rewards, terminations, _, infos = envs.step(actions)
                masks = infos["action_mask"] > 0
                worths = np.where(masks, self.q[self.states(observations)], -np.inf).max(axis=1)
                targets = rewards + np.where(terminations, 0.0, worths)
                playing = ~is_over  # a game that was over has started again in this step
                self._update(states[playing] * self._slots + actions[playing], targets[playing])
                is_over = terminations
                steps += int(playing.sum())
            yield checkpoint

    def _update(self, cells: NDArray[np.int64], targets: NDArray[np.float64]) -> None:
        different, where, counts = np.unique(cells, return_inverse=True, return_counts=True)
        means = np.bincount(where, targets) / counts
        visits, q = self._visits.reshape(-1), self.q.reshape(-1)
        visits[different] += counts
        part = 1 - (1 - visits[different] ** -POWER) ** counts
        q[different] += part * (means - q[different])
