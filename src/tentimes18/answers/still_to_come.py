"""What may still be to come at an arrival, and be known of it: for the rows of an answer, and for one decision."""

from collections.abc import Sequence
from math import isfinite
from typing import Any, Final, TypeAlias

from tentimes18.assignment import Endless, Poisson, Problem, RandomNumber
from tentimes18.errors import Ten18Error
from tentimes18.game import Number

__all__ = ["MOST_NUMBERS", "Left", "known_of", "left_of", "lefts_of", "lefts_shown"]

MOST_NUMBERS: Final = 100_000  # of bounds in an answer: beyond, only some rows
TIMES: Final = 100  # rows until a deadline
SHOWN: Final = 12  # rows that a person reads

Left: TypeAlias = int | float | None
"""Arrivals or batches after this one, or the time until the deadline; none where there is no end."""


def lefts_of(problem: Problem) -> list[Left]:
    """What may still be to come at an arrival, from the first one on; of very many rows, some.

    >>> from tentimes18.assignment import UniformLaw
    >>> lefts_of(Problem(UniformLaw(0, 1), 1, 4)), lefts_of(Problem(UniformLaw(0, 1), 1, Endless(), discount=0.9))
    ([3, 2, 1, 0], [None])
    """
    arrivals = problem.arrivals
    if isinstance(arrivals, Endless):
        return [None]
    if isinstance(arrivals, Poisson):
        return [float(arrivals.until) * (TIMES - step) / TIMES for step in range(TIMES)]
    rounds = arrivals.most if isinstance(arrivals, RandomNumber) else arrivals
    if problem.batches is not None:
        rounds = len(problem.batches)
    bounds = len(problem.multipliers) * (1 if problem.regimes is None else problem.regimes.size)
    if rounds * bounds <= MOST_NUMBERS:
        return list(range(rounds - 1, -1, -1))
    return _some(rounds)[: max(1, 10 * MOST_NUMBERS // bounds)]


def lefts_shown(lefts: Sequence[Left]) -> list[Left]:
    """Of these, as many as a person reads.

    >>> lefts_shown(range(39, -1, -1)), lefts_shown([2, 1, 0])
    ([39, 20, 10, 5, 4, 3, 2, 1, 0], [2, 1, 0])
    """
    if len(lefts) <= SHOWN:
        return list(lefts)
    if all(isinstance(left, int) for left in lefts):
        return _some(len(lefts))
    return [lefts[step * len(lefts) // 10] for step in range(10)]


def _some(rounds: int) -> list[Left]:
    """The first arrival, the last ones, and round numbers between them."""
    series = [first * 10**power for power in range(len(str(rounds))) for first in (1, 2, 5)]
    found = {rounds - 1, *range(min(6, rounds)), *(left for left in series if left < rounds - 1)}
    return sorted(found, reverse=True)


def left_of(problem: Problem, left: Left) -> Left:
    """What is still to come; without a word, all that may be after the first arrival.

    >>> from tentimes18.assignment import UniformLaw
    >>> left_of(Problem(UniformLaw(0, 1), 1, 4), None), left_of(Problem(UniformLaw(0, 1), 1, 4), 2.0)
    (3, 2)
    """
    arrivals = problem.arrivals
    if left is None:
        return lefts_of(problem)[0]
    if not isfinite(left):
        raise Ten18Error("must be a number", "left", left)
    if isinstance(arrivals, Endless):
        raise Ten18Error("there is no end to endless arrivals: it is never nearer", "left", left)
    if isinstance(arrivals, Poisson):
        return float(left)
    if left != int(left):
        what = "arrivals" if problem.batches is None else "batches"
        raise Ten18Error(f"must be a whole number of {what}", "left", left)
    return int(left)


def known_of(problem: Problem, known: Sequence[Number] | None, *, exact: bool) -> Any:
    """What is known of the time to come, as a plan takes it: a regime, or the values that are seen ahead.

    >>> from tentimes18.assignment import Regimes
    >>> chain = Problem([[1, 2], [3, 4]], 1, 5, regimes=Regimes([[0.5, 0.5], [0, 1]]))
    >>> known_of(chain, [1], exact=False), known_of(Problem([1, 2], 1, 5, ahead=2), [1, 2], exact=False)
    (1, (1.0, 2.0))
    """
    if problem.regimes is not None:
        return problem.regimes.verify(known[0] if known is not None and len(known) == 1 else known)
    if problem.ahead:
        return tuple(value if exact else float(value) for value in known or ())
    if known is not None:
        raise Ten18Error("nothing of the time to come is known here; it goes with regimes or ahead", "known")
    return None
