"""A number of rounds, known or random, each with a distribution of its own; and rounds forever.

Let E_j be the row with j rounds to come and T_j = f E_j what it is worth a round earlier: f is the discount, times the
probability that the rounds go on. With q the probability that a value comes in the round, g the excess of its
distribution,

    E_{j+1}[k] = T_j[k] + q (g(T_j[k]) - g(T_j[k-1])),   g(T_j[0]) = 0,

from E_0 = 0 where slots may stay empty: a value is then given to no slot where it would be worth less than nothing,
which is what max(X, 0) does. Where all n slots must be filled, E_0 has no entries, and E_{j+1} one more than E_j, the
last of them E[X] - g(T_j[j]) (Derman, Lieberman and Ross 1972; the padding with slots of multiplier 0 is the same).

With β the discount and no end, the row does not change any more: e = T + q (g(T_k) - g(T_{k-1})), T = β e, says that

    T_k (1/β - 1) = q (g(T_k) - g(T_{k-1})),

whose left side grows with T_k and whose right side falls: one solution, between 0 and T_{k-1}. For one slot and the
uniform distribution T_1 = (1 - √(1 - β²)) / β.

Where the distribution depends on a regime, a Markov chain that is seen, there is a row for each regime: T_j(s) = f Σ
P(s, s') E_j(s'), and the excess is that of the distribution of the regime.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment import excess as excess_kernel
from tentimes18.assignment.arrival_models import (
    EXACT_COST,
    ArrivalModel,
    HindsightRow,
    Real,
    Rounds,
    Successors,
    chain_kernel,
    chances_above,
    check_placements,
    placements_of,
    verify_left,
)
from tentimes18.assignment.distributions import UniformDistribution, ValueDistribution, fractions_of
from tentimes18.assignment.excess import ExcessTable, above, cell_of, excess, joined
from tentimes18.assignment.hindsight import exact_hindsight_of, hindsight_of
from tentimes18.assignment.multisecretary import exact_row, tiled_row
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size

KEPT_BYTES = 256e6
FEWEST_TILED, CELLS_TILED = 64, 1e6  # slots and cells from which the value is computed first, and rows when asked
BLOCK = 1024  # rounds of games at once
NOTHING = 1e-18  # what the values that are left out in hindsight and in games count
UNIT = 2.0**-53


class RoundArrays(NamedTuple):
    """Rounds from the last on: distributions, chances of a value, factors of what comes after; means and errors."""

    dists: Ints
    chances: Floats
    factors: Floats
    means: Floats
    errors: Floats
    floors: Floats


def round_arrays(dists: Sequence[ValueDistribution], numbers: Any, chances: Any, factors: Any) -> RoundArrays:
    bounds = [[dist.mean, dist.error, dist.cells.floor] for dist in dists]
    # Round j from the last is preceded by factor j: what comes after the last one is nothing.
    return RoundArrays(numbers, chances, np.append(1.0, factors), *np.array(bounds).T.copy())


class RoundModel(ArrivalModel):
    def __init__(self, rounds: Rounds) -> None:
        self.rounds, self.length = rounds, rounds.size

    def lefts(self) -> range:
        return range(self.rounds.size)

    def knowns(self, left: Any) -> Iterable[Any]:  # noqa: ARG002
        return (None,) if self.rounds.regimes is None else range(self.rounds.regimes.size)

    def _regime(self, known: Any) -> int:
        if self.rounds.regimes is not None:
            return self.rounds.regimes.verify(known)
        self.verify_nothing_known(known)
        return 0

    def rows(self, first: int, last: int) -> Any:
        """The thresholds [round, regime, k] for the values of rounds first to last in order of arrival."""
        raise NotImplementedError

    def _placements(self, groups: Sequence[int]) -> list[list[Real]]:
        rounds, choices = self.rounds, self.rounds.choices
        check_placements(rounds.size, choices.shape[1], choices.shape[1], groups, exact=self.is_exact)
        rows = self.rows(0, rounds.size)[:, :, : len(groups)]
        above = np.empty_like(rows)
        for number, dist in enumerate(rounds.dists):
            there = choices == number
            above[there] = chances_above(dist, rows[there])
        return self.placed(above * np.asarray(rounds.chances, dtype=above.dtype)[:, None, None], groups)

    def placed(self, above: Any, groups: Sequence[int]) -> list[list[Real]]:
        """The chances [round, k], from above[round, regime, k] = P(X > e_k)."""
        begin, transitions = self.rounds.chain(above.dtype)
        chain = Successors(begin, np.tile(np.arange(len(begin)), (len(begin), 1)), transitions)
        return placements_of(chain_kernel, groups, above, self.rounds.continues(), chain)

    def hindsight(self) -> HindsightRow:
        return HindsightRow(exact_hindsight_of(self.rounds)) if self.is_exact else hindsight_of(self.rounds)


class FloatRounds(RoundModel):
    def __init__(self, rounds: Rounds) -> None:
        super().__init__(rounds)
        N, n, S = rounds.size, rounds.n, rounds.choices.shape[1]
        check_size("these rows", operations=15.0 * N * n * S * (S + 4) / 5, field="arrivals")
        self._stride = max(1, int(np.ceil((N + 1) * n * S * 8 / KEPT_BYTES)))
        self._table = joined([dist.cells for dist in rounds.dists])
        chances, factors = rounds.floats.chances[::-1].copy(), rounds.floats.factors[: N - 1][::-1]
        self._arrays = round_arrays(rounds.dists, rounds.choices[::-1].copy(), chances, factors)
        self._begin, self._transitions = rounds.chain(np.float64)
        self._has_factors = bool(np.any(self._arrays.factors != 1.0))
        is_plain = not (rounds.must_fill or self._has_factors) and bool(np.all(self._arrays.chances == 1))
        if n >= FEWEST_TILED and n * N >= CELLS_TILED and is_plain and len(rounds.dists) == 1:
            dist = rounds.dists[0]
            last: Floats = tiled_row(dist, N, n, may_stay_empty=True)[::-1][None]
            # A round adds g(e_n) to the sum of all e_k, so that this sum is that of all g.
            bound = (2.0 * dist.error + 8.0 * UNIT) * float(last.sum())
            bound += N * (2.0 * dist.cells.floor + 4.0 * UNIT * float(last[0, 0]))
        else:
            last, bound = self._run
        self.error = float(rounds.starts) * (bound + float(np.abs(last).max(initial=0.0)) * S * 2.0**-52)
        self.expected = (float(rounds.starts) * (self._begin @ last)).tolist()

    @cached_property
    def _kept(self) -> Floats:
        """Rows from the end on, every `_stride`-th, for each regime."""
        return np.empty((self.rounds.size // self._stride + 1, len(self._begin), self.rounds.n))

    @cached_property
    def _run(self) -> tuple[Floats, float]:
        """The last rows and a bound of their error; `_kept` is filled."""
        rows = np.zeros((2, len(self._begin), self.rounds.n))
        if self.rounds.must_fill:
            rows[0] = -inf
        self._kept[0] = rows[0]
        part = 0, self.rounds.size, self._stride
        bound = run_rounds(self._table, self._arrays, self._transitions, part, rows, self._kept)
        return rows[0], bound

    def row(self, left: Any, known: Any = None) -> list[float]:
        regime = self._regime(known)
        j = left if type(left) is int and 0 <= left < self.rounds.size else verify_left(left, self.rounds.size)
        assert self._run  # all rows
        row: list[float] = (self._kept[j] if self._stride == 1 else self._recomputed(j))[regime].tolist()
        if self._has_factors:
            factor = float(self._arrays.factors[j])
            row = [factor * e for e in row]
        return row

    def _recomputed(self, j: int) -> Floats:
        kept = self._kept[j // self._stride]
        rows = np.stack([kept, np.zeros_like(kept)])
        part = j - j % self._stride, j, self.rounds.size + 1
        run_rounds(self._table, self._arrays, self._transitions, part, rows, self._kept[:0])
        again: Floats = rows[0]
        return again

    def rows(self, first: int, last: int) -> Floats:
        N = self.rounds.size
        assert self._run  # all rows
        part = range(N - last, N - first)
        kept = np.array([self._recomputed(j) for j in part]) if self._stride > 1 else self._kept[part.start : part.stop]
        rows: Floats = kept * self._arrays.factors[part.start : part.stop, None, None]
        return np.ascontiguousarray(rows[::-1])

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        rounds, games, n = self.rounds, len(worths), self.rounds.n
        free, paths = all_free(n, games), np.zeros((rounds.size, games), dtype=np.int64)
        if rounds.regimes is not None:
            words = fractions_of(seed, "regimes", first, rounds.size, games)
            regime_paths(self._begin, self._transitions, words, paths)
        for begin in range(0, rounds.size, BLOCK):
            part = begin, min(rounds.size, begin + BLOCK)
            some = slice(*part)
            numbers = np.take_along_axis(rounds.choices[some], paths[some], axis=1)
            values = np.empty(numbers.shape)
            words = fractions_of(seed, "values", first, rounds.size, games, part)
            excess_kernel.quantiles(self._table, numbers.ravel(), words.ravel(), values.ravel())
            leave_out(rounds, seed, first, part, values)
            scales = rounds.floats.scales[some]
            plan = np.arange(part[1] - part[0]), self.rows(*part)
            play_rows(plan, scales, values, paths[some], multipliers, free, worths)


class ExactRounds(RoundModel):
    """In Fractions, digit by digit; for every regime, or for the one there is."""

    is_exact = True

    def __init__(self, rounds: Rounds) -> None:
        super().__init__(rounds)
        N, n, choices = rounds.size, rounds.n, rounds.choices
        S = choices.shape[1]
        begin, transitions = rounds.chain(object)
        for field, numbers in {"regimes": (*begin, *transitions.ravel()), "arrivals": (rounds.starts,)}.items():
            for number in numbers:
                if not isinstance(number, int | Fraction):
                    raise Ten18Error("exact results need Fractions or integers", field, number)
        # A round adds the digits of a finite distribution, and doubles them where φ is a square.
        curved = any(isinstance(dist, UniformDistribution) for dist in rounds.dists)
        bits = 64.0 * 2.0 ** min(N, 200) if curved else 64.0 * N
        operations = n * N * (EXACT_COST + bits / 4) * (1 if S == 1 else 10 * S * (1 + S))
        check_size("exact rows", operations=operations, bytes=n * N * S * bits / 16, field="arrivals")
        rows = np.full((S, 0 if rounds.must_fill else n), Fraction(0))
        self._after: list[Any] = []  # [regime, k], by what is still to come
        for j, t in enumerate(reversed(range(N))):
            after = (rounds.factors[t] * transitions if j else transitions) @ rows
            dists = [rounds.dists[number] for number in choices[t]]
            pairs = zip(after.tolist(), dists, strict=True)
            rows = np.array([exact_row(row, dist, rounds.chances[t], n) for row, dist in pairs])
            self._after.append(np.full((S, n), -inf, dtype=object))
            self._after[j][:, : after.shape[1]] = after
        self.expected = (rounds.starts * begin @ rows).tolist()

    def row(self, left: Any, known: Any = None) -> list[Real]:
        regime = self._regime(known)
        row: list[Real] = self._after[verify_left(left, self.rounds.size)][regime].tolist()
        return row

    def rows(self, first: int, last: int) -> Any:
        N = self.rounds.size
        return np.array(self._after[N - last : N - first][::-1])

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        self._fast.play(seed, first, multipliers, worths)

    @cached_property
    def _fast(self) -> FloatRounds:
        return FloatRounds(self.rounds)


def leave_out(rounds: Rounds, seed: int, first: int, part: tuple[int, int], values: Floats) -> None:
    """Put -∞ for values [round, game] that are missing: by chance, or since there are no more."""
    games = values.shape[1]
    chances, ends = rounds.floats.chances[part[0] : part[1]], rounds.floats.ends
    if np.any(chances != 1):
        values[fractions_of(seed, "comes", first, rounds.size, games, part) >= chances[:, None]] = -inf
    if rounds.starts != 1 or np.any(ends[:-1]):
        word = fractions_of(seed, "number", first, 1, games)[0]
        counts = np.searchsorted(np.cumsum(np.append(1.0 - ends.sum(), ends)), word, side="right")  # of each game
        values[np.arange(*part)[:, None] >= np.minimum(counts, rounds.size)] = -inf


class EndlessRounds(ArrivalModel):
    """One distribution forever, with a discount below 1."""

    def __init__(self, n: int, dist: ValueDistribution, discount: float, chance: float) -> None:
        if not discount < 1:
            raise Ten18Error("arrivals without an end need a discount below 1", "discount", discount)
        self._n, self._dist, self._discount, self._chance = n, dist, discount, chance
        self.length = int(np.ceil(np.log(NOTHING) / np.log(discount))) + 1
        rate = 1.0 / discount - 1.0
        above = max(0.0, dist.support[1])
        self._row = row = list[float]()
        before = 0.0  # g of the bound before
        error, worst = 0.0, 0.0
        for _ in range(n):
            low, high = 0.0, min(above, chance * dist.excess(0.0) / rate)
            for _ in range(200):
                middle = (low + high) / 2
                if not low < middle < high:
                    break
                is_below = rate * middle < chance * (dist.excess(middle) - before)
                low, high = (middle, high) if is_below else (low, middle)
            here, falls = dist.excess(high), chance * dist.above(high)
            wrong = 2.0 * (dist.error * here + dist.cells.floor) + 2.0**-51 * rate * high
            earlier = chance * dist.above(row[-1]) * error if row else 0.0
            error = (wrong + earlier) / (rate + falls) + 2.0**-52 * high
            worst = max(worst, error)
            row.append(high)
            before, above = here, high
        self.error = worst / discount
        self.expected = [e / discount for e in row]

    def row(self, left: Any, known: Any = None) -> list[float]:
        if left is not None:
            raise Ten18Error("endless arrivals never have this many left; accepted: none", "left", left)
        self.verify_nothing_known(known)
        return self._row

    @cached_property
    def finite(self) -> FloatRounds:
        """As many rounds as count."""
        N = self.length
        factors, ends = np.full(N, self._discount), np.append(np.zeros(N - 1), 1.0)
        numbers, chances = np.zeros(N, dtype=np.int64), np.full(N, self._chance)
        scales = self._discount ** np.arange(N)
        return FloatRounds(Rounds(self._n, (self._dist,), numbers, chances, factors, scales, ends, 1, False))

    def hindsight(self) -> HindsightRow:
        row, error = self.finite.hindsight()
        left_out = self._dist.excess(0.0) * self._discount**self.length / (1.0 - self._discount)
        return HindsightRow(row, error + left_out)

    def _placements(self, groups: Sequence[int]) -> list[list[Real]]:
        check_placements(self.length, 1, 1, groups, exact=False)
        above = self._chance * chances_above(self._dist, np.array(self._row[: len(groups)]))
        return self.finite.placed(np.tile(above, (self.length, 1, 1)), groups)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        self.finite.play(seed, first, multipliers, worths)


@compiled()
def run_rounds(
    table: ExcessTable, rounds: RoundArrays, transitions: Floats, part: tuple[int, int, int], E: Floats, kept: Floats
) -> float:
    """Through rounds part[0] to part[1] - 1, counted from the last one, from the rows E[0, regime]; a bound of errors.

    E[1] holds what E[0] was rounded by; -∞ is a slot that has no value yet. Except after the first round of all, rows
    become those of a round earlier, by the regime there. Row j is kept where part[2] divides j.
    """
    starts, left, mid, inverse, coefficients, degrees = table
    dists, chances, factors, means, errors, floors = rounds
    S, n = E.shape[1:]
    hints = np.zeros((S, n), dtype=np.int64)
    earlier = np.empty_like(E)
    bound = 0.0
    for j in range(part[0], part[1]):
        q, f = chances[j], factors[j]
        worst = 0.0
        for s in range(S):
            dist = dists[j, s]
            begin, end, degree = starts[dist], starts[dist + 1], degrees[dist]
            previous, slope, largest = 0.0, 0.0, 0.0
            for k in range(n):
                t = f * E[0, s, k]
                if t == -np.inf:
                    E[0, s, k] = means[dist] - previous
                    E[1, s, k] = 0.0
                    largest = max(largest, abs(means[dist]))
                    slope = 1.0
                    break
                c = cell_of(left, begin, end, t, hints[s, k])
                hints[s, k] = c
                u = (t - mid[c]) * inverse[c]
                here = excess(coefficients, c, degree, u)
                change = q * (here - previous) + f * E[1, s, k]
                total = t + change
                rounded = total - t
                E[1, s, k] = (t - (total - rounded)) + (change - rounded)
                E[0, s, k] = total
                previous = here
                largest = max(largest, abs(t))
                if k == n - 1:
                    slope = q * above(coefficients, c, degree, u, inverse[c])
            wrong = 2.0 * q * (errors[dist] * previous + floors[dist]) + 2.0 * UNIT * largest * slope
            wrong += 4.0 * UNIT * q * previous + (UNIT * largest if f != 1.0 else 0.0)
            worst = max(worst, wrong + ((S + 6.0) * UNIT * largest if S > 1 else 0.0))
        bound = f * bound + worst
        if S > 1 and j + 1 < len(dists):
            earlier[:] = 0.0
            for s in range(S):
                for other in range(S):
                    if transitions[s, other] > 0.0:
                        for k in range(n):
                            earlier[0, s, k] += transitions[s, other] * E[0, other, k]
                            earlier[1, s, k] += transitions[s, other] * E[1, other, k]
            E[:] = earlier
        if (j + 1) % part[2] == 0:
            kept[(j + 1) // part[2]] = E[0]
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


def all_free(n: int, games: int) -> Ints:
    """The free slots of each game, best first, and their number: all."""
    return np.tile(np.append(np.arange(n), n), (games, 1))


@compiled()
def play_rows(
    plan: tuple[Ints, Floats],
    worths: Floats,
    values: Floats,
    regimes: Ints,
    multipliers: Floats,
    free: Ints,
    scores: Floats,
) -> None:
    """Values and regimes [arrival, game], by the thresholds [round, regime, k], best slot first; -∞ is no value.

    The plan has the round of each arrival, and the thresholds. Values of one round go from the largest on, each to the
    rank among the slots that are left: those above it are kept for what is still to come. free[g] holds the free slots
    of a game, best first, and at its end their number.
    """
    rounds, rows = plan
    n = rows.shape[2]
    for g in range(values.shape[1]):
        slots = free[g]
        rank = 0
        for i in range(len(rounds)):
            f, r = slots[n], rounds[i]
            x, s = values[i, g], regimes[i, g]
            if i == 0 or rounds[i - 1] != r:
                rank = 0
            while rank < f and rows[r, s, rank] >= x:
                rank += 1
            if rank < f:
                scores[g] += worths[r] * multipliers[slots[rank]] * x
                for k in range(rank, f - 1):
                    slots[k] = slots[k + 1]
                slots[n] = f - 1
