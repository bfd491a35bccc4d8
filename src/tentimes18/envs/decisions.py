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
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property, lru_cache
from math import ceil, nan
from typing import Any, NamedTuple, Self

import numpy as np

from tentimes18.coach import losses
from tentimes18.envs.step_kernels import ChanceTables, DecisionTables, MeanTables
from tentimes18.game import Game, Number, slots_of
from tentimes18.limits import check_size
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.thresholds import ExactRow, exact_thresholds, value_of
from tentimes18.strategies.solved import chances
from tentimes18.tables import table_cache

MAX_TABLE_BYTES = 8 << 20  # a table of all decisions beyond this fits in no processor cache
MAX_CACHED = 1 << 16  # decisions
CACHED_BYTES = 500  # per decision


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
