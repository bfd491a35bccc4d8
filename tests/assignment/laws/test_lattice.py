"""Laws on the integers: against SciPy's chances, and exactly."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from tentimes18.assignment.laws.lattice import LATTICES, lattice_law
from tentimes18.errors import Ten18Error

CASES = [
    ("binomial", (20, 0.3), stats.binom(20, 0.3)),
    ("binomial", (5000, 0.01), stats.binom(5000, 0.01)),
    ("geometric", (0.2,), stats.geom(0.2)),
    ("integers", (2, 9), stats.randint(2, 9)),
    ("negative_binomial", (3.5, 0.4), stats.nbinom(3.5, 0.4)),
    ("poisson", (0.3,), stats.poisson(0.3)),
    ("poisson", (2000.0,), stats.poisson(2000.0)),
]


def test_every_family_is_tested() -> None:
    assert {name for name, _, _ in CASES} == LATTICES.keys()


@pytest.mark.parametrize(("name", "parameters", "known"), CASES, ids=[f"{name}{p}" for name, p, _ in CASES])
def test_a_law(name: str, parameters: tuple[float, ...], known: "stats.rv_frozen") -> None:
    law = lattice_law(name, *parameters, loc=1)
    assert law.mean == pytest.approx(known.mean() + 1, rel=1e-12)
    assert law.chances == pytest.approx(known.pmf(law.values - 1), rel=1e-7, abs=1e-18)
    bounds = law.mean + np.array([-3.0, 0.25, 2.0])
    assert law.above(bounds) == pytest.approx(known.sf(np.floor(bounds - 1)), rel=1e-9)


def test_short_binomial_laws_are_exact() -> None:
    law = lattice_law("binomial", 3, Fraction(1, 3))
    assert law.exact_atoms() == tuple((Fraction(k), Fraction(w, 27)) for k, w in enumerate((8, 12, 6, 1)))
    assert lattice_law("binomial", 4, 1.0).exact_mean() == 4
    assert lattice_law("geometric", 1).exact_mean() == 1
    assert not lattice_law("poisson", 2).is_exact


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("binomial", (2.5, 0.5)),
        ("binomial", (3, 1.5)),
        ("geometric", (0.0,)),
        ("geometric", (1e-7,)),
        ("integers", (3, 3)),
        ("integers", (0, 10**9)),
        ("negative_binomial", (0.0, 0.5)),
        ("negative_binomial", (3.0, 1e-9)),
        ("poisson", (-1.0,)),
        ("poisson", (math.nan,)),
        ("poisson", (1e14,)),
    ],
)
def test_laws_that_are_none(name: str, parameters: tuple[float, ...]) -> None:
    with pytest.raises(Ten18Error) as caught:
        lattice_law(name, *parameters)
    assert caught.value.field == "law"
