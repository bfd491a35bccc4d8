"""What an agent was found to be: its gap to the best play, its moves by class, its costliest decisions; as text too."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from tentimes18.coach.losses import CLASSES
from tentimes18.kernels.types import Floats

__all__ = ["CostlyDecision", "Estimate", "Evaluation"]

SHOWN: Final = 5  # costly decisions in a text
DIGITS: Final = 3


class Estimate(NamedTuple):
    """A mean over episodes, and its standard error."""

    value: float
    standard_error: float


class CostlyDecision(NamedTuple):
    """A decision that gave up much, and how often it was made so.

    ``free`` are the actions that were allowed, ``roll`` what was to be placed; ``score`` are the points made before,
    where the aim depends on them.
    """

    free: tuple[int, ...]
    roll: float
    chosen: int
    best: int
    regret: float
    times: int
    score: float | None = None


@dataclass(frozen=True)
class Evaluation:
    """What some episodes tell of an agent; ``print`` shows it, ``to_dict`` makes JSON of it.

    The gap is what the best play has more, on average. From regrets it is the same number with far less noise, since
    the luck of the rolls is not in them: ``variance_ratio`` says by how many times the variance of returns is larger,
    so by how many times more episodes returns need for the same error; none where all regrets are equal.

    ``classes`` counts the legal actions, with the bounds of the coach; ``illegal`` the others, each of which ended its
    episode. ``returns`` and ``regrets`` are those of every episode.
    """

    agent: str
    environment: dict[str, str]
    episodes: int
    seed: int
    optimal_value: float
    gap_from_returns: Estimate
    gap_from_regrets: Estimate
    variance_ratio: float | None
    moves: int
    regret_a_move: Estimate
    classes: dict[str, int]
    illegal: int
    costliest: tuple[CostlyDecision, ...]
    returns: Floats = field(repr=False, compare=False)
    regrets: Floats = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """All of it but the single episodes, ready for JSON."""
        return {
            "agent": self.agent,
            "environment": dict(self.environment),
            "episodes": self.episodes,
            "seed": self.seed,
            "optimal_value": self.optimal_value,
            "gap_from_returns": self.gap_from_returns._asdict(),
            "gap_from_regrets": self.gap_from_regrets._asdict(),
            "variance_ratio": self.variance_ratio,
            "moves": self.moves,
            "regret_a_move": self.regret_a_move._asdict(),
            "classes": dict(self.classes),
            "illegal": self.illegal,
            "costliest": [decision._asdict() | {"free": list(decision.free)} for decision in self.costliest],
        }

    def __str__(self) -> str:
        where = ", ".join(f"{name} {told}" for name, told in self.environment.items())
        digits = _digits(self.gap_from_regrets.standard_error or self.gap_from_returns.standard_error)
        gaps = [("", "gap", "standard error")]
        for name, (gap, error) in (("from returns", self.gap_from_returns), ("from regrets", self.gap_from_regrets)):
            gaps.append((name, f"{gap:z.{digits}f}", f"{error:.{digits}f}"))
        lines = [
            f"{self.agent}: {self.episodes:,} episodes, {where}, seed {self.seed}",
            "",
            *_columns(gaps),
            "",
            self._told(digits),
            "",
            *_columns(self._class_rows()),
        ]
        if self.costliest:
            lines += ["", "costliest decisions", *_columns(self._decision_rows(digits))]
        return "\n".join(lines)

    def _told(self, digits: int) -> str:
        told = f"The best play makes {self.optimal_value:.{digits}f}; a move gives up {self.regret_a_move.value:.3g}."
        if self.variance_ratio is not None:
            told += f" Returns vary {_rounded(self.variance_ratio)} times as much as regrets."
        return told

    def _class_rows(self) -> list[tuple[str, str, str]]:
        marks = {found.name: f"{found.name} {found.mark}".strip() for found in CLASSES}
        rows = [(marks[name], count) for name, count in self.classes.items()] + [("illegal", self.illegal)]
        return [(name, f"{count:,}", f"{count / self.moves:.2%}") for name, count in rows]

    def _decision_rows(self, digits: int) -> list[tuple[str, ...]]:
        shown = self.costliest[:SHOWN]
        has_score = any(decision.score is not None for decision in shown)
        head = ("free", *(("score",) if has_score else ()), "roll", "action", "best", "regret", "times")
        rows: list[tuple[str, ...]] = [head]
        for decision in shown:
            score = () if decision.score is None else (f"{decision.score:g}",)
            rest = (f"{decision.roll:g}", str(decision.chosen), str(decision.best))
            regret = f"{decision.regret:.{min(digits, DIGITS)}f}"
            rows.append((_ranges(decision.free), *score, *rest, regret, f"{decision.times:,}"))
        return rows


def _digits(error: float) -> int:
    """Digits after the point that an error leaves of a number: two of its own.

    >>> _digits(0.0123), _digits(3.2), _digits(0.0)
    (3, 2, 3)
    """
    digits = 2
    while 0 < error < 10.0 ** (1 - digits) and digits < 9:
        digits += 1
    return digits if error else DIGITS


def _rounded(number: float) -> str:
    """Two digits that mean something.

    >>> _rounded(1234.5), _rounded(12.3), _rounded(3.21)
    ('1,200', '12', '3.2')
    """
    return f"{float(f'{number:.2g}'):,.0f}" if number >= 9.95 else f"{number:.1f}"


def _ranges(actions: Sequence[int]) -> str:
    """Increasing numbers, runs of them as ranges.

    >>> _ranges((0, 1, 2, 4, 6, 7)), _ranges(())
    ('0-2 4 6-7', 'none')
    """
    runs: list[list[int]] = []
    for action in actions:
        if runs and action == runs[-1][-1] + 1:
            runs[-1].append(action)
        else:
            runs.append([action])
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs) or "none"


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The first column to the left, all others to the right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(
            f"{cell:<{wide}}" if not place else f"{cell:>{wide}}"
            for place, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
