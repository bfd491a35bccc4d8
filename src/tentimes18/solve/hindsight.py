"""The hindsight strategy: all rolls known in advance, sorted into the slots (the paper's "all-knowing" strategy).

The slot of rank i gets the i-th smallest of n rolls, X_(i). With C(x) = P(X <= x) and the rolls x_1 < ... < x_s,

    E[X_(i)] = x_1 + Σ_{m<s} (x_{m+1} - x_m) P(X_(i) > x_m),
    P(X_(i) > x) = P(fewer than i of n rolls are <= x) = Σ_{b<i} binom(n, b) C(x)^b (1 - C(x))^{n-b}:

one binomial law for each roll, O(s n) in all. The expected score is Σ λ_i E[X_(i)].

The paper's own recurrence is computed beside it. Read Q[y, l] as the expected score of the l lowest slots when their
rolls are known to be <= y (the text defines it for rolls < y, which does not fit the recurrence):

    Q[y, l] = Σ_k binom(l, k) p_y^k (1 - p_y)^{l-k} (y S(l-k+1, l) + Q[y-1, l-k]),    p_y = P(X = y | X <= y),

with S(i, j) = λ_i + ... + λ_j for any multipliers, in O(s n²).

The same order statistics in float64, for many slots, are in `solve.float_hindsight`.
"""

from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Final

from tentimes18.dice import Dice
from tentimes18.errors import TooLarge
from tentimes18.game import Game

__all__ = ["exact_order_statistics", "is_exact_sensible", "paper_recurrence"]

MAX_EXACT_WORK: Final = 4e9


def is_exact_sensible(dice: Dice, n: int) -> bool:
    """Whether exact order statistics take seconds at most."""
    return n**2 * len(dice.support) * dice.total.bit_length() <= MAX_EXACT_WORK


def exact_order_statistics(dice: Dice, n: int) -> list[Fraction]:
    """E[X_(1)], ..., E[X_(n)]: the expected rolls in the slots under hindsight.

    >>> [str(mean) for mean in exact_order_statistics(Dice.parse("1d6"), 2)]
    ['91/36', '161/36']
    """
    if not is_exact_sensible(dice, n):
        raise TooLarge(f"exact order statistics of {n} rolls of these dice are too large; use float64", field="slots")
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
    return [Fraction(numerator, T**n) for numerator in row]


def paper_recurrence(game: Game) -> Fraction:
    """Q[x_max, n], the expected score by the paper's recurrence, exact.

    >>> round(float(paper_recurrence(Game.classic())), 5)
    652.93403
    """
    n = game.size
    if n**4 * len(game.dice.support) > MAX_EXACT_WORK:
        raise TooLarge(f"the recurrence Q for {n} slots is too large; use the order statistics", field="slots")
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
