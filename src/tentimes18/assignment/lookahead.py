"""Values that are seen k rounds ahead: a row for every window of values that are known.

With w = (x_1, ..., x_m) the values that are known, of which x_1 must be placed, and F(w) the row after it,

    M(w) = the n largest of F(w) and x_1,   F(w) = f E[M(x_2, ..., x_m, Z)],

Z being the value that comes into sight, if there is one. This is a Markov chain whose regimes are the windows, s^(k+1)
of them for a distribution with s values: the distribution must be finite. Where k reaches the end from the beginning,
this is hindsight.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.assignment.arrival_models import (
    EXACT_COST,
    Real,
    Rounds,
    Successors,
    chain_kernel,
    check_placements,
    placements_of,
    verify_left,
)
from tentimes18.assignment.distributions import FiniteDistribution, distribution_error
from tentimes18.assignment.rounds import RoundModel, all_free, play_rows
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size


class LookaheadModel(RoundModel):
    """One finite distribution; all rounds have the same factor."""

    def __init__(self, rounds: Rounds, ahead: int, exact: bool) -> None:
        self.rounds, self._ahead, self.is_exact = rounds, ahead, exact
        N, n = rounds.size, rounds.n
        dist = rounds.dists[0]
        if not isinstance(dist, FiniteDistribution):
            raise distribution_error(
                "values can be seen ahead of a finite distribution only; give samples of it", str(dist)
            )
        self._dist = dist
        pairs: Any = self._dist.exact_atoms() if exact else zip(self._dist.values, self._dist.chances, strict=True)
        self._values, self._chances = (list(side) for side in zip(*pairs, strict=True))
        s, chances = len(self._values), self._chances
        windows = float(s) ** min(ahead + 1, N)
        check_size(
            "the rows of all windows",
            operations=(EXACT_COST if exact else 10.0) * windows * n * N,
            bytes=(400.0 if exact else 16.0) * windows * n * N,
            field="ahead",
        )
        kind: Any = object if exact else np.float64
        self._x = np.array(self._values, dtype=kind)
        zero: Any = -inf if rounds.must_fill else Fraction(0) if exact else 0.0
        M = np.full(n, zero, dtype=kind)
        self._after: list[Any] = []
        for j in range(N):
            length = min(j + 1, ahead + 1)  # values known, that to be placed among them
            F = M
            if j > ahead:  # the last value of the window behind is not yet in sight
                F = sum(chance * M[..., z, :] for z, chance in enumerate(chances))
            F = F * (rounds.factors[N - 1 - j] if j else 1)
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
        return list(self._begin)

    def row(self, left: Any, known: Any = None) -> list[Real]:
        j = verify_left(left, self.rounds.size)
        length = min(j, self._ahead)
        values = list(known) if isinstance(known, Sequence) else None
        if values is None or len(values) != length:
            raise Ten18Error(f"accepted: the {length} values that are seen ahead", "known", known)
        places = []
        for value in values:
            if value not in self._values:
                raise Ten18Error("the distribution has no such value", "known", value)
            places.append(self._values.index(value))
        return list(self._after[j][tuple(places)])

    def knowns(self, left: Any) -> Iterator[tuple[Real, ...]]:
        return product(self._values, repeat=min(verify_left(left, self.rounds.size), self._ahead))

    @property
    def _longest(self) -> int:
        """How many values a window has besides the one that must be placed, at most."""
        return min(self._ahead, self.rounds.size - 1)

    def _bounds(self, n: int) -> Any:
        """The bounds [round, window, k]: by the values that are seen ahead, those after the end being any."""
        s, longest = len(self._values), self._longest
        found = np.empty((self.rounds.size, s**longest, n), dtype=self._x.dtype)
        for j, F in enumerate(self._after):
            length = min(j, longest)
            wide = F[..., :n].reshape((*((s,) * length), *((1,) * (longest - length)), n))
            found[self.rounds.size - 1 - j] = np.broadcast_to(wide, (*((s,) * longest), n)).reshape(s**longest, n)
        return found

    def _placements(self, groups: Sequence[int]) -> list[list[Real]]:
        N, s, n, longest = self.rounds.size, len(self._values), len(groups), self._longest
        check_placements(N, s ** (longest + 1), s, groups, exact=self.is_exact)
        # A regime is a window with the value to be placed; beyond the end values go on coming, and are never placed.
        ahead = self._bounds(n)[:, None]
        above = (self._x[None, :, None, None] > ahead).reshape(N, s ** (longest + 1), n)
        kind: Any = object if self.is_exact else np.float64
        windows = np.arange(s ** (longest + 1))
        chances = np.array(self._chances, dtype=kind)
        begin = np.ones(1, dtype=kind)
        for _ in range(longest + 1):
            begin = np.multiply.outer(begin, chances).ravel()
        targets = (windows[:, None] % s**longest) * s + np.arange(s)
        chain = Successors(begin, targets, np.tile(chances, (len(windows), 1)))
        return placements_of(chain_kernel, groups, above.astype(np.int64).astype(kind), np.ones(N, dtype=kind), chain)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        N, s, games, dist = self.rounds.size, len(self._values), len(worths), self._dist
        values = dist.drawn(seed, first, N, games)
        places = np.searchsorted(np.array([float(value) for value in self._values]), values)
        windows = np.zeros((N, games), dtype=np.int64)
        for step in range(1, self._longest + 1):
            windows *= s
            windows[: N - step] += places[step:]
        bounds = self._bounds(self.rounds.n).astype(np.float64)
        plan, free = (np.arange(N), bounds), all_free(self.rounds.n, games)
        play_rows(plan, self.rounds.floats.scales, values, windows, multipliers, free, worths)
