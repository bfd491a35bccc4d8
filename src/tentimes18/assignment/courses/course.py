"""The course of arrivals: what is still to come, and what the slots can expect of it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from tentimes18.errors import Ten18Error, quoted
from tentimes18.kernels.types import Floats

__all__ = ["Course", "Real"]

Real: TypeAlias = float | Fraction


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
    def hindsight(self) -> Sequence[Real]:
        """What the slots get by someone who knows all values."""

    def lefts(self) -> Sequence[Any]:
        """What may still be to come, from the end on: the rows of a table."""
        raise Ten18Error(f"{self._name} has no last arrival; say which rows", "lefts")

    def fates(self, groups: Sequence[int]) -> Sequence[Sequence[Real]]:  # noqa: ARG002
        """The chances [arrival, k] that the value of an arrival goes to the k-th best slot."""
        raise Ten18Error(f"{self._name} has no law of who goes where here; simulate it", "arrivals")

    @property
    def length(self) -> int:
        """How many values a simulated game has, at most."""
        raise Ten18Error(f"{self._name} has no simulation here", "arrivals")

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:  # noqa: ARG002
        """Add what games are worth, from number ``first`` on; the multipliers are those of the best slots first."""
        raise Ten18Error(f"{self._name} has no simulation here", "arrivals")

    @staticmethod
    def verify_nothing_known(known: object) -> None:
        """Raise an error where something is said to be known."""
        if known is not None:
            raise Ten18Error("nothing of the time to come is known here; accepted: none", "known", quoted(known))

    @property
    def _name(self) -> str:
        return "this course of arrivals"
