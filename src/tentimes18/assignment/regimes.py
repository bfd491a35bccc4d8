"""Values whose distribution depends on a regime, which is a Markov chain and is seen: a row for each regime.

With E_j(s) the row before an arrival in regime s, j being still to come, and T_j(s) = f Σ P(s, s') E_j(s') after one,

    E_{j+1}(s)[k] = T_j(s)[k] + q (g_s(T_j(s)[k]) - g_s(T_j(s)[k-1])),   g_s(T_j(s)[0]) = 0.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment.arrival_models import (
    EXACT_COST,
    Real,
    Rounds,
    Successors,
    chain_placements,
    chance_above,
    check_placements,
    exact_above,
)
from tentimes18.assignment.arrivals import Regimes
from tentimes18.assignment.distributions import fractions_of
from tentimes18.assignment.excess import ExcessTable, cell_of, excess, joined, quantiles
from tentimes18.assignment.rounds import UNIT, RoundArrays, RoundModel, exact_row, leave_out, round_arrays
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size


class RegimeModel(RoundModel):
    """What both kinds share; the rounds' laws are those of the regimes."""

    def __init__(self, rounds: Rounds, regimes: Regimes) -> None:
        super().__init__(rounds)
        self._regimes = regimes
        kind: Any = object if self.is_exact else np.float64
        self._begin = np.array(regimes.begin, dtype=kind)
        self._transitions = np.array(regimes.transitions, dtype=kind)

    def knowns(self, left: Any) -> range:  # noqa: ARG002
        """The regimes, by number."""
        return range(self._regimes.size)

    def _chain(self, above: Any, groups: Sequence[int]) -> list[list[Real]]:
        rounds, S = self._rounds, self._regimes.size
        chain = Successors(self._begin, np.tile(np.arange(S), (S, 1)), self._transitions)
        continues = rounds.exactly_continues() if self.is_exact else rounds.continues()
        return chain_placements(above, groups, continues, chain)


class FloatRegimes(RegimeModel):
    """In float64."""

    def __init__(self, rounds: Rounds, regimes: Regimes) -> None:
        super().__init__(rounds, regimes)
        N, n, S = rounds.size, rounds.n, regimes.size
        check_size("these rows", operations=20.0 * N * n * S * (1 + S / 4), bytes=16.0 * N * n * S, field="arrivals")
        self._table = joined([law.cells for law in rounds.laws])
        kept = np.empty((N + 1, S, n))
        kept[0] = -inf if rounds.must_fill else 0.0
        self._after = np.empty((N, S, n))
        bound = run_regimes(self._table, round_arrays(rounds), self._transitions, kept, self._after)
        self._last: Floats = kept[N]
        self.error = bound + float(np.abs(self._last).max()) * 2.0**-50

    def begin(self) -> list[float]:
        """The row before the first arrival."""
        return [float(self._rounds.starts) * float(e) for e in self._begin @ self._last]

    def row(self, left: Any, known: Any = None) -> list[float]:
        """The row after an arrival in this regime."""
        row: list[float] = self._after[self._rounds.verify_left(left), self._regimes.verify(known)].tolist()
        return row

    def _placements(self, groups: Sequence[int]) -> list[list[Real]]:
        rounds, S = self._rounds, self._regimes.size
        check_placements(rounds.size, S, S, groups, exact=False)
        bounds = self._after[::-1, :, : len(groups)]
        above = np.stack([chance_above(law, bounds[:, s]) for s, law in enumerate(rounds.laws)], axis=1)
        return self._chain(above * np.asarray(rounds.chances, dtype=np.float64)[:, None, None], groups)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth: the regimes of each, and values by their laws."""
        rounds, games = self._rounds, len(worths)
        paths = np.empty((rounds.size, games), dtype=np.int64)
        regime_paths(self._begin, self._transitions, fractions_of(seed, "regimes", first, rounds.size, games), paths)
        values = np.empty((rounds.size, games))
        words = fractions_of(seed, "values", first, rounds.size, games)
        quantiles(self._table, paths.ravel(), words.ravel(), values.ravel())
        leave_out(rounds, seed, first, (0, rounds.size), values)
        scales = np.asarray(rounds.scales, dtype=np.float64)
        play_regimes(np.ascontiguousarray(self._after[::-1]), scales, values, paths, multipliers, worths)


class ExactRegimes(RegimeModel):
    """In Fractions."""

    is_exact = True

    def __init__(self, rounds: Rounds, regimes: Regimes) -> None:
        super().__init__(rounds, regimes)
        N, n, S = rounds.size, rounds.n, regimes.size
        if not all(isinstance(p, int | Fraction) for row in (*regimes.transitions, regimes.begin) for p in row):
            raise Ten18Error("exact results need chances that are integers or Fractions", "regimes")
        operations = EXACT_COST * n * N * S * (1 + S) * (10 + N / 10)
        check_size("exact rows", operations=operations, field="arrivals")
        rows: list[list[Real]] = [[] if rounds.must_fill else [Fraction(0)] * n for _ in range(S)]
        self._after: list[list[list[Real]]] = []
        for j in range(N):
            factor = Fraction(rounds.factors[N - 1 - j]) if j else Fraction(1)
            after: list[list[Real]] = []
            for chances in regimes.transitions:
                pairs = [(factor * Fraction(p), row) for p, row in zip(chances, rows, strict=True)]
                after.append([sum((p * e[k] for p, e in pairs), Fraction(0)) for k in range(len(rows[0]))])
            chance = Fraction(rounds.chances[N - 1 - j])
            rows = [exact_row(after[s], rounds.laws[s], chance, n) for s in range(S)]
            self._after.append(after)
        self._rows = rows

    def begin(self) -> list[Real]:
        """The row before the first arrival."""
        pairs = list(zip(self._regimes.begin, self._rows, strict=True))
        starts = Fraction(self._rounds.starts)
        return [starts * sum((Fraction(p) * row[k] for p, row in pairs), Fraction(0)) for k in range(self._rounds.n)]

    def row(self, left: Any, known: Any = None) -> list[Real]:
        """The row after an arrival in this regime."""
        row = self._after[self._rounds.verify_left(left)][self._regimes.verify(known)]
        return [*row, *([-inf] * (self._rounds.n - len(row)))]

    def _placements(self, groups: Sequence[int]) -> list[list[Real]]:
        rounds, N, S, n = self._rounds, self._rounds.size, self._regimes.size, len(groups)
        check_placements(N, S, S, groups, exact=True)
        above = np.empty((N, S, n), dtype=object)
        for t in range(N):
            for s, law in enumerate(rounds.laws):
                bounds = self.row(N - 1 - t, s)[:n]
                above[t, s] = [Fraction(rounds.chances[t]) * exact_above(law, bound) for bound in bounds]
        return self._chain(above, groups)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Games are played in float64."""
        self._fast.play(seed, first, multipliers, worths)

    @cached_property
    def _fast(self) -> FloatRegimes:
        return FloatRegimes(self._rounds, self._regimes)


@compiled()
def run_regimes(table: ExcessTable, rounds: RoundArrays, transitions: Floats, kept: Floats, after: Floats) -> float:
    """From kept[0] on: kept[j, s] with j rounds to come, after[j, s] what that is worth a round earlier; the error.

    Regime s has law s; chances and factors are those of the rounds, from the last on.
    """
    starts, left, mid, inverse, coefficients, degrees = table
    _, chances, factors, means, errors, floors = rounds
    N, S, n = after.shape
    bound = 0.0
    for j in range(N):
        f, q = factors[j], chances[j]
        worst = 0.0
        for s in range(S):
            for k in range(n):
                total = 0.0
                for other in range(S):
                    if transitions[s, other] > 0.0:
                        total += transitions[s, other] * kept[j, other, k]
                after[j, s, k] = f * total
            previous = 0.0
            largest = 0.0
            kept[j + 1, s, :] = after[j, s, :]
            for k in range(n):
                t = after[j, s, k]
                if t == -np.inf:
                    kept[j + 1, s, k] = means[s] - previous
                    largest = max(largest, abs(means[s]))
                    break
                c = cell_of(left, starts[s], starts[s + 1], t, starts[s])
                here = excess(coefficients, c, degrees[s], (t - mid[c]) * inverse[c])
                kept[j + 1, s, k] = t + q * (here - previous)
                previous = here
                largest = max(largest, abs(t))
            worst = max(worst, 2.0 * (errors[s] * previous + floors[s]) + UNIT * ((S + 6.0) * largest + 4.0 * previous))
        bound = f * bound + worst
    return bound


@compiled()
def regime_paths(begin: Floats, transitions: Floats, fractions: Floats, paths: Ints) -> None:
    """paths[round, game]: the regimes that these fractions of 1 lead through."""
    rounds, games = paths.shape
    S = len(begin)
    for g in range(games):
        for r in range(rounds):
            chances = begin if r == 0 else transitions[paths[r - 1, g]]
            rest = fractions[r, g]
            s = 0
            while s < S - 1 and rest >= chances[s]:
                rest -= chances[s]
                s += 1
            paths[r, g] = s


@compiled()
def play_regimes(
    after: Floats, worths: Floats, values: Floats, paths: Ints, multipliers: Floats, scores: Floats
) -> None:
    """Values [round, game] by the bounds after[round, regime, k], best slot first; -∞ is no value."""
    rounds, games = values.shape
    n = after.shape[2]
    slots = np.empty(n, dtype=np.int64)
    for g in range(games):
        f = n
        for i in range(n):
            slots[i] = i
        for r in range(rounds):
            x, s = values[r, g], paths[r, g]
            rank = 0
            while rank < f and after[r, s, rank] >= x:
                rank += 1
            if rank < f:
                scores[g] += worths[r] * multipliers[slots[rank]] * x
                for i in range(rank, f - 1):
                    slots[i] = slots[i + 1]
                f -= 1
