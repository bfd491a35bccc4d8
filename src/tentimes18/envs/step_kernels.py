"""Many games for learning agents at once: one step of each, with its regret and the luck of the next roll.

Game i is in row i of every array. The kernel takes one of three kinds of tables: all decisions of a small game, or what
it needs to sum up the losses (`envs.decisions`, in the same order, so both give the same numbers to the last bit), or
the probabilities of a target. Free slots are a set, but by `MeanTables` the increasing list order[i] of left[i] slots,
since such a game can have more slots than a word has bits.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Bools, Floats, Ints, Slots, Words
from tentimes18.compiled import compiled
from tentimes18.game import Game
from tentimes18.random_words import ANEW, GAMMA, HALF, LOW, ONE, mix_word, wide_place
from tentimes18.simulate.drawing import RollSource
from tentimes18.solve.lattice import lattice_of

Singles: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.uint16]


class MeanTables(NamedTuple):
    """Decisions by the mean, with k free slots and roll x.

    gaps[k, x, t] = |x - E_{k-1}[t]| and changes[k, x, t] = c_t - E_k[t] (`envs.decisions`); goals[k, x] is the rank,
    from 0, that x belongs to, expected[k] = E_k. between[i, j] = λ_j - λ_i; base_lucks[x] is the luck of x by λ_0.
    """

    gaps: Floats
    changes: Floats
    goals: Ints
    expected: Floats
    between: Floats
    base_lucks: Floats
    multipliers: Floats


class ChanceTables(NamedTuple):
    """Decisions by the probability of a target, with u units made: V[starts[A] + needed - u].

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


class DecisionTables(NamedTuple):
    """All decisions by the mean: losses[A, x, i] of action i, lucks[A, x] of roll x, best[A, x].

    An illegal action loses values[A] of the best play, and its reward is illegal_rewards[A].
    """

    losses: Floats
    lucks: Floats
    best: Slots
    values: Floats
    illegal_rewards: Floats


class Rules(NamedTuple):
    """The points of roll x in slot i, the least points of a slot, the rolls scaled for observations, and the rolls.

    ``width`` scales units in an observation.
    """

    points: Floats
    lows: Floats
    scaled: Singles
    support: Ints
    by_regret: bool
    width: float


class Games(NamedTuple):
    """The games: key and next number of each, whether it is over, whether the user fixed its rolls, and its state."""

    keys: Words
    numbers: Ints
    over: Bools
    fixed: Bools
    places: Places
    left: Ints
    order: Places
    lucks: Floats
    sets: Ints
    made: Ints
    best: Floats


class StepResults(NamedTuple):
    observations: Singles
    rewards: Floats
    terminations: Bools
    masks: Slots
    best_actions: Ints
    illegal: Bools
    lucks: Floats
    regrets: Floats
    rolls: Ints


def rules_of(game: Game, *, by_regret: bool) -> Rules:
    support, lattice = game.dice.support, lattice_of(game)
    span = support[-1] - support[0] or 1
    return Rules(
        np.array([[float(multiplier * roll) for roll in support] for multiplier in game.multipliers]),
        np.array([float(low) for low in lattice.lows]),
        np.array([(roll - support[0]) / span for roll in support], dtype=np.float32),
        np.array(support, dtype=np.int64),
        by_regret,
        float(lattice.width(game.all_free) or 1),
    )


def new_games(count: int, size: int) -> Games:
    """Games that are all over: the next step starts them."""
    flags, numbers = np.zeros((2, count), dtype=np.bool_), np.zeros((4, count), dtype=np.int64)
    places, order = np.zeros((2, count, size), dtype=np.uint16)
    lucks, best = np.zeros((2, count))
    flags[0] = True
    keys = np.zeros(count, dtype=np.uint64)
    return Games(keys, numbers[0], flags[0], flags[1], places, numbers[1], order, lucks, numbers[2], numbers[3], best)


def new_results(count: int, size: int, *, has_target: bool) -> StepResults:
    """Arrays for the results of a step, without values."""
    return StepResults(
        observations=np.empty((count, size + 1 + has_target), dtype=np.float32),
        rewards=np.empty(count),
        terminations=np.empty(count, dtype=np.bool_),
        masks=np.empty((count, size), dtype=np.int8),
        best_actions=np.empty(count, dtype=np.int64),
        illegal=np.empty(count, dtype=np.bool_),
        lucks=np.empty(count),
        regrets=np.empty(count),
        rolls=np.empty(count, dtype=np.int64),
    )


@compiled(inline="always")  # a call with all its arguments takes longer than the work
def deal(source: RollSource, key: np.uint64, number: int, row: int, places: Places) -> None:
    """The rolls of a game by its number, as in a simulation."""
    _, T, per_word, product, rejected, position, bounds = source
    rolls = places[row]
    n = len(rolls)
    if T == 0:
        for r in range(n):
            index = np.uint64(number) * np.uint64(n) + np.uint64(r) + ONE
            rolls[r] = wide_place(bounds, mix_word(key + index * GAMMA))
        return
    index = np.uint64(number) * np.uint64((n + per_word - 1) // per_word)
    for start in range(0, n, per_word):
        index += ONE
        word = mix_word(key + index * GAMMA)
        while word * product < rejected:
            word = mix_word(word ^ ANEW)
        for r in range(start, min(start + per_word, n)):
            rolls[r] = position[(word >> HALF) * T + ((word & LOW) * T >> HALF) >> HALF]
            word *= T  # what is left of the fraction


@compiled()
def _chance(needed: int, width: int, V: Floats, start: int) -> float:
    if needed <= 0:
        return 1.0
    return V[start + needed] if needed <= width else 0.0


@compiled()
def step_games(
    table: DecisionTables | None,
    mean: MeanTables | None,
    chance: ChanceTables | None,
    rules: Rules,
    source: RollSource,
    games: Games,
    which: Ints,
    actions: Ints,
    results: StepResults,
) -> None:
    """Place the rolls of these games and show the next ones; restart those that are over.

    Two of the three tables are None: numba compiles the kernel for each kind, without the branches of the others.
    """
    points, lows, scaled, support, by_regret, width = rules
    keys, numbers, over, fixed, places, left, order, lucks, sets, made, best = games
    observations, rewards, terminations, masks, best_actions, illegal, shown_lucks, regrets, rolls = results
    n = places.shape[1]
    if chance is not None:
        needed, V, starts, widths, slots, slot_starts, shifts = chance
    for w in range(len(which)):
        i = which[w]
        reward, regret, is_illegal, is_over = 0.0, 0.0, False, False
        A, k = sets[i], left[i]
        if over[i]:
            if fixed[i]:
                fixed[i] = False
            else:
                deal(source, keys[i], numbers[i], i, places)
                numbers[i] += 1
            k = n
            if mean is None:
                A = (1 << n) - 1
                made[i] = 0
            else:
                for j in range(n):
                    order[i, j] = j
        else:
            x, slot, rank = places[i, n - k], actions[i], 0
            if mean is None:
                is_illegal = slot < 0 or slot >= n or not A >> slot & 1
            else:
                while rank < k and order[i, rank] != slot:
                    rank += 1
                is_illegal = rank == k
            if is_illegal:
                is_over = True
                if table is not None:
                    reward = table.illegal_rewards[A]
                    regret = table.values[A] + table.lucks[A, x] - reward
                elif mean is not None:
                    worth = 0.0
                    for t in range(k):
                        reward += lows[order[i, t]]
                        worth += mean.multipliers[order[i, t]] * mean.expected[k, t]
                    reward = min(0.0, reward)
                    regret = worth + lucks[i] - reward
                elif chance is not None:
                    regret = _chance(needed - made[i], widths[A], V, starts[A]) + lucks[i] - reward
            else:
                if mean is None:
                    A ^= 1 << slot
                if table is not None:
                    reward = points[slot, x]
                    before = A ^ 1 << slot
                    if slot != table.best[before, x]:  # otherwise 0, without a look at the largest table
                        regret = table.losses[before, x, slot]
                elif mean is not None:
                    reward = points[slot, x]
                    goal = mean.goals[k, x]
                    for t in range(goal, rank):
                        regret += mean.between[order[i, t], order[i, t + 1]] * mean.gaps[k, x, t]
                    for t in range(goal - 1, rank - 1, -1):
                        regret += mean.between[order[i, t], order[i, t + 1]] * mean.gaps[k, x, t]
                    for t in range(rank, k - 1):
                        order[i, t] = order[i, t + 1]
                elif chance is not None:
                    made[i] += shifts[slot, x]
                    after = _chance(needed - made[i], widths[A], V, starts[A])
                    regret = best[i] - after
                    reward = after if k == 1 else 0.0
                k -= 1
                is_over = k == 0
            if by_regret:
                reward = 0.0 - regret
        sets[i], left[i], over[i] = A, k, is_over

        luck, best_action, roll, seen = 0.0, -1, 0, np.float32(0.0)
        if not is_over:
            x = places[i, n - k]
            roll, seen = support[x], scaled[x]
            if table is not None:
                luck, best_action = table.lucks[A, x], table.best[A, x]
            elif mean is not None:
                luck = mean.base_lucks[x]
                for t in range(k):
                    luck += mean.between[0, order[i, t]] * mean.changes[k, x, t]
                goal = mean.goals[k, x]
                while goal > 0 and mean.between[order[i, goal - 1], order[i, goal]] == 0.0:
                    goal -= 1
                best_action = order[i, goal]
            elif chance is not None:
                most = 0.0
                for slot in range(n):
                    if A >> slot & 1:
                        B = A ^ 1 << slot
                        most = max(most, _chance(needed - made[i] - shifts[slot, x], widths[B], V, starts[B]))
                best[i] = most
                luck = most - _chance(needed - made[i], widths[A], V, starts[A])
                best_action = slots[slot_starts[A] + made[i], x]
        if mean is None:
            allowed = 0 if is_illegal else A  # the slots are still free, but no action is allowed
            for j in range(n):
                observations[i, j] = A >> j & 1
            for j in range(n):  # a loop of its own, which the processor runs faster
                masks[i, j] = allowed >> j & 1
        else:
            for j in range(n):
                observations[i, j] = masks[i, j] = 0
            for t in range(k):
                observations[i, order[i, t]] = 1.0
                masks[i, order[i, t]] = not is_illegal
        observations[i, n] = seen
        if chance is not None:
            observations[i, n + 1] = made[i] / width
        if table is None:
            lucks[i] = luck
        rewards[i] = reward
        terminations[i] = is_over
        best_actions[i] = best_action
        illegal[i] = is_illegal
        shown_lucks[i] = luck
        regrets[i] = regret
        rolls[i] = roll
