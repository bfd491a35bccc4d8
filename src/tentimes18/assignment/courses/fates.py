"""The law of who goes where, of chances in float64 or in Fractions: what it takes, and the kernels that find it.

A value goes to the free slot whose rank is one more than the number of bounds it does not exceed. So all that is to be
known of a law are its chances to exceed the bounds; the multipliers matter only by which of them are equal.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from tentimes18.assignment.courses.course import Real
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.kernels import fates as kernel
from tentimes18.kernels.types import Floats, Successors
from tentimes18.plan import Plan, admit

__all__ = ["admit_fates", "batch_fates", "chain_fates", "chance_above", "exact_above", "states_of"]

STATE_SECONDS: Final = {False: 3e-9, True: 4e-6}


def states_of(groups: Sequence[int]) -> int:
    """How many states the groups of equal slots have: free slots above, in and below each.

    >>> states_of([0, 1, 1])  # the best slot, and two that are equal
    12
    """
    n = len(groups)
    places = [(groups.index(group), groups.count(group)) for group in set(groups)]
    return sum((first + 1) * (size + 1) * (n - first - size + 1) for first, size in places)


def admit_fates(rounds: int, regimes: int, moves: int, groups: Sequence[int], exact: bool) -> None:
    """Raise ``TooLarge`` unless there is time for it: so many regimes, each with so many moves."""
    seconds = STATE_SECONDS[exact] * rounds * regimes * (1 + moves) * states_of(groups)
    memory = (400.0 if exact else 8.0) * (3.0 * rounds * regimes * len(groups) + 2.0 * regimes * states_of(groups))
    admit(Plan("the law of who goes where", seconds=seconds, memory=memory), field="arrivals")


def chance_above(law: ValueLaw, bounds: Floats) -> Floats:
    """P(X > t), where t = -∞ is always exceeded."""
    found: Floats = np.where(np.isfinite(bounds), law.above(np.maximum(bounds, -1e308)), 1.0)
    return found


def exact_above(law: ValueLaw, bound: Real) -> Fraction:
    """The same as a Fraction."""
    return Fraction(1) if bound == -np.inf else law.exact_above(Fraction(bound))


def chain_fates(above: Any, groups: Sequence[int], arrives: Any, chain: Successors | None = None) -> list[list[Real]]:
    """The chances [round, k], from above[round, regime, k] and the chances that a round follows the one before."""
    if chain is None:  # one regime
        chain = Successors(np.ones(1, above.dtype), np.zeros((1, 1), np.int64), np.ones((1, 1), above.dtype))
    out = np.zeros((above.shape[0], above.shape[2]), dtype=above.dtype)
    numbers = np.array(groups, dtype=np.int64)
    _form(kernel.chain_fates, above)(above, numbers, arrives, chain, out)
    return _listed(out)


def batch_fates(above: Any, sizes: Sequence[int], groups: Sequence[int]) -> list[list[Real]]:
    """The chances [batch, k], from above[batch, k]."""
    out = np.zeros(above.shape, dtype=above.dtype)
    numbers = np.array(groups, dtype=np.int64)
    _form(kernel.batch_fates, above)(above, np.array(sizes, dtype=np.int64), numbers, out)
    return _listed(out)


def _form(function: Any, above: Any) -> Any:
    """The kernel for floats; for Fractions the same text, as Python runs it."""
    return function.py_func if above.dtype == object else function


def _listed(out: Any) -> list[list[Real]]:
    if out.dtype == object:
        return [[Fraction(chance) for chance in row] for row in out]
    found: list[list[Real]] = out.tolist()
    return found
