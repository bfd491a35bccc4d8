"""Closed forms of the usual families: against SciPy's chances, the tables, and by hand."""

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from tentimes18.assignment.laws.families import FAMILIES, _standard, _standard_cells, family_law
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.errors import Ten18Error

CASES = [
    ("beta", (2.0, 3.0), stats.beta(2, 3)),
    ("beta", (0.5, 0.7), stats.beta(0.5, 0.7)),
    ("exponential", (), stats.expon()),
    ("gamma", (0.3,), stats.gamma(0.3)),
    ("gamma", (2.5,), stats.gamma(2.5)),
    ("gamma", (300.0,), stats.gamma(300)),
    ("halfnormal", (), stats.halfnorm()),
    ("laplace", (), stats.laplace()),
    ("logistic", (), stats.logistic()),
    ("lognormal", (0.5,), stats.lognorm(0.5)),
    ("lomax", (2.5,), stats.lomax(2.5)),
    ("normal", (), stats.norm()),
    ("pareto", (1.5,), stats.pareto(1.5)),
    ("pareto", (5.0,), stats.pareto(5)),
    ("triangular", (0.3,), stats.triang(0.3)),
    ("triangular", (0.0,), stats.triang(0)),
    ("triangular", (1.0,), stats.triang(1)),
    ("weibull", (0.7,), stats.weibull_min(0.7)),
    ("weibull", (3.0,), stats.weibull_min(3)),
]


def test_every_family_is_tested() -> None:
    assert {name for name, _, _ in CASES} == FAMILIES.keys()


@pytest.mark.parametrize(("name", "shapes", "known"), CASES, ids=[f"{name}{shapes}" for name, shapes, _ in CASES])
def test_a_family(name: str, shapes: tuple[float, ...], known: "stats.rv_frozen") -> None:
    law = family_law(name, *shapes, loc=2.0, scale=3.0)
    assert law.mean == pytest.approx(2 + 3 * known.mean(), rel=1e-14)
    assert law.support == pytest.approx(tuple(2 + 3 * end for end in known.support()))
    z = (2 + 3 * known.ppf([0.001, 0.2, 0.5, 0.9, 0.999, 0.999999]) - 2) / 3  # rounded as the bounds are
    assert law.above(2 + 3 * z) == pytest.approx(known.sf(z), rel=1e-10)
    # The excess is the integral of the chances, in closed form and in the table.
    for low, high in ((0, 2), (2, 4)):
        area = integrate.quad(known.sf, z[low], z[high], epsabs=1e-13, epsrel=1e-12)[0]
        ends = 2 + 3 * z[[low, high]]
        assert -np.diff(law.excess(ends))[0] == pytest.approx(3 * area, rel=1e-10)
    bounds = 2 + 3 * np.concatenate([z, z - 50.0, z + 1.0])
    table = ValueLaw._excess(law, bounds)
    closed = law.excess(bounds)
    assert np.abs(table - closed).max() <= 1e-13 * (1 + np.abs(bounds).max())
    assert law.phi(bounds) == pytest.approx(law.mean - table, abs=1e-12)
    assert law.quantile(0.9) == pytest.approx(2 + 3 * z[3], rel=1e-12)


def test_laws_at_other_places_share_a_table() -> None:
    one, other = family_law("gamma", 2.5, loc=1.0, scale=2.0), family_law("gamma", 2.5, scale=3.0)
    assert one.cells.coefficients / 2 == pytest.approx(other.cells.coefficients / 3, rel=1e-15)
    assert _standard_cells(_standard("gamma", (2.5,))) is _standard_cells(_standard("gamma", (2.5,)))


@pytest.mark.parametrize("shape", [1, 2, 5, 20])
def test_the_table_of_a_gamma_law_is_as_good_as_it_says(shape: int) -> None:
    """Of an integer shape, whose chances are finite sums of positive numbers: Σ z^m e^-z / m!."""
    law = family_law("gamma", float(shape))
    z = np.linspace(0.01, 60.0, 997)
    terms = np.array([np.exp(m * np.log(z) - z - special.gammaln(m + 1)) for m in range(shape)])
    above = terms.sum(axis=0)
    # g(z) = Σ_{i >= 1} P(Poisson(z) <= shape - i), by the mean of a truncated Poisson number.
    excess = sum(terms[: i + 1].sum(axis=0) for i in range(shape))
    assert np.abs(ValueLaw._excess(law, z) / excess - 1).max() <= law.error + 40 * 60 * 2.0**-53
    assert np.abs(law.above(z) / above - 1).max() <= 60 * 40 * 2.0**-53


@pytest.mark.parametrize(
    ("name", "shapes", "scale"),
    [
        ("pareto", (1.0,), 1.0),
        ("pareto", (math.nan,), 1.0),
        ("lomax", (0.5,), 1.0),
        ("gamma", (0.0,), 1.0),
        ("gamma", (2.0,), 0.0),
        ("gamma", (2.0,), math.inf),
        ("beta", (1.0, -1.0), 1.0),
        ("lognormal", (40.0,), 1.0),
        ("weibull", (0.001,), 1.0),
        ("triangular", (1.5,), 1.0),
    ],
)
def test_laws_that_are_none(name: str, shapes: tuple[float, ...], scale: float) -> None:
    with pytest.raises(Ten18Error) as caught:
        family_law(name, *shapes, scale=scale)
    assert caught.value.field == "law"
