"""Values that are seen k rounds ahead: a row for every window of values that are known.

With w = (x_1, ..., x_m) the values that are known, of which x_1 is to be placed, and F(w) the row after it,

    M(w) = the n largest of F(w) and x_1,   F(w) = f E[M(x_2, ..., x_m, Z)],

Z being the value that comes into sight, if there is one. This is a Markov chain whose regimes are the windows, s^(k+1)
of them for a law with s values: the law must be finite. Where k reaches the end from the beginning, this is hindsight.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from tentimes18.assignment.courses.course import Course, Real
from tentimes18.assignment.courses.exact_rounds import ExactRounds
from tentimes18.assignment.courses.rounds import FloatRounds, RoundsPlan
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.errors import Ten18Error, quoted
from tentimes18.plan import Plan, admit

__all__ = ["WindowCourse"]


class WindowCourse(Course):
    """One finite law; all rounds have the same factor."""

    def __init__(self, plan: RoundsPlan, ahead: int, exact: bool) -> None:
        self._plan, self._ahead, self.is_exact = plan, ahead, exact
        N, n = plan.size, plan.n
        self._values, chances = _atoms(plan.laws[0], exact)
        s = len(self._values)
        windows = float(s) ** min(ahead + 1, N)
        seconds, memory = (3e-6, 400.0) if exact else (2e-8, 16.0)
        cost = Plan("the rows of all windows", seconds=seconds * windows * n * N, memory=memory * windows * n * N)
        admit(cost, instead="fewer rounds ahead take less", field="ahead")
        kind: Any = object if exact else np.float64
        self._x = np.array(self._values, dtype=kind)
        zero: Any = -inf if plan.must_fill else Fraction(0) if exact else 0.0
        M = np.full(n, zero, dtype=kind)
        self._after: list[Any] = []
        for j in range(N):
            length = min(j + 1, ahead + 1)  # values known, that to be placed among them
            F = M
            if j > ahead:  # the last value of the window behind is not yet in sight
                F = sum(chance * M[..., z, :] for z, chance in enumerate(chances))
            F = F * (plan.factors[N - 1 - j] if j else 1)
            F = np.broadcast_to(F, (*((s,) * (length - 1)), n))
            self._after.append(F)
            x = self._x.reshape((s,) + (1,) * length)
            before = np.concatenate([np.full((*F.shape[:-1], 1), inf, dtype=kind), F[..., :-1]], axis=-1)
            M = np.maximum(np.minimum(x, before[None]), F[None])
        for _ in range(M.ndim - 1):
            M = sum(chance * M[z] for z, chance in enumerate(chances))
        self._begin = M
        self.error = 0.0 if exact else N * 2.0**-50 * max(1.0, s) * float(np.abs(self._x).max())

    def begin(self) -> list[Real]:
        """The row before anything is seen."""
        return list(self._begin)

    def row(self, left: Any, known: Any = None) -> list[Real]:
        """The row after an arrival, when these values are known to come next."""
        j = self._plan.verify_left(left)
        length = min(j, self._ahead)
        values = list(known) if isinstance(known, Sequence) else None
        if values is None or len(values) != length:
            raise Ten18Error(f"accepted: the {length} values that are seen ahead", "known", quoted(known))
        places = []
        for value in values:
            if value not in self._values:
                raise Ten18Error("the law has no such value", "known", quoted(value))
            places.append(self._values.index(value))
        return list(self._after[j][tuple(places)])

    def hindsight(self) -> Sequence[Real]:
        """The k-th largest values on average."""
        return (ExactRounds if self.is_exact else FloatRounds)(self._plan).hindsight()


def _atoms(law: ValueLaw, exact: bool) -> tuple[list[Any], list[Any]]:
    if exact:
        pairs = law.exact_atoms()
        return [value for value, _ in pairs], [chance for _, chance in pairs]
    if isinstance(law, FiniteLaw):
        return law.values.tolist(), law.chances.tolist()
    if not law.is_exact:
        raise Ten18Error("values can be seen ahead of a finite law only; give samples of it", "law", str(law))
    return [float(value) for value, _ in law.exact_atoms()], [float(chance) for _, chance in law.exact_atoms()]
