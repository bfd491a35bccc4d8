"""The step of `kernels.environment` for games so small that all their decisions by the mean fit into a table.

What a decision is worth is looked up: its sums are made once for each free set A and roll x (`envs.decisions`). Of
where a game stands only its rolls, its free set and the number of free slots are used.
"""

from typing import NamedTuple

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.kernels.environment import (
    EnvironmentGames,
    EnvironmentResults,
    EnvironmentRules,
    EnvironmentTurn,
    RollDealer,
    deal,
)
from tentimes18.kernels.types import Floats, Slots

__all__ = ["DecisionTables", "step_small_games"]


class DecisionTables(NamedTuple):
    """All decisions by the mean: losses[A, x, i] of action i, lucks[A, x] of roll x, best[A, x].

    An illegal action costs the worths[A] of the best play, and is rewarded with illegal_rewards[A].
    """

    losses: Floats
    lucks: Floats
    best: Slots
    worths: Floats
    illegal_rewards: Floats


@compiled()
def step_small_games(
    decisions: DecisionTables,
    rules: EnvironmentRules,
    dealer: RollDealer,
    games: EnvironmentGames,
    turn: EnvironmentTurn,
    results: EnvironmentResults,
) -> None:
    """Place the rolls of the games whose turn it is, and show the next ones; a game that is over starts anew."""
    losses, lucks, best, worths, illegal_rewards = decisions
    points, _, scaled, support, _, by_regret, _ = rules
    keys, numbers, over, places, left, _, _, _, sets, _, _ = games
    which, actions = turn
    observations, rewards, terminations, shown_masks, best_actions, illegal, shown_lucks, regrets, rolls = results
    n = losses.shape[2]
    for w in range(len(which)):
        i = which[w]
        reward, regret, is_illegal, is_over = 0.0, 0.0, False, False
        A, k = sets[i], left[i]
        if over[i]:
            deal(dealer, keys[i], numbers[i], i, places)
            numbers[i] += 1
            A, k = (1 << n) - 1, n
        else:
            x, slot = places[i, n - k], actions[i]
            is_illegal = slot < 0 or slot >= n or not A >> slot & 1
            if is_illegal:
                reward = illegal_rewards[A]
                regret = worths[A] + lucks[A, x] - reward
                is_over = True
            else:
                reward = points[slot, x]
                if slot != best[A, x]:  # else it is 0, and the largest table is left alone
                    regret = losses[A, x, slot]
                A ^= 1 << slot
                k -= 1
                is_over = k == 0
            if by_regret:
                reward = 0.0 - regret
        sets[i], left[i], over[i] = A, k, is_over
        luck, best_action, roll, seen = 0.0, -1, 0, np.float32(0.0)
        if not is_over:
            x = places[i, n - k]
            luck, best_action, roll, seen = lucks[A, x], best[A, x], support[x], scaled[x]
        allowed = 0 if is_illegal else A  # the slots are still free, but nothing is allowed any more
        for j in range(n):
            observations[i, j] = A >> j & 1
            shown_masks[i, j] = allowed >> j & 1
        observations[i, n] = seen
        rewards[i] = reward
        terminations[i] = is_over
        best_actions[i] = best_action
        illegal[i] = is_illegal
        shown_lucks[i] = luck
        regrets[i] = regret
        rolls[i] = roll
