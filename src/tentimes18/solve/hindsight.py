"""The hindsight strategy: all rolls known in advance, sorted into the slots (the paper's "all-knowing" strategy).

The slot of rank i gets the i-th smallest of n rolls, X_(i). With C(x) = P(X <= x) and the rolls x_1 < ... < x_s,

    E[X_(i)] = x_1 + Σ_{m<s} (x_{m+1} - x_m) P(X_(i) > x_m),
    P(X_(i) > x) = P(fewer than i of n rolls are <= x) = Σ_{b<i} binom(n, b) C(x)^b (1 - C(x))^{n-b}:

one binomial distribution for each roll, O(s n) in all. The expected score is Σ λ_i E[X_(i)].

The paper's own recurrence is computed beside it. Read Q[y, l] as the expected score of the l lowest slots when their
rolls are known to be <= y (the text defines it for rolls < y, which does not fit the recurrence):

    Q[y, l] = Σ_k binom(l, k) p_y^k (1 - p_y)^{l-k} (y S(l-k+1, l) + Q[y-1, l-k]),    p_y = P(X = y | X <= y),

with S(i, j) = λ_i + ... + λ_j for any multipliers, in O(s n²).

`solve.float_thresholds` has the same in float64.
"""

from fractions import Fraction
from itertools import accumulate
from math import comb

from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.limits import check_size
from tentimes18.solve.parallel import Progress


def exact_order_statistics(dice: Dice, n: int, progress: Progress | None = None) -> list[Fraction]:
    """E[X_(1)], ..., E[X_(n)]: the expected rolls in the slots under hindsight; ``progress(done, rolls)``.

    >>> [str(mean) for mean in exact_order_statistics(Dice.parse("1d6"), 2)]
    ['91/36', '161/36']
    """
    bits = n * dice.total.bit_length()
    check_size(
        f"the exact order statistics of {n:,} rolls",
        bytes=n * (100 + bits / 2),
        operations=n * len(dice.support) * (300.0 + bits) + n * bits**2 / 700,
    )
    T = dice.total
    row = [dice.support[0] * T**n] * n
    for position in range(1, len(dice.support)):
        gap = dice.support[position] - dice.support[position - 1]
        C = dice.below(position)[0]
        term = fewer = (T - C) ** n
        for b in range(n):
            row[b] += gap * fewer
            term = term * (n - b) * C // ((b + 1) * (T - C))
            fewer += term
        if progress:
            progress(position, len(dice.support) - 1)
    return [Fraction(numerator, T**n) for numerator in row]


def paper_recurrence(game: Game) -> Fraction:
    """Q[x_max, n], the expected score by the paper's recurrence, exact."""
    n = game.size
    bits = n * game.dice.total.bit_length()
    check_size(
        f"the recurrence Q for {n:,} slots",
        bytes=n * (100 + bits / 2),
        operations=n * n * len(game.dice.support) * (2500 + 7 * bits + bits**2 / 500),
    )
    upto = list(accumulate(game.multipliers, initial=0))
    Q = [Fraction(0)] * (n + 1)
    seen = 0
    for y, count in zip(game.dice.support, game.dice.counts, strict=True):
        seen += count
        p = Fraction(count, seen)
        Q = [
            sum(
                (
                    comb(l, k) * p**k * (1 - p) ** (l - k) * (y * (upto[l] - upto[l - k]) + Q[l - k])
                    for k in range(l + 1)
                ),
                Fraction(0),
            )
            for l in range(n + 1)  # noqa: E741 (the paper's letter)
        ]
    return Q[n]
