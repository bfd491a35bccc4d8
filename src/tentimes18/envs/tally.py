"""What is counted while an agent is judged: returns and regrets by episode, classes, and the costliest decisions."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.coach.losses import CLASSES, ROUNDING, Unit
from tentimes18.envs.evaluation import CostlyDecision, Estimate, Evaluation
from tentimes18.kernels.types import Bools, Floats, Ints

__all__ = ["COSTLIEST", "TakenDecisions", "Tally"]

COSTLIEST: Final = 10


class TakenDecisions(NamedTuple):
    """Decisions as they were made, a row each: in which episode, what was allowed, what was chosen, what it cost.

    ``scores`` are 0 where they do not matter.
    """

    episodes: Ints
    masks: NDArray[np.int8]
    rolls: Floats
    scores: Floats
    actions: Ints
    best: Ints
    regrets: Floats
    illegal: Bools


class Tally:
    """Counts decisions and returns of so many episodes, in any order; ``unit`` is what regrets are counted in.

    >>> tally = Tally(2, Unit.points, largest=36.0)
    >>> masks, rolls, scores = np.ones((2, 3), dtype=np.int8), np.full(2, 3.0), np.zeros(2)
    >>> regrets, best, is_illegal = np.array([0.0, 3.5]), np.zeros(2, dtype=int), np.zeros(2, dtype=np.bool_)
    >>> tally.add(TakenDecisions(np.arange(2), masks, rolls, scores, np.array([0, 2]), best, regrets, is_illegal))
    >>> tally.classes
    {'best': 1, 'fine': 0, 'good': 0, 'inaccuracy': 0, 'mistake': 1, 'blunder': 0}
    """

    def __init__(self, episodes: int, unit: Unit, largest: float) -> None:
        self.returns, self.regrets = np.zeros(episodes), np.zeros(episodes)
        self._lengths = np.zeros(episodes, dtype=np.int64)
        rounding = ROUNDING * max(1.0, largest)
        self._bounds = [float(found.least) / unit.value - rounding for found in CLASSES[2:]]
        self._counts = np.zeros(len(CLASSES), dtype=np.int64)
        self._illegal = 0
        self._has_scores = unit is not Unit.points  # by points the score does not matter
        self._costly: dict[tuple[Any, ...], int] = {}

    @property
    def classes(self) -> dict[str, int]:
        """How many legal actions were of which class."""
        return {found.name: count for found, count in zip(CLASSES, self._counts.tolist(), strict=True)}

    def add(self, made: TakenDecisions) -> None:
        """Count these, of any episodes; those of one are in their order."""
        np.add.at(self.regrets, made.episodes, made.regrets)
        np.add.at(self._lengths, made.episodes, 1)
        losses = made.regrets[~made.illegal]
        places = np.where(losses == 0, 0, 1 + np.searchsorted(self._bounds, losses, side="right"))
        self._counts += np.bincount(places, minlength=len(CLASSES))
        self._illegal += int(made.illegal.sum())
        self._add_costly(made)

    def _add_costly(self, made: TakenDecisions) -> None:
        """Equal decisions have equal regrets: those with the largest regrets of all are among the largest here."""
        levels = np.unique(made.regrets[made.regrets > 0])
        if not levels.size:
            return
        rows = np.flatnonzero(made.regrets >= levels[-COSTLIEST:][0])
        columns = [made.rolls, made.scores, made.actions, made.best, made.regrets]
        table = np.column_stack([*(column[rows] for column in columns), made.masks[rows]])
        different, counts = np.unique(table, axis=0, return_counts=True)
        for row, count in zip(different.tolist(), counts.tolist(), strict=True):
            self._costly[tuple(row)] = self._costly.get(tuple(row), 0) + count
        self._costly = dict(sorted(self._costly.items(), key=lambda found: (-found[0][4], found[0]))[:COSTLIEST])

    def costliest(self) -> tuple[CostlyDecision, ...]:
        """The decisions that gave up most, each once."""
        return tuple(
            CostlyDecision(
                tuple(action for action, is_free in enumerate(mask) if is_free),
                roll,
                int(chosen),
                int(best),
                regret,
                times,
                score if self._has_scores else None,
            )
            for (roll, score, chosen, best, regret, *mask), times in self._costly.items()
        )

    def found(self, agent: str, environment: dict[str, str], seed: int, optimal: float) -> Evaluation:
        """What it comes to."""
        moves, total = int(self._lengths.sum()), float(self.regrets.sum())
        varied, noisy = float(self.regrets.var(ddof=1)), float(self.returns.var(ddof=1))
        rate = total / moves
        return Evaluation(
            agent=agent,
            environment=environment,
            episodes=len(self.returns),
            seed=seed,
            optimal_value=optimal,
            gap_from_returns=_estimate(optimal - self.returns),
            gap_from_regrets=_estimate(self.regrets),
            variance_ratio=noisy / varied if varied else None,
            moves=moves,
            regret_a_move=Estimate(rate, _estimate(self.regrets - rate * self._lengths)[1] * len(self.returns) / moves),
            classes=self.classes,
            illegal=self._illegal,
            costliest=self.costliest(),
            returns=self.returns,
            regrets=self.regrets,
        )


def _estimate(values: Floats) -> Estimate:
    return Estimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))
