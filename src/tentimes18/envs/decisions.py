"""The value of every decision in an environment: the loss of each action, the best action, and the luck of a roll.

These are the loss and the luck of the coach (`coach.review`) in float64, fast enough for learning. For the mean, with k
free slots f_1 < f_2 < ... and E_k the row of k thresholds (`solve.thresholds`), a roll x belongs to the rank that has
g = #{t : E_{k-1}[t] < x} others below it, and

    loss of a rank = Σ (λ_{f_{t+1}} - λ_{f_t}) |x - E_{k-1}[t]|   over the ranks t between it and g,
    luck           = Σ λ_{f_t} (c_t - E_k[t]),   c = E_{k-1} with x inserted at its place.

This needs no table over sets of slots, so a game can have hundreds of slots. Rounding:

- For the mean, if all decisions of a game fit into a table (`fits_table`), losses and lucks are exact numbers rounded
  once, the nearest float64 numbers.
- For the mean in larger games, each |x - E| and each difference of multipliers is rounded before products of them are
  summed. No term is negative, so the relative error of a loss on n slots is at most (n + 2) 2^-53, and a loss of
  0 is exactly 0.
- For a target, losses and luck are differences of the probabilities in `solve.aims`, each within 2^-51 if the table is
  exact: a loss is within 2^-49, and a loss of 0 is exactly 0.

`step_games` takes a step of many games at once, with its regret and the luck of the next roll. Game i is in row i of
every array. The kernel takes one of three kinds of tables: all decisions of a small game, or what it needs to sum up
the losses (in the same order, so both give the same numbers to the last bit), or the probabilities of a target. Free
slots are a set, but by `MeanTables` the increasing list order[i] of left[i] slots, since such a game can have more
slots than a word has bits.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property, lru_cache
from math import ceil, nan
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Bools, Floats, Ints, Slots, Words
from tentimes18.coach import losses
from tentimes18.compiled import compiled
from tentimes18.game import Game, Number, slots_of
from tentimes18.limits import check_size
from tentimes18.random_words import ANEW, GAMMA, HALF, LOW, ONE, mix_word, wide_place
from tentimes18.simulate.drawing import RollSource
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.thresholds import ExactRow, exact_thresholds, value_of
from tentimes18.strategies.solved import chances
from tentimes18.tables import table_cache

MAX_TABLE_BYTES = 8 << 20  # a table of all decisions beyond this fits in no processor cache
MAX_CACHED = 1 << 16  # decisions
CACHED_BYTES = 500  # per decision

Singles: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.uint16]


class MeanTables(NamedTuple):
    """Decisions by the mean, with k free slots and roll x.

    gaps[k, x, t] = |x - E_{k-1}[t]| and changes[k, x, t] = c_t - E_k[t]; goals[k, x] is the rank,
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


class Decision(NamedTuple):
    """The best action, the luck of the roll, and the loss of each action: nan for an action that is not allowed."""

    best: int
    luck: float
    losses: tuple[float, ...]


class Decisions(ABC):
    """The decisions in a game by one aim; all environments of that game share one object."""

    game: Game
    optimal: float
    """The expected return of the best play."""
    tables: Any
    """For kernels."""

    def __init__(self, game: Game, table_bytes: int) -> None:
        self.game = game
        self.nbytes = table_bytes + CACHED_BYTES * MAX_CACHED

    @cached_property
    def decision(self) -> Callable[[int, int, int], Decision]:
        """The decision with these free slots and units, for the roll at this place of the support; the last are kept.

        By the mean the units do not matter, and are 0.
        """
        return lru_cache(MAX_CACHED)(self._decide)

    @abstractmethod
    def _decide(self, free: int, units: int, place: int) -> Decision: ...

    @abstractmethod
    def value(self, free: int, units: int) -> float:
        """The expected return of the best play from a position on, before a roll."""

    def illegal_reward(self, free: int) -> float:  # noqa: ARG002 (the same everywhere, for a chance)
        """The reward of an illegal action with these free slots: no legal way to finish the game can bring less."""
        return 0.0

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # it is immutable: copies of an environment share it

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "decision"}


class MeanDecisions(Decisions):
    def __init__(self, game: Game) -> None:
        n, size = game.size, 8 * game.size * (2 * game.size * len(game.dice.support) + game.size)
        check_size(f"every decision on {n:,} slots", bytes=size + CACHED_BYTES * MAX_CACHED)
        super().__init__(game, MAX_TABLE_BYTES if fits_table(game) else size)
        self._rows = exact_thresholds(game.dice, n)
        self.optimal = float(value_of(game, game.all_free))
        self._multipliers = [float(multiplier) for multiplier in game.multipliers]
        self._expected = [row.floats() for row in self._rows]
        self._lows = [float(low) for low in lattice_of(game).lows]

    @cached_property
    def tables(self) -> MeanTables | DecisionTables:
        if not fits_table(self.game):
            return _mean_tables(self.game, self._rows)
        sets, rolls = 1 << self.game.size, len(self.game.dice.support)
        tables = DecisionTables(
            losses=np.zeros((sets, rolls, self.game.size)),
            lucks=np.zeros((sets, rolls)),
            best=np.zeros((sets, rolls), dtype=np.int8),
            values=np.array([self.value(A, 0) for A in range(sets)]),
            illegal_rewards=np.array([self.illegal_reward(A) for A in range(sets)]),
        )
        for A in range(1, sets):
            for place in range(rolls):
                tables.best[A, place], tables.lucks[A, place], tables.losses[A, place] = self._decide(A, 0, place)
        return tables

    def _decide(self, free: int, units: int, place: int) -> Decision:  # noqa: ARG002 (the score does not matter)
        if not fits_table(self.game):
            return self._sum(self.tables, [slot - 1 for slot in slots_of(free)], place)
        exact = losses.decide(self.game, free, self.game.dice.support[place], self._rows)
        rounded = {slot: float(loss / exact.denominator) for slot, loss in exact.losses.items()}  # each number once
        regrets = tuple([rounded.get(slot, nan) for slot in range(1, self.game.size + 1)])
        return Decision(exact.best - 1, float(exact.luck), regrets)

    def _sum(self, tables: Any, free: list[int], place: int) -> Decision:
        k = len(free)
        goal = int(tables.goals[k, place])
        gaps, changes = tables.gaps[k, place].tolist(), tables.changes[k, place].tolist()
        losses = [nan] * self.game.size
        losses[free[goal]] = 0.0
        for ranks in (range(goal, k - 1), range(goal - 1, -1, -1)):
            loss = 0.0
            for t in ranks:
                loss += tables.between[free[t], free[t + 1]].item() * gaps[t]
                losses[free[t + 1 if t >= goal else t]] = loss
        luck = tables.base_lucks[place].item()
        for t in range(k):
            luck += tables.between[0, free[t]].item() * changes[t]
        while goal and not tables.between[free[goal - 1], free[goal]]:
            goal -= 1
        return Decision(free[goal], luck, tuple(losses))

    def value(self, free: int, units: int) -> float:  # noqa: ARG002 (the score does not matter)
        if not free:
            return 0.0
        value = 0.0  # added up in the order of the kernel
        for slot, expected in zip(slots_of(free), self._expected[free.bit_count() - 1], strict=True):
            value += self._multipliers[slot - 1] * float(expected)
        return value

    def illegal_reward(self, free: int) -> float:
        """Nothing; where points can be lost, the least that the free slots could get."""
        return min(0.0, sum(self._lows[slot - 1] for slot in slots_of(free)))


class ChanceDecisions(Decisions):
    tables: ChanceTables

    def __init__(self, game: Game, target: Number) -> None:
        table = chances(game)
        slot_starts, slots = table.best_play(target).slot_table()
        lattice = lattice_of(game)
        needed = ceil((target - lattice.low(game.all_free)) / lattice.unit)
        self.tables = ChanceTables(
            max(-1, min(needed, lattice.width(game.all_free) + 1)),
            table.floats(),
            table.offsets,
            table.widths,
            slots,
            slot_starts,
            table.moves.shifts,
        )
        super().__init__(game, sum(part.nbytes for part in self.tables[1:]))
        self._shifts: list[list[int]] = table.moves.shifts.T.tolist()
        self.optimal = self.value(game.all_free, 0)

    def _decide(self, free: int, units: int, place: int) -> Decision:
        tables, shifts = self.tables, self._shifts[place]
        values = [nan] * self.game.size
        for slot in slots_of(free):
            values[slot - 1] = self.value(free ^ 1 << slot - 1, units + shifts[slot - 1])
        most = max(values[slot - 1] for slot in slots_of(free))
        best = tables.slots.item(tables.slot_starts.item(free) + units, place)
        return Decision(best, most - self.value(free, units), tuple([most - value for value in values]))

    def value(self, free: int, units: int) -> float:
        needed = self.tables.needed - units
        if needed <= 0:
            return 1.0
        if needed > self.tables.widths.item(free):
            return 0.0
        return float(self.tables.V.item(self.tables.starts.item(free) + needed))


def fits_table(game: Game) -> bool:
    """Whether all decisions of a game by the mean fit into a small table."""
    return game.size < 24 and len(game.dice.support) * (game.size + 2) * 8 << game.size <= MAX_TABLE_BYTES


def decisions_of(game: Game, target: Number | None) -> Decisions:
    if target is None:
        return table_cache.get(("decisions by the mean", game), lambda: MeanDecisions(game))
    return table_cache.get(("decisions by a chance", game, target), lambda: ChanceDecisions(game, target))


def _mean_tables(game: Game, rows: tuple[ExactRow, ...]) -> MeanTables:
    support, n = game.dice.support, game.size
    shape = (n + 1, len(support), n)
    gaps, changes, goals = np.zeros(shape), np.zeros(shape), np.zeros(shape[:2], dtype=np.int64)
    expected = np.zeros((n + 1, n))
    for k in range(1, n + 1):
        here, total = rows[k - 1], game.dice.total
        below = rows[k - 2].numerators if k > 1 else ()
        unit = here.denominator // total  # of the row below
        expected[k, :k] = here.floats()
        for place, roll in enumerate(support):
            x = roll * unit
            goal = bisect_left(below, x)
            clamped = [*below[:goal], x, *below[goal:]]
            goals[k, place] = goal
            gaps[k, place, : k - 1] = [abs(x - threshold) / unit for threshold in below]
            changes[k, place, :k] = [
                (total * value - mean) / here.denominator for value, mean in zip(clamped, here.numerators, strict=True)
            ]
    multipliers = game.multipliers
    between = np.array([[float(high - low) for high in multipliers] for low in multipliers])
    base_lucks = np.array([float(multipliers[0] * (roll - game.dice.mean)) for roll in support])
    floats = np.array([float(multiplier) for multiplier in multipliers])
    return MeanTables(gaps, changes, goals, expected, between, base_lucks, floats)


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
