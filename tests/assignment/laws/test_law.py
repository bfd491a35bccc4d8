"""What all laws share: arrays of any shape, quantiles, samples."""

import numpy as np
import pytest
from scipy import stats

from tentimes18.assignment.laws.law import fractions_of
from tentimes18.assignment.laws.reading import as_law
from tentimes18.errors import Ten18Error


def test_numbers_and_arrays_of_any_shape() -> None:
    law = as_law(stats.gamma(2))
    bounds = np.linspace(0, 5, 6).reshape(2, 3)
    for function in (law.phi, law.excess, law.above):
        assert function(bounds).shape == (2, 3)
        assert isinstance(function(1.5), float)
        assert function(bounds)[1, 2] == function(5.0)
    assert law.quantile(bounds / 10).shape == (2, 3)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "law", [stats.gamma(0.5), stats.norm(), stats.t(5), stats.pareto(2.5)], ids=lambda d: d.dist.name
)
def test_quantiles(law: "stats.rv_frozen") -> None:
    chances = np.concatenate([np.linspace(0.001, 0.999, 301), [1e-6, 1 - 1e-6]])
    assert as_law(law).quantile(chances) == pytest.approx(law.ppf(chances), rel=1e-8, abs=1e-8)


def test_quantiles_of_steps() -> None:
    law = as_law([1, 2, 2, 5])
    assert [law.quantile(chance) for chance in (0.0, 0.25, 0.26, 0.75, 0.76, 1.0)] == [1, 1, 2, 2, 5, 5]


def test_samples_follow_the_law() -> None:
    law = stats.gamma(2, scale=3)
    found = as_law(law).sample(20_000, seed=18)
    assert stats.kstest(found, law.cdf).pvalue > 1e-3
    counts = np.unique(as_law([1, 2, 2, 5]).sample(20_000, seed=18), return_counts=True)[1]
    assert stats.chisquare(counts, [5000, 10_000, 5000]).pvalue > 1e-3


def test_samples_depend_on_nothing_but_the_seed() -> None:
    """The same words on every machine: the first of them, by hand."""
    assert fractions_of(18, "sample", 0, 1, 3).tolist() == fractions_of(18, "sample", 0, 1, 5)[0, :3][None].tolist()
    assert fractions_of(18, "sample", 2, 2, 3).tolist() == fractions_of(18, "sample", 0, 2, 5)[:, 2:].tolist()
    assert fractions_of(18, "sample", 0, 1, 3).tolist() != fractions_of(18, "values", 0, 1, 3).tolist()


def test_what_is_not_exact_says_so() -> None:
    law = as_law(stats.gamma(2))
    assert not law.is_exact
    for asked in (law.exact_mean, lambda: law.exact_excess(0), law.exact_atoms):  # type: ignore[arg-type]
        with pytest.raises(Ten18Error, match="exact"):
            asked()
