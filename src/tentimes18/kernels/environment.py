"""Many games for learning players at once: a step of each, with what it gave up and what the next roll changed.

The mathematics stands in `envs.worths`, the order of the sums is the same there: both give the same numbers to the last
bit. Game i is in row i of every array. Of its free slots, left[i] in number, order[i] has the increasing list; sets,
units made and the worth of the best move are kept where the aim is a chance.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.compiled import compiled
from tentimes18.kernels.simulate import ANEW, GAMMA, HALF, LOW, ONE, mix_word, wide_place
from tentimes18.kernels.types import Bools, Floats, Ints, Slots, Words

__all__ = [
    "ChanceTables",
    "EnvironmentGames",
    "EnvironmentResults",
    "EnvironmentRules",
    "EnvironmentTurn",
    "MeanTables",
    "RollDealer",
    "deal",
    "step_games",
]

Singles: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.uint16]


class MeanTables(NamedTuple):
    """What decisions are worth by the mean, k slots being free and x rolled.

    gaps[k, x, t] = |x - E_{k-1}[t]| and changes[k, x, t] = c_t - E_k[t] (`envs.worths`); goals[k, x] is the rank, from
    0, that x belongs to, expected[k] = E_k. between[i, j] = λ_j - λ_i; base_lucks[x] is the luck of x by λ_0 alone.
    """

    gaps: Floats
    changes: Floats
    goals: Ints
    expected: Floats
    between: Floats
    base_lucks: Floats
    multipliers: Floats


class ChanceTables(NamedTuple):
    """What decisions are worth by the chance of a target, with u units made: V[starts[A] + needed - u].

    It is 1 where no more is needed, and 0 beyond widths[A]. The best slot is slots[slot_starts[A] + u, x], and
    shifts[i, x] are the units that x makes in slot i.
    """

    needed: int
    V: Floats
    starts: Ints
    widths: Ints
    slots: Slots
    slot_starts: Ints
    shifts: Ints


class EnvironmentRules(NamedTuple):
    """The points of roll x in slot i, the least points of a slot, the rolls as they are observed and as they are.

    ``width`` is what units are scaled by in an observation.
    """

    points: Floats
    lows: Floats
    scaled: Singles
    support: Ints
    by_chance: bool
    by_regret: bool
    width: float


class RollDealer(NamedTuple):
    """What rolls are drawn from (`simulate.drawing`): numbers below total, per_word of them from a word.

    A word is drawn anew where its product with ``product`` is below ``rejected``; without a total, ``bounds`` hold the
    law.
    """

    total: np.uint64
    per_word: int
    product: np.uint64
    rejected: np.uint64
    position: Places
    bounds: Words


class EnvironmentGames(NamedTuple):
    """The games: the key and the next number of each, whether it is over, its rolls, and where it stands."""

    keys: Words
    numbers: Ints
    over: Bools
    places: Places
    left: Ints
    order: Places
    masks: Slots
    lucks: Floats
    sets: Ints
    made: Ints
    best: Floats


class EnvironmentResults(NamedTuple):
    """What a step gives for each game."""

    observations: Singles
    rewards: Floats
    terminations: Bools
    masks: Slots
    best_actions: Ints
    illegal: Bools
    lucks: Floats
    regrets: Floats
    rolls: Ints


class EnvironmentTurn(NamedTuple):
    """The games whose turn it is, and the actions of all."""

    which: Ints
    actions: Ints


@compiled()
def deal(dealer: RollDealer, key: np.uint64, number: int, row: int, places: Places) -> None:
    """The rolls of a game by its number, as `simulate.draw_rolls` and `draw_wide_rolls` make them."""
    T, per_word, product, rejected, position, bounds = dealer
    n = places.shape[1]
    if T == 0:
        for r in range(n):
            index = np.uint64(number) * np.uint64(n) + np.uint64(r) + ONE
            places[row, r] = wide_place(bounds, mix_word(key + index * GAMMA))
        return
    per_game = (n + per_word - 1) // per_word
    index = np.uint64(number) * np.uint64(per_game)
    r = 0
    while r < n:
        index += ONE
        word = mix_word(key + index * GAMMA)
        while word * product < rejected:
            word = mix_word(word ^ ANEW)
        for _ in range(min(per_word, n - r)):
            low = (word & LOW) * T
            high = (word >> HALF) * T + (low >> HALF)
            places[row, r] = position[high >> HALF]
            word = (high << HALF) | (low & LOW)
            r += 1


@compiled()
def _chance(needed: int, width: int, V: Floats, start: int) -> float:
    if needed <= 0:
        return 1.0
    return V[start + needed] if needed <= width else 0.0


@compiled()
def step_games(
    mean: MeanTables,
    chance: ChanceTables,
    rules: EnvironmentRules,
    dealer: RollDealer,
    games: EnvironmentGames,
    turn: EnvironmentTurn,
    results: EnvironmentResults,
) -> None:
    """Place the rolls of the games whose turn it is, and show the next ones; a game that is over starts anew."""
    gaps, changes, goals, expected, between, base_lucks, multipliers = mean
    needed, V, starts, widths, slots, slot_starts, shifts = chance
    points, lows, scaled, support, by_chance, by_regret, width = rules
    keys, numbers, over, places, left, order, masks, lucks, sets, made, best = games
    which, actions = turn
    observations, rewards, terminations, shown_masks, best_actions, illegal, shown_lucks, regrets, rolls = results
    n = masks.shape[1]
    for w in range(len(which)):
        i = which[w]
        reward, regret, is_illegal, was_over = 0.0, 0.0, False, over[i]
        k = left[i]
        if was_over:
            deal(dealer, keys[i], numbers[i], i, places)
            numbers[i] += 1
            over[i] = False
            k = n
            for j in range(n):
                order[i, j] = j
                masks[i, j] = 1
            if by_chance:
                sets[i] = (1 << n) - 1
                made[i] = 0
        else:
            x = places[i, n - k]
            slot = actions[i]
            rank = 0
            while rank < k and order[i, rank] != slot:
                rank += 1
            is_illegal = rank == k
            if is_illegal:
                worth = 0.0
                if by_chance:
                    worth = _chance(needed - made[i], widths[sets[i]], V, starts[sets[i]])
                else:
                    for t in range(k):
                        reward += lows[order[i, t]]
                        worth += multipliers[order[i, t]] * expected[k, t]
                    reward = min(0.0, reward)
                regret = worth + lucks[i] - reward
                for j in range(n):
                    masks[i, j] = 0
                over[i] = True
            else:
                if by_chance:
                    sets[i] ^= 1 << slot
                    made[i] += shifts[slot, x]
                    after = _chance(needed - made[i], widths[sets[i]], V, starts[sets[i]])
                    regret = best[i] - after
                    reward = after if k == 1 else 0.0
                else:
                    reward = points[slot, x]
                    goal = goals[k, x]
                    for t in range(goal, rank):
                        regret += between[order[i, t], order[i, t + 1]] * gaps[k, x, t]
                    for t in range(goal - 1, rank - 1, -1):
                        regret += between[order[i, t], order[i, t + 1]] * gaps[k, x, t]
                masks[i, slot] = 0
                k -= 1
                for t in range(rank, k):
                    order[i, t] = order[i, t + 1]
                over[i] = k == 0
            if by_regret:
                reward = 0.0 - regret
        left[i] = k

        is_over = over[i]
        luck, best_action, roll, seen = 0.0, -1, 0, np.float32(0.0)
        if not is_over:
            x = places[i, n - k]
            roll, seen = support[x], scaled[x]
            if by_chance:
                A = sets[i]
                most = 0.0
                for t in range(k):
                    slot = order[i, t]
                    B = A ^ (1 << slot)
                    most = max(most, _chance(needed - made[i] - shifts[slot, x], widths[B], V, starts[B]))
                best[i] = most
                luck = most - _chance(needed - made[i], widths[A], V, starts[A])
                best_action = slots[slot_starts[A] + made[i], x]
            else:
                luck = base_lucks[x]
                for t in range(k):
                    luck += between[0, order[i, t]] * changes[k, x, t]
                goal = goals[k, x]
                while goal > 0 and between[order[i, goal - 1], order[i, goal]] == 0.0:
                    goal -= 1
                best_action = order[i, goal]
        lucks[i] = luck
        for j in range(n):
            shown_masks[i, j] = masks[i, j]
            observations[i, j] = masks[i, j]
        if is_illegal:  # the slots are still free, but nothing is allowed any more
            for t in range(k):
                observations[i, order[i, t]] = 1.0
        observations[i, n] = seen
        if by_chance:
            observations[i, n + 1] = made[i] / width
        rewards[i] = reward
        terminations[i] = is_over
        best_actions[i] = best_action
        illegal[i] = is_illegal
        shown_lucks[i] = luck
        regrets[i] = regret
        rolls[i] = roll
