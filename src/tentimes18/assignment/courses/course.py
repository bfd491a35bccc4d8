"""The course of arrivals: what is still to come, and what the slots can expect of it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from tentimes18.errors import Ten18Error, quoted
from tentimes18.kernels.types import Floats

__all__ = ["Course", "Drawn", "Real"]

Real: TypeAlias = float | Fraction


class Drawn(NamedTuple):
    """Some games: the values [round, game], -∞ where none comes; the bounds [round, k], and what values count there."""

    values: Floats
    rows: Floats
    worths: Floats


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

    def draw(self, seed: int, first: int, games: int) -> list[Drawn]:  # noqa: ARG002
        """The values of some games and the bounds that they meet, in parts that follow each other."""
        raise Ten18Error(f"{self._name} has no simulation here", "arrivals")

    @staticmethod
    def verify_nothing_known(known: object) -> None:
        """Raise an error where something is said to be known."""
        if known is not None:
            raise Ten18Error("nothing of the time to come is known here; accepted: none", "known", quoted(known))

    @property
    def _name(self) -> str:
        return "this course of arrivals"
