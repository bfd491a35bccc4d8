"""Mean and variance of the score, and the distribution of the roll in each slot, in polynomial time.

`optimal`. Let Y_i be the roll in the slot of rank i of j free slots, R_j[h, i] = E[Y_h Y_i], and let the next roll x go
to rank r(x) of j + 1. The slots below r keep their rank, those above come one rank down, so for h < i

    R_{j+1}[h, i] = P(r > i) R_j[h, i] + P(h < r < i) R_j[h, i-1] + P(r < h) R_j[h-1, i-1]
                    + E[x; r = h] E_j[i-1] + E[x; r = i] E_j[h],
    R_{j+1}[i, i] = P(r > i) R_j[i, i] + P(r < i) R_j[i-1, i-1] + E[x²; r = i],

O(n³) in all, and Var[score] = Σ λ_h λ_i R_n[h, i] - mean². The same step without products gives the distribution
of Y_i.

`hindsight`. Over all sequences of l rolls <= y, let W_y[l], A_y[l], B_y[l] be their number and the sums of the score of
the l lowest slots and of its square. With k rolls equal to y and a = y (λ_{l-k+1} + ... + λ_l),

    B_y[l] = Σ_k binom(l, k) c_y^k (a² W[l-k] + 2a A[l-k] + B[l-k]),    and so for A and W,

with W, A, B on the right for the next smaller roll: O(support · n²).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm, sqrt

from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.limits import check_size
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import ExactRow, exact_thresholds


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean and variance of a score."""

    mean: Fraction
    variance: Fraction

    @property
    def sd(self) -> float:
        return sqrt(self.variance)


def random_moments(game: Game) -> Moments:
    """Mean and variance under `random`: the rolls in the slots are independent."""
    squares = sum(multiplier**2 for multiplier in game.multipliers)
    return Moments(game.dice.mean * sum(game.multipliers), game.dice.variance * squares)


def optimal_moments(game: Game, progress: Progress | None = None) -> Moments:
    """Mean and variance under `optimal`.

    >>> moments = optimal_moments(Game.classic())
    >>> round(float(moments.mean), 5), round(moments.sd, 5)
    (642.23935, 54.9606)
    """
    n = game.size
    bits = n * game.dice.total.bit_length()
    job = f"the table of exact moments for {n:,} slots"
    check_size(job, bytes=n * n * (60 + bits / 6), operations=n**3 / 6 * (500 + bits / 4))
    T = game.dice.total
    common = lcm(*(multiplier.denominator for multiplier in game.multipliers))
    lam = [int(multiplier * common) for multiplier in game.multipliers]
    rows = exact_thresholds(game.dice, n)
    R: list[list[int]] = []  # R[h][i] for h <= i, else 0; over T^j, ranks from 0
    for j in range(n):
        unit = T**j
        E = rows[j - 1].numerators if j else ()
        below, sums, squares = rank_sums(game.dice, _ranks(game.dice, rows[j - 1] if j else None), j + 1)
        # A rank of 0 has no rolls below it, the last one none above: so the zeros, also in row -1, are never counted.
        R = [*([*line, 0] for line in R), [0] * (j + 1)]
        R = [
            [0] * h
            + [squares[h] * unit + (T - below[h + 1]) * R[h][h] + below[h] * R[h - 1][h - 1]]
            + [
                sums[h] * E[i - 1]
                + sums[i] * E[h]
                + (T - below[i + 1]) * R[h][i]
                + (below[i] - below[h + 1]) * R[h][i - 1]
                + below[h] * R[h - 1][i - 1]
                for i in range(h + 1, j + 1)
            ]
            for h in range(j + 1)
        ]
        if progress:
            progress((j + 1) ** 3, n**3)
    second = sum(lam[h] * lam[i] * R[h][i] * (1 if h == i else 2) for h in range(n) for i in range(h, n))
    mean = rows[-1].value(game.multipliers)
    return Moments(mean, Fraction(second, T**n * common**2) - mean**2)


def hindsight_moments(game: Game, progress: Progress | None = None) -> Moments:
    n = game.size
    bits = n * game.dice.total.bit_length()
    operations = n * n / 2 * len(game.dice.support) * (500 + bits / 4)
    check_size(f"the exact moments for {n:,} slots", bytes=n * bits, operations=operations)
    common = lcm(*(multiplier.denominator for multiplier in game.multipliers))
    upto = list(accumulate((int(multiplier * common) for multiplier in game.multipliers), initial=0))
    W, A, B = ([value] + [0] * n for value in (1, 0, 0))
    for done, (y, count) in enumerate(zip(game.dice.support, game.dice.counts, strict=True), start=1):
        powers = list(accumulate([count] * n, lambda power, c: power * c, initial=1))
        after: tuple[list[int], list[int], list[int]] = ([], [], [])
        for l in range(n + 1):  # noqa: E741 (the paper's letter)
            w = first = second = 0
            for k in range(l + 1):
                ways = comb(l, k) * powers[k]
                a = y * (upto[l] - upto[l - k])
                w += ways * W[l - k]
                first += ways * (a * W[l - k] + A[l - k])
                second += ways * (a * a * W[l - k] + 2 * a * A[l - k] + B[l - k])
            for column, value in zip(after, (w, first, second), strict=True):
                column.append(value)
        W, A, B = after
        if progress:
            progress(done, len(game.dice.support))
    mean = Fraction(A[n], W[n] * common)
    return Moments(mean, Fraction(B[n], W[n] * common**2) - mean**2)


def slot_distributions(dice: Dice, n: int, progress: Progress | None = None) -> list[list[Fraction]]:
    """For each of n slots the probability of each roll of the support to end up there, under `optimal`.

    The multipliers matter only by their order; they must differ, since equal slots are taken from the left.
    """
    bits, rolls = n * dice.total.bit_length(), len(dice.support)
    check_size(
        f"the distributions of the single slots for {n:,} slots",
        bytes=n * rolls * (250 + bits / 2),
        operations=n * n / 2 * rolls * (500 + bits / 4) + n * rolls * bits**2 / 700,
    )
    T = dice.total
    rows = exact_thresholds(dice, n)
    distributions: list[list[int]] = []
    for j in range(n):
        unit = T**j
        ranks = _ranks(dice, rows[j - 1] if j else None)
        below, _, _ = rank_sums(dice, ranks, j + 1)
        smaller = [*distributions, [0] * rolls]  # nothing is below rank 0, or above the last one
        distributions = [
            [
                (count * unit if ranks[x] == i else 0) + (T - below[i + 1]) * upper + below[i] * lower
                for x, count, upper, lower in zip(dice.support, dice.counts, smaller[i], smaller[i - 1], strict=True)
            ]
            for i in range(j + 1)
        ]
        if progress:
            progress((j + 1) ** 2, n**2)
    return [[Fraction(weight, T**n) for weight in distribution] for distribution in distributions]


def rank_sums(dice: Dice, ranks: Mapping[int, int], k: int) -> tuple[list[int], list[int], list[int]]:
    """For k free slots: the count of rolls of rank < i (i = 0..k), and the sums of x and x² of rank i, from 0."""
    counts, sums, squares = [0] * k, [0] * k, [0] * k
    for x, count in zip(dice.support, dice.counts, strict=True):
        rank = ranks[x]
        counts[rank] += count
        sums[rank] += count * x
        squares[rank] += count * x * x
    return list(accumulate(counts, initial=0)), sums, squares


def _ranks(dice: Dice, row: ExactRow | None) -> dict[int, int]:
    """The rank, from 0, that `optimal` gives each roll."""
    return {x: row.rank(x) - 1 if row is not None else 0 for x in dice.support}
