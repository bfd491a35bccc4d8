"""What the decisions of an environment are worth: what every action gives up, the best one, and the luck of a roll.

They are the loss and the luck of the coach (`coach.review`), in float64 and fast enough for learning. By the mean, with
k free slots f_1 < f_2 < ... and E_k the row of k thresholds (`solve.thresholds`), a roll x belongs to the rank that has
g = #{t : E_{k-1}[t] < x} others below it, and

    loss of a rank = Σ (λ_{f_{t+1}} - λ_{f_t}) |x - E_{k-1}[t]|   over the ranks t between it and g,
    luck           = Σ λ_{f_t} (c_t - E_k[t]),   c = E_{k-1} with x put in at its place.

All differences are taken between exact numbers and then rounded, so a loss is right to some units in its last place,
and 0 where it is 0. That needs no table over sets of slots: games on hundreds of slots are as good as small ones. By
the chance of a target, losses and luck are differences of the chances in `solve.objectives.chances`.

A decision is made for the units of `solve.lattice` that the board has; by the mean they do not matter.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from math import ceil, nan
from typing import Any, Final, NamedTuple, Self

import numpy as np

from tentimes18.game import Game, Number, slots_of
from tentimes18.kernels.environment import ChanceTables, MeanTables
from tentimes18.plan import Plan, admit_game
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.thresholds import exact_plan, exact_thresholds
from tentimes18.solve.values import value_of
from tentimes18.storage.cache import solved
from tentimes18.strategies.solved import chances

__all__ = ["ChanceWorths", "Decision", "MeanWorths", "Worths", "worths_of", "worths_plan"]

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

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """The memory of its tables."""

    @abstractmethod
    def decision(self, free: int, made: int, place: int) -> Decision:
        """With these slots free and so many units made, for the roll at this place of the support."""

    @abstractmethod
    def worth(self, free: int, made: int) -> float:
        """What the best play still makes of a position, on average, before a roll."""

    @abstractmethod
    def illegal_reward(self, free: int) -> float:
        """The reward of an action that is not allowed, with these slots free: no game that goes on can bring less."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # nothing in it changes: copies of an environment share it


class MeanWorths(Worths):
    """By the expected points.

    >>> worths = worths_of(Game.parse("1d6", "1,2"), None)
    >>> worths.optimal, worths.decision(3, 0, 4)
    (11.25, Decision(best=1, luck=2.25, losses=(1.5, 0.0)))
    """

    def __init__(self, game: Game) -> None:
        admit_game(game, worths_plan)
        self.game = game
        self.tables = _mean_tables(game)
        self.optimal = float(value_of(game, game.all_free))
        self._kept: dict[int, Decision] = {}
        self._lows = [float(low) for low in lattice_of(game).lows]

    @property
    def nbytes(self) -> int:
        """The memory of its tables, and of the decisions that it remembers."""
        return sum(array.nbytes for array in self.tables) + BYTES_KEPT * MOST_KEPT

    def decision(self, free: int, made: int, place: int) -> Decision:  # noqa: ARG002 (points made do not matter)
        """See `Worths`."""
        key = free * len(self.game.dice.support) + place
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = found = self._decided([slot - 1 for slot in slots_of(free)], place)
        return found

    def _decided(self, free: list[int], place: int) -> Decision:
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

    def __init__(self, game: Game, target: Number) -> None:
        table = chances(game)
        slot_starts, slots = table.best_play(target).slot_table()
        lattice = lattice_of(game)
        needed = ceil((target - lattice.low(game.all_free)) / lattice.unit)
        self.game = game
        self.tables = ChanceTables(
            max(-1, min(needed, lattice.width(game.all_free) + 1)),
            table.floats(),
            table.offsets,
            table.widths,
            slots,
            slot_starts,
            table.moves.shifts,
        )
        self.optimal = self.worth(game.all_free, 0)

    @property
    def nbytes(self) -> int:
        """The memory of its tables."""
        return sum(part.nbytes for part in self.tables if isinstance(part, np.ndarray))

    def decision(self, free: int, made: int, place: int) -> Decision:
        """See `Worths`."""
        tables = self.tables
        shifts = tables.shifts[:, place].tolist()
        after = {slot - 1: self.worth(free ^ 1 << slot - 1, made + shifts[slot - 1]) for slot in slots_of(free)}
        most = max(after.values())
        losses = tuple(most - after[action] if action in after else nan for action in range(self.game.size))
        best = tables.slots[tables.slot_starts[free] + made, place].item()
        return Decision(best, most - self.worth(free, made), losses)

    def worth(self, free: int, made: int) -> float:
        """See `Worths`."""
        j = self.tables.needed - made
        if j <= 0:
            return 1.0
        return self.tables.V[self.tables.starts[free] + j].item() if j <= self.tables.widths[free] else 0.0

    def illegal_reward(self, free: int) -> float:  # noqa: ARG002 (the same everywhere)
        """Nothing: the target is not reached."""
        return 0.0


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


def _mean_tables(game: Game) -> MeanTables:
    support, n = game.dice.support, game.size
    rows = exact_thresholds(game.dice, n)
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
