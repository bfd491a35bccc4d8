"""Many games for learning players at once: one step of each, with its regret and the luck of the next roll.

Game i is in row i of every array. `step_games` sums up what each action loses (`envs.decisions`), in the same order as
there: both give the same numbers to the last bit. order[i] has the increasing list of its left[i] free slots; sets,
units made and the value of the best move are used where the aim is a target. `step_table_games` looks all decisions
up in a table of free sets and rolls, for games that are small enough; of the state of a game it uses the rolls, the
free set and the number of free slots.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Bools, Floats, Ints, Slots, Words
from tentimes18.compiled import compiled
from tentimes18.game import Game
from tentimes18.random_words import ANEW, GAMMA, HALF, LOW, ONE, mix_word, wide_place
from tentimes18.simulate.drawing import roll_source
from tentimes18.simulate.run import Run
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
    by_chance: bool
    by_regret: bool
    width: float


class RollDealer(NamedTuple):
    """The source of rolls (`simulate.drawing`): numbers below total, per_word of them from a word.

    A word is drawn again if its product with ``product`` is below ``rejected``. If total is 0, ``bounds`` is the
    distribution function.
    """

    total: np.uint64
    per_word: int
    product: np.uint64
    rejected: np.uint64
    position: Places
    bounds: Words


class Games(NamedTuple):
    """The games: key and next number of each, whether it is over, its rolls, and its state."""

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


class StepResults(NamedTuple):
    """The result of a step for each game."""

    observations: Singles
    rewards: Floats
    terminations: Bools
    masks: Slots
    best_actions: Ints
    illegal: Bools
    lucks: Floats
    regrets: Floats
    rolls: Ints


def rules_of(game: Game, *, by_chance: bool, by_regret: bool) -> Rules:
    """The points and rolls of a game, by place in the support."""
    support, lattice = game.dice.support, lattice_of(game)
    span = support[-1] - support[0] or 1
    return Rules(
        np.array([[float(multiplier * roll) for roll in support] for multiplier in game.multipliers]),
        np.array([float(low) for low in lattice.lows]),
        np.array([(roll - support[0]) / span for roll in support], dtype=np.float32),
        np.array(support, dtype=np.int64),
        by_chance,
        by_regret,
        float(lattice.width(game.all_free) or 1),
    )


def dealer_of(game: Game) -> RollDealer:
    """The source of the rolls of a game, the same as in a simulation."""
    source = roll_source(Run(game, (), seed=0))
    product = source.total**source.per_word if source.total else 1
    return RollDealer(
        np.uint64(source.total),
        source.per_word,
        np.uint64(product),
        np.uint64((1 << 64) % product),
        source.position.astype(np.uint16),
        source.bounds,
    )


def new_games(count: int, size: int) -> Games:
    """Games that are all over: the next step starts them."""
    return Games(
        keys=np.zeros(count, dtype=np.uint64),
        numbers=np.zeros(count, dtype=np.int64),
        over=np.ones(count, dtype=np.bool_),
        places=np.zeros((count, size), dtype=np.uint16),
        left=np.zeros(count, dtype=np.int64),
        order=np.zeros((count, size), dtype=np.uint16),
        masks=np.zeros((count, size), dtype=np.int8),
        lucks=np.zeros(count),
        sets=np.zeros(count, dtype=np.int64),
        made=np.zeros(count, dtype=np.int64),
        best=np.zeros(count),
    )


def no_means() -> MeanTables:
    """Empty tables, for a kernel that does not use them."""
    cube, square, row = np.zeros((0, 0, 0)), np.zeros((0, 0)), np.zeros(0)
    return MeanTables(cube, cube, square.astype(np.int64), square, square, row, row)


def no_chances() -> ChanceTables:
    """Empty tables, for a kernel that does not use them."""
    square, row = np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
    return ChanceTables(0, np.zeros(0), row, row, square.astype(np.int8), row, square)


def new_results(count: int, size: int, *, has_target: bool, new: Callable[..., Any]) -> StepResults:
    """Arrays for the results of a step, each made by ``new``: ``np.empty`` or ``np.zeros``."""
    return StepResults(
        observations=new((count, size + 1 + has_target), dtype=np.float32),
        rewards=new(count),
        terminations=new(count, dtype=np.bool_),
        masks=new((count, size), dtype=np.int8),
        best_actions=new(count, dtype=np.int64),
        illegal=new(count, dtype=np.bool_),
        lucks=new(count),
        regrets=new(count),
        rolls=new(count, dtype=np.int64),
    )


@compiled()
def deal(dealer: RollDealer, key: np.uint64, number: int, row: int, places: Places) -> None:
    """The rolls of a game by its number, as in a simulation."""
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
    rules: Rules,
    dealer: RollDealer,
    games: Games,
    which: Ints,
    actions: Ints,
    results: StepResults,
) -> None:
    """Place the rolls of the games whose turn it is, and show the next ones; restart those that are over."""
    gaps, changes, goals, expected, between, base_lucks, multipliers = mean
    needed, V, starts, widths, slots, slot_starts, shifts = chance
    points, lows, scaled, support, by_chance, by_regret, width = rules
    keys, numbers, over, places, left, order, masks, lucks, sets, made, best = games
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
        if is_illegal:  # the slots are still free, but no action is allowed
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


@compiled()
def step_table_games(
    decisions: DecisionTables,
    rules: Rules,
    dealer: RollDealer,
    games: Games,
    which: Ints,
    actions: Ints,
    results: StepResults,
) -> None:
    """Place the rolls of the games whose turn it is, and show the next ones; restart those that are over."""
    losses, lucks, best, values, illegal_rewards = decisions
    points, _, scaled, support, _, by_regret, _ = rules
    keys, numbers, over, places, left, _, _, _, sets, _, _ = games
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
                regret = values[A] + lucks[A, x] - reward
                is_over = True
            else:
                reward = points[slot, x]
                if slot != best[A, x]:  # otherwise 0, without a look at the largest table
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
        allowed = 0 if is_illegal else A  # the slots are still free, but no action is allowed
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
