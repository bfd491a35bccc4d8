"""What is known in closed form, or by a recurrence of one line, of sequential assignment; each with its source."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import e, exp, factorial, log, log1p, sqrt

from . import Multipliers
from .assignment import ValueDistribution


def moser(arrivals: int) -> Fraction:
    """The best of N uniform values, one slot: e <- (1 + e²)/2 (Moser 1956)."""
    expected = Fraction(0)
    for _ in range(arrivals):
        expected = (1 + expected**2) / 2
    return expected


def uniform_limit(k: int) -> float:
    """The limit of N (1 - e_k) for uniform values: 2, 1 + √5, ...

    With e_k = 1 - c_k/N, and φ(t) = 1/2 - (1 - t)²/2, the step e_k <- e_k + φ(e_{k-1}) - φ(e_k) says
    c_k = (c_k² - c_{k-1}²)/2 to first order (Gilbert and Mosteller 1966 for k = 1).
    """
    bound = 0.0
    for _ in range(k):
        bound = 1 + sqrt(1 + bound**2)
    return bound


def poisson_exponential(k: int, mean_number: float) -> float:
    """e_1 + ... + e_k for exponential values of mean 1 that come at a Poisson rate: ln Σ_{m<=k} (λt)^m/m!."""
    return log(sum(mean_number**m / factorial(m) for m in range(k + 1)))


def poisson_uniform(mean_number: float) -> float:
    """e_1 for uniform values: e' = λ(1 - e)²/2, so that e = λt/(2 + λt)."""
    return mean_number / (2 + mean_number)


def discounted_uniform(discount: float) -> float:
    """The threshold of one slot, endless uniform values: t = β E[max(X, t)] = β(1 + t²)/2."""
    return (1 - sqrt(1 - discount**2)) / discount


def secretary_best(n: int) -> tuple[Fraction, int]:
    """The chance to choose the best of n, and after how many one chooses: the best of all cut-offs.

    Rejecting s arrivals and taking the first that is better than all before wins where the best comes at t > s and the
    best of the t - 1 before it among the first s: with chance s/(t - 1), or 1 for s = 0 and t = 1. (Lindley 1961)
    """
    chances = [
        (Fraction(1, n) if s == 0 else sum((Fraction(s, n * (t - 1)) for t in range(s + 1, n + 1)), Fraction(0)), -s)
        for s in range(n)
    ]
    value, cut = max(chances)
    return value, -cut


def secretary_rank(n: int) -> Fraction:
    """The least expected rank of one chosen of n (Lindley 1961; Chow, Moriguti, Robbins and Samuels 1964).

    The t-th arrival of relative rank r has expected rank r(n + 1)/(t + 1); it is taken where that is below what
    rejecting it leads to.
    """
    rank = Fraction(n + 1, 2)
    for t in range(n - 1, 0, -1):
        rank = sum((min(Fraction(r * (n + 1), t + 1), rank) for r in range(1, t + 1)), Fraction(0)) / t
    return rank


def secretary_rank_limit() -> float:
    """The limit of the least expected rank: Π_{j>=1} (1 + 2/j)^{1/(j+1)} = 3.8695... (Chow et al. 1964).

    Of the product's logarithm, what is beyond M terms is 2/M - 3/M² + O(1/M³).
    """
    terms = 20_000
    return exp(sum(log1p(2 / j) / (j + 1) for j in range(1, terms + 1)) + 2 / terms - 3 / terms**2)


SECRETARY_TWO_CHOICES = 1 / e + exp(-1.5)
"""The limit of the chance that the best of n is among two chosen (Gilbert and Mosteller 1966)."""


def by_deadline(
    law: ValueDistribution,
    multipliers: Multipliers,
    rate: Callable[[float], float],
    until: float,
    tolerance: float = 1e-9,
) -> float:
    """The best expected worth of values that come as a Poisson process until a deadline, slots may stay empty.

    V(s, A) is the worth of free set A at time s. In a time ds a value comes with chance rate(s) ds, and the best is
    done with it: -V' = rate(s) E[max(0, max_{i in A} (multiplier_i X + V(s, A - i) - V(s, A)))]. A Runge-Kutta method
    over all free sets at once, with steps that are halved until nothing changes any more.
    """
    numbers = [float(multiplier) for multiplier in multipliers]
    chances = [(float(x), float(p)) for x, p in law.items()]
    sets = range(1 << len(numbers))

    def change(time: float, worth: Sequence[float]) -> list[float]:
        def gain(free: int, x: float) -> float:
            slots = [i for i in range(len(numbers)) if free >> i & 1]
            return max([0.0, *(numbers[i] * x + worth[free ^ 1 << i] - worth[free] for i in slots)])

        return [rate(time) * sum(p * gain(free, x) for x, p in chances) for free in sets]

    def solved(steps: int) -> float:
        worth, width = [0.0 for _ in sets], until / steps
        for step in range(steps):
            time = until - step * width
            one = change(time, worth)
            two = change(time - width / 2, [v + width / 2 * d for v, d in zip(worth, one, strict=True)])
            three = change(time - width / 2, [v + width / 2 * d for v, d in zip(worth, two, strict=True)])
            four = change(time - width, [v + width * d for v, d in zip(worth, three, strict=True)])
            worth = [
                v + width / 6 * (a + 2 * b + 2 * c + d)
                for v, a, b, c, d in zip(worth, one, two, three, four, strict=True)
            ]
        return worth[-1]

    steps, before, now = 64, solved(32), solved(64)
    while abs(now - before) > tolerance and steps < 4096:
        steps *= 2
        before, now = now, solved(steps)
    return now
