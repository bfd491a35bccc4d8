"""The classic game as a vector environment in NumPy: every decision is looked up in a table, as our kernel does.

A row of the table is a set of free slots with a roll; the empty set is a game that is over, and its only move starts
the next game. `step` returns what our vector environment does.
"""

from typing import Any

import numpy as np

from tentimes18.game import Game


class NumpyEnvironment:
    """Many games; each starts a new game in the step after its last."""

    def __init__(self, game: Game, count: int, seed: int) -> None:
        self.count, self.n = count, game.size
        n, rolls, sets = game.size, np.array(game.dice.support), 1 << game.size
        self.size = s = len(rolls)
        chances = np.array(game.dice.counts) / game.dice.total
        multipliers, bits = np.array([float(multiplier) for multiplier in game.multipliers]), 1 << np.arange(n)
        self.masks = (np.arange(sets)[:, None] & bits > 0).astype(np.int8)
        points = multipliers * rolls[:, None]
        values, losses, best = np.zeros(sets), np.zeros((sets, s, n)), np.full((sets, s), -1)
        lucks, rewards = np.zeros((sets, s)), np.zeros((sets, s, n))
        following = np.zeros((sets, s, n), dtype=np.int64)  # an illegal move ends the game
        following[0] = sets - 1
        for free in range(1, sets):
            is_free = self.masks[free] > 0
            worths = np.where(is_free, points + values[free & ~bits], 0.0)
            most = worths.max(axis=1)
            values[free] = chances @ most
            losses[free], lucks[free] = most[:, None] - worths, most - values[free]
            best[free] = np.where(is_free, worths, -np.inf).argmax(axis=1)
            rewards[free], following[free] = np.where(is_free, points, 0.0), np.where(is_free, free & ~bits, 0)
        illegal = np.broadcast_to((self.masks == 0)[:, None], losses.shape).copy()
        illegal[0] = False
        self.moves = [table.ravel() for table in (rewards, losses, following, illegal)]
        scaled = np.tile((rolls - rolls[0]) / (rolls[-1] - rolls[0]), (sets, 1)).astype(np.float32)
        shown = np.tile(rolls, (sets, 1))
        scaled[0] = shown[0] = 0
        self.shown = [table.ravel() for table in (best, lucks, shown, scaled)]
        self.generator, self.total = np.random.Generator(np.random.SFC64(seed)), game.dice.total
        self.position_of = np.repeat(np.arange(s), game.dice.counts)
        self.row = (sets - 1) * s + self._rolled()
        self.best_action = self.shown[0][self.row]

    def _rolled(self) -> Any:
        return self.position_of[self.generator.integers(0, self.total, self.count, dtype=np.uint8)]

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """The same as `step` of a vector environment."""
        at = self.row * self.n + actions
        rewards, losses, free, illegal = (np.take(table, at) for table in self.moves)
        self.row = free * self.size + self._rolled()
        best, lucks, rolls, scaled = (np.take(table, self.row) for table in self.shown)
        masks, self.best_action = self.masks[free], best
        observations = np.empty((self.count, self.n + 1), dtype=np.float32)
        observations[:, :-1], observations[:, -1] = masks, scaled
        infos = {
            "action_mask": masks,
            "best_action": best,
            "illegal": illegal,
            "luck": lucks,
            "regret": losses,
            "roll": rolls,
        }
        infos |= {f"_{name}": np.ones(self.count, dtype=np.bool_) for name in list(infos)}
        return observations, rewards, free == 0, np.zeros(self.count, dtype=np.bool_), infos
