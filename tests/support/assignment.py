"""Random problems of sequential assignment, small enough to go through every action, for the oracle and for us."""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from tentimes18.assignment import FiniteDistribution, as_distribution
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
