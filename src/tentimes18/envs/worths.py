"""What the decisions of an environment are worth: what every action gives up, the best one, and the luck of a roll.

They are the loss and the luck of the coach (`coach.review`), in float64 and fast enough for learning (in Fractions:
`envs.exact_worths`). By the mean, with
k free slots f_1 < f_2 < ... and E_k the row of k thresholds (`solve.thresholds`), a roll x belongs to the rank that has
g = #{t : E_{k-1}[t] < x} others below it, and

    loss of a rank = Σ (λ_{f_{t+1}} - λ_{f_t}) |x - E_{k-1}[t]|   over the ranks t between it and g,
    luck           = Σ λ_{f_t} (c_t - E_k[t]),   c = E_{k-1} with x put in at its place.

That needs no table over sets of slots: games on hundreds of slots are as good as small ones. How they are rounded:

- By the mean, where all decisions of a game are few enough for a table (`has_decisions`), both sums are taken in
  integers and rounded once: losses and lucks are the float64 nearest to the exact ones.
- In larger games, each |x - E| and each difference of multipliers is rounded, and products of these are summed up. No
  term is below 0, so a loss on n slots is within a share of (n + 2) 2^-53 of the exact one, and 0 where that is 0.
- By the chance of a target, losses and luck are differences of the chances in `solve.objectives.chances`, which are
  within 2^-51 each where the table is exact: a loss is within 2^-49, and 0 where it is 0.

A decision is made for the units of `solve.lattice` that the board has; by the mean they do not matter.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from itertools import pairwise
from math import ceil, lcm, nan
from typing import Any, Final, NamedTuple, Self

import numpy as np

from tentimes18.game import Game, Number, slots_of
from tentimes18.kernels.environment import ChanceTables, MeanTables
from tentimes18.plan import Plan, admit_game
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.thresholds import ExactRow, exact_plan, exact_thresholds
from tentimes18.solve.values import value_of
from tentimes18.storage.cache import solved
from tentimes18.strategies.solved import chances

__all__ = ["LARGEST", "ChanceWorths", "Decision", "MeanWorths", "Worths", "has_decisions", "worths_of", "worths_plan"]

LARGEST: Final = 8 << 20
"""Bytes of the tables of all decisions: what is beyond stays in no cache of a processor, and is summed up each time."""

MOST_KEPT: Final = 1 << 16  # decisions that are remembered
BYTES_KEPT: Final = 500  # each
SECONDS_A_DIFFERENCE: Final = 3e-7  # of a threshold and a roll, as exact numbers
SECONDS_A_STEP: Final = 2e-7  # from one multiplier to another


class Decision(NamedTuple):
    """The best action, the luck of the roll, and the loss of each action; none (nan) where it is not allowed."""

    best: int
    luck: float
    losses: tuple[float, ...]


class Worths(ABC):
    """What decisions in a game are worth by an aim; made once for all environments of that game."""

    game: Game
    optimal: float
    """What the best play makes of the whole game, on average."""
    tables: Any
    """For kernels."""

    def __init__(self, game: Game, scores: int) -> None:
        self.game = game
        self._scores = scores  # which decisions depend on
        self._kept: dict[int, Decision] = {}

    @property
    def nbytes(self) -> int:
        """The memory of its tables, and of the decisions that it remembers."""
        return sum(part.nbytes for part in self.tables if isinstance(part, np.ndarray)) + BYTES_KEPT * MOST_KEPT

    def decision(self, free: int, made: int, place: int) -> Decision:
        """With these slots free and so many units made, for the roll at this place of the support."""
        key = (free * self._scores + made % self._scores) * len(self.game.dice.support) + place
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = found = self._decided(free, made, place)
        return found

    @abstractmethod
    def _decided(self, free: int, made: int, place: int) -> Decision:
        """A decision that is not remembered."""

    @abstractmethod
    def worth(self, free: int, made: int) -> float:
        """What the best play still makes of a position, on average, before a roll."""

    @abstractmethod
    def illegal_reward(self, free: int) -> float:
        """The reward of an action that is not allowed, with these slots free: no game that goes on can bring less."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # nothing in it changes: copies of an environment share it

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_kept": {}}  # what is remembered can be found again


class MeanWorths(Worths):
    """By the expected points.

    >>> worths = worths_of(Game.parse("1d6", "1,2"), None)
    >>> worths.optimal, worths.decision(3, 0, 4)
    (11.25, Decision(best=1, luck=2.25, losses=(1.5, 0.0)))
    """

    tables: MeanTables

    def __init__(self, game: Game) -> None:
        admit_game(game, worths_plan)
        super().__init__(game, scores=1)
        self.rows: tuple[ExactRow, ...] = exact_thresholds(game.dice, game.size)
        self.tables = _mean_tables(game, self.rows)
        self.denominator = lcm(*(multiplier.denominator for multiplier in game.multipliers))
        self.parts = [int(multiplier * self.denominator) for multiplier in game.multipliers]
        self.optimal = float(value_of(game, game.all_free))
        self._decide = self._nearest if has_decisions(game) else self._summed
        self._lows = [float(low) for low in lattice_of(game).lows]

    def _decided(self, free: int, made: int, place: int) -> Decision:  # noqa: ARG002 (points made do not matter)
        """See `Worths`."""
        return self._decide([slot - 1 for slot in slots_of(free)], place)

    def _nearest(self, free: list[int], place: int) -> Decision:
        """Sums in integers: of thresholds over the denominator of their row, of multipliers over theirs."""
        k, here = len(free), self.rows[len(free) - 1]
        unit, total = here.denominator // self.game.dice.total, self.game.dice.total
        below = self.rows[k - 2].numerators if k > 1 else ()
        x = self.game.dice.support[place] * unit
        goal = bisect_left(below, x)
        parts = [self.parts[slot] for slot in free]
        steps = [(high - low) * abs(x - value) for (low, high), value in zip(pairwise(parts), below, strict=True)]
        losses = [nan] * self.game.size
        losses[free[goal]] = 0.0
        for t in range(k):
            if t != goal:
                losses[free[t]] = sum(steps[min(t, goal) : max(t, goal)]) / (self.denominator * unit)
        clamped = (*below[:goal], x, *below[goal:])
        changes = zip(parts, clamped, here.numerators, strict=True)
        luck = sum(part * (total * value - mean) for part, value, mean in changes)
        while goal and parts[goal - 1] == parts[goal]:
            goal -= 1
        return Decision(free[goal], luck / (self.denominator * here.denominator), tuple(losses))

    def _summed(self, free: list[int], place: int) -> Decision:
        tables, k = self.tables, len(free)
        goal = int(tables.goals[k, place])
        gaps, changes = tables.gaps[k, place].tolist(), tables.changes[k, place].tolist()
        losses = [nan] * self.game.size
        losses[free[goal]] = loss = 0.0
        for t in range(goal, k - 1):
            loss += tables.between[free[t], free[t + 1]].item() * gaps[t]
            losses[free[t + 1]] = loss
        loss = 0.0
        for t in range(goal - 1, -1, -1):
            loss += tables.between[free[t], free[t + 1]].item() * gaps[t]
            losses[free[t]] = loss
        luck = tables.base_lucks[place].item()
        for t in range(k):
            luck += tables.between[0, free[t]].item() * changes[t]
        while goal and not tables.between[free[goal - 1], free[goal]]:
            goal -= 1
        return Decision(free[goal], luck, tuple(losses))

    def worth(self, free: int, made: int) -> float:  # noqa: ARG002 (points made do not matter)
        """See `Worths`."""
        multipliers, expected = self.tables.multipliers, self.tables.expected[free.bit_count()]
        worth = 0.0
        for t, slot in enumerate(slots_of(free)):
            worth += float(multipliers[slot - 1]) * float(expected[t])
        return worth

    def illegal_reward(self, free: int) -> float:
        """Nothing; where points can be lost, the least that the free slots could get."""
        return min(0.0, sum(self._lows[slot - 1] for slot in slots_of(free)))


class ChanceWorths(Worths):
    """By the chance of a final score of ``target`` or more.

    >>> worths = worths_of(Game.parse("1d2", "1,2"), 5)
    >>> worths.optimal, worths.decision(3, 0, 1)
    (0.75, Decision(best=1, luck=0.25, losses=(0.5, 0.0)))
    """

    tables: ChanceTables

    def __init__(self, game: Game, target: Number) -> None:
        table = chances(game)
        slot_starts, slots = table.best_play(target).slot_table()
        lattice = lattice_of(game)
        needed = ceil((target - lattice.low(game.all_free)) / lattice.unit)
        super().__init__(game, scores=lattice.width(game.all_free) + 1)
        self.tables = ChanceTables(
            max(-1, min(needed, lattice.width(game.all_free) + 1)),
            table.floats(),
            table.offsets,
            table.widths,
            slots,
            slot_starts,
            table.moves.shifts,
        )
        self._shifts: list[list[int]] = table.moves.shifts.T.tolist()
        self.optimal = self.worth(game.all_free, 0)

    def _decided(self, free: int, made: int, place: int) -> Decision:
        """See `Worths`."""
        tables, needed, shifts = self.tables, self.tables.needed - made, self._shifts[place]
        after, most = [nan] * self.game.size, 0.0
        for slot in slots_of(free):
            j, rest = needed - shifts[slot - 1], free ^ 1 << slot - 1
            worth = 1.0
            if j > 0:  # as in `worth`, which would be asked for each of them
                worth = tables.V.item(tables.starts.item(rest) + j) if j <= tables.widths.item(rest) else 0.0
            after[slot - 1] = worth
            most = max(most, worth)
        best = tables.slots.item(tables.slot_starts.item(free) + made, place)
        return Decision(best, most - self.worth(free, made), tuple([most - worth for worth in after]))

    def worth(self, free: int, made: int) -> float:
        """See `Worths`."""
        j = self.tables.needed - made
        if j <= 0:
            return 1.0
        return self.tables.V[self.tables.starts[free] + j].item() if j <= self.tables.widths[free] else 0.0

    def illegal_reward(self, free: int) -> float:  # noqa: ARG002 (the same everywhere)
        """Nothing: the target is not reached."""
        return 0.0


def has_decisions(game: Game) -> bool:
    """Whether all decisions of a game by the mean are few enough for a table.

    >>> has_decisions(Game.parse("3d6", "1-12")), has_decisions(Game.parse("3d6", "1-13"))
    (True, False)
    """
    return game.size < 24 and len(game.dice.support) * (game.size + 2) * 8 << game.size <= LARGEST


def worths_of(game: Game, target: Number | None) -> Worths:
    """What decisions are worth by the mean, or by the chance of a target."""
    if target is None:
        return solved.get(("decisions by the mean", game), lambda: MeanWorths(game))
    return solved.get(("decisions by a chance", game, target), lambda: ChanceWorths(game, target))


def worths_plan(game: Game) -> Plan:
    """What the tables by the mean take."""
    n, s = float(game.size), float(len(game.dice.support))
    rows = exact_plan(game.dice, game.size)
    seconds = rows.seconds + SECONDS_A_DIFFERENCE * n * n * s + SECONDS_A_STEP * n * n
    memory = rows.memory + 16 * n * n * s + 8 * n * n + BYTES_KEPT * MOST_KEPT
    return Plan(f"what every decision on {game.size:,} slots is worth", seconds, memory)


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
