"""The classic game as a vector environment in plain NumPy: what a step gives is the same, the code is what one writes.

M[A] is the value of a free set A, by the recurrence of the paper; a move is worth λ_i x + M[A - i].
"""

from typing import Any

import numpy as np

from tentimes18.game import Game

__all__ = ["PlainGames"]


class PlainGames:
    """So many games, each of which starts anew in the step after its last one."""

    def __init__(self, game: Game, count: int, seed: int) -> None:
        self.count, self.n = count, game.size
        self.lam = np.array([float(multiplier) for multiplier in game.multipliers])
        self.support = np.array(game.dice.support, dtype=np.int64)
        self.chances = np.array(game.dice.counts) / game.dice.total
        self.bits = 1 << np.arange(self.n)
        self.value = np.zeros(1 << self.n)
        for free in range(1, 1 << self.n):
            slots = np.flatnonzero(free & self.bits)
            moves = self.lam[slots] * self.support[:, None] + self.value[free ^ self.bits[slots]]
            self.value[free] = self.chances @ moves.max(axis=1)
        self.generator = np.random.default_rng(seed)
        self.rows = np.arange(count)
        self.free = np.full(count, (1 << self.n) - 1)
        self.over = np.zeros(count, dtype=np.bool_)
        self.roll = self._rolled()
        self._judge()

    def _rolled(self) -> Any:
        cumulated = np.cumsum(self.chances)[:-1]
        return self.support[np.searchsorted(cumulated, self.generator.random(self.count), side="right")]

    def _judge(self) -> None:
        """What every move is worth, the best one, and the luck of the rolls."""
        self.mask = (self.free[:, None] & self.bits) > 0
        after = self.free[:, None] & ~self.bits
        self.worths = np.where(self.mask, self.lam * self.roll[:, None] + self.value[after], -np.inf)
        self.best_action = self.worths.argmax(axis=1)
        self.most = self.worths[self.rows, self.best_action]
        self.luck = np.where(self.over, 0.0, self.most - self.value[self.free])

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """The same as `step` of a vector environment."""
        begins = self.over
        allowed = self.mask[self.rows, actions] & ~begins
        illegal = ~allowed & ~begins
        most = np.where(begins, 0.0, self.most)
        regret = np.where(allowed, most - self.worths[self.rows, actions], np.where(illegal, most, 0.0))
        rewards = np.where(allowed, self.lam[actions] * self.roll, 0.0)
        self.free = np.where(allowed, self.free & ~self.bits[actions], self.free)
        self.free[begins] = (1 << self.n) - 1
        self.over = illegal | (self.free == 0)
        self.roll = self._rolled()
        self._judge()
        observations = np.empty((self.count, self.n + 1), dtype=np.float32)
        observations[:, :-1] = self.mask
        low, high = self.support[0], self.support[-1]
        observations[:, -1] = np.where(self.over, 0.0, (self.roll - low) / (high - low))
        infos = {
            "action_mask": self.mask.astype(np.int8),
            "best_action": np.where(self.over, -1, self.best_action),
            "illegal": illegal,
            "luck": self.luck,
            "regret": regret,
            "roll": np.where(self.over, 0, self.roll),
        }
        infos |= {f"_{name}": np.ones(self.count, dtype=np.bool_) for name in list(infos)}
        return observations, rewards, self.over.copy(), np.zeros(self.count, dtype=np.bool_), infos
