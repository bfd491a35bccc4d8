"""The course of arrivals: what is still to come, and what the slots can expect of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from tentimes18.errors import Ten18Error
from tentimes18.kernels.types import Floats

__all__ = ["Course", "HindsightRow", "Real"]

Real: TypeAlias = float | Fraction


class HindsightRow(NamedTuple):
    """What the slots get by someone who knows all values, the best slot first, and a bound of the error of each."""

    row: Sequence[Real]
    error: float = 0.0


class Course(ABC):
    """What n slots can expect: rows of values e_1 >= ... >= e_n, the best slot first."""

    error: float = 0.0  # a bound of the error of every e_k
    is_exact: bool = False

    @abstractmethod
    def begin(self) -> Sequence[Real]:
        """The row before the first arrival."""

    @abstractmethod
    def row(self, left: Any, known: Any = None) -> Sequence[Real]:
        """The row after an arrival, with so much still to come: these are the bounds for its value.

        ``known`` is what is known of the time to come: the regime of this arrival, or the values that are seen ahead.
        """

    @abstractmethod
    def hindsight(self) -> HindsightRow:
        """What the slots get by someone who knows all values."""

    def lefts(self) -> Sequence[Any]:
        """What may still be to come, from the end on: the rows of a table."""
        raise Ten18Error("these arrivals have no last one; say which rows", "lefts")

    def knowns(self, left: Any) -> Iterable[Any]:  # noqa: ARG002
        """What may be known of the time to come at an arrival with so much after it; where nothing is, None."""
        return (None,)

    @abstractmethod
    def fates(self, groups: Sequence[int], times: Sequence[float] | None = None) -> Sequence[Sequence[Real]]:
        """The chances [arrival, k] that the value of an arrival goes to the k-th best slot.

        Of batches: that one of its values does; in time: that a value does between two of these times.
        """

    @property
    @abstractmethod
    def length(self) -> int:
        """How many values a simulated game has, at most."""

    @abstractmethod
    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth, from number ``first`` on; the multipliers are those of the best slots first."""

    @staticmethod
    def verify_no_times(times: object) -> None:
        """Raise an error where times are given, and arrivals have none."""
        if times is not None:
            raise Ten18Error("arrivals have no times here; accepted: none", "times", times)

    @staticmethod
    def verify_nothing_known(known: object) -> None:
        """Raise an error where something is said to be known."""
        if known is not None:
            raise Ten18Error("nothing of the time to come is known here; accepted: none", "known", known)
