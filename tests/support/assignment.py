"""Random problems of sequential assignment, small enough to go through every action, for the oracle and for us."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from tentimes18.assignment import FiniteDistribution, Problem, RandomNumber, Regimes, as_distribution
from tests.oracle import assignment as oracle
from tests.oracle.assignment import distribution_of_samples

FEW = settings(max_examples=15, deadline=None)
SAMPLES = st.lists(st.integers(-4, 7), min_size=1, max_size=3)
POSITIVE = st.lists(st.integers(0, 7), min_size=1, max_size=3)
MULTIPLIERS = st.lists(st.integers(0, 5), min_size=1, max_size=3).map(lambda found: tuple(sorted(found)))
DISCOUNTS = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(9, 10)])


def both(samples: Sequence[int]) -> tuple[dict[Fraction, Fraction], FiniteDistribution]:
    distribution = as_distribution([Fraction(sample) for sample in samples])
    assert isinstance(distribution, FiniteDistribution)
    return distribution_of_samples(samples), distribution


def chances_of(weights: Sequence[int]) -> list[Fraction]:
    """Weights as chances; the first counts where all are 0."""
    given = list(weights) if any(weights) else [1, *weights[1:]]
    return [Fraction(weight, sum(given)) for weight in given]


ONE_BY_ONE = ("list", "chance", "number", "regimes")


@st.composite
def problems(draw: Callable[..., Any], kinds: Sequence[str] = ONE_BY_ONE) -> tuple[Problem, oracle.Arrivals]:
    """A small problem of one of these variants, and its arrivals for the oracle; in some, slots must be filled."""
    kind, multipliers, options = draw(st.sampled_from(kinds)), draw(MULTIPLIERS), {"discount": draw(DISCOUNTS)}
    samples = draw(st.lists(SAMPLES, min_size=1 + (kind == "regimes"), max_size=2 if kind == "regimes" else 4))
    theirs, ours = zip(*map(both, samples), strict=True)
    dist, N = theirs[0], len(samples)
    if kind in ("list", "regimes", "ahead") and draw(st.booleans()):
        options["must_fill"] = True
        multipliers = multipliers[: 3 if kind == "regimes" else N]
    if kind == "regimes":
        chain = [chances_of(draw(st.lists(st.integers(0, 3), min_size=2, max_size=2))) for _ in range(2)]
        problem = Problem(list(ours), multipliers, 3, regimes=Regimes(chain, chain[0]), **options)
        return problem, oracle.with_regimes(list(theirs), chain, chain[0], 3)
    if kind == "number":
        chances = chances_of(draw(st.lists(st.integers(0, 3), min_size=1, max_size=4)))
        numbers = dict(enumerate(chances, start=draw(st.integers(0, len(chances) > 1))))
        if not any(chance for number, chance in numbers.items() if number):
            numbers = {1: Fraction(1)}
        return Problem(ours[0], multipliers, RandomNumber(numbers), **options), oracle.random_number(
            [dist] * 4, numbers
        )
    if kind == "chance":
        q = Fraction(2, 3)
        return Problem(ours[0], multipliers, N, chance=q, **options), oracle.with_chance([dist] * N, [q] * N)
    if kind == "ahead":
        ahead = draw(st.integers(1, 4))
        return Problem(ours[0], multipliers, N, ahead=ahead, **options), oracle.seen_ahead([dist] * N, ahead)
    return Problem(list(ours), multipliers, N, **options), oracle.in_order(list(theirs))
