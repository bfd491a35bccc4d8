"""Laws in text: every family, mixtures, files for those who read them, and whatever a stranger may send."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.assignment.laws.families import FAMILIES
from tentimes18.assignment.laws.lattice import LATTICES
from tentimes18.assignment.laws.text import read_law
from tentimes18.errors import Ten18Error


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("uniform(0, 1)", 0.5),
        ("uniform()", 0.5),
        ("uniform(-1/2, 1.5)", 0.5),
        ("exponential(5)", 5.0),
        ("exponential(5, 2)", 7.0),
        ("normal(100, 15)", 100.0),
        ("halfnormal(2)", 2 * (2 / 3.141592653589793) ** 0.5),
        ("lognormal(0.5, 3)", 3 * 2.718281828459045**0.125),
        ("gamma(2, 50)", 100.0),
        ("weibull(1, 3)", 3.0),
        ("pareto(3, 2)", 3.0),
        ("lomax(3, 2, 1)", 2.0),
        ("beta(2, 3)", 0.4),
        ("triangular(0.5, 2, 1)", 2.0),
        ("logistic(3, 2)", 3.0),
        ("laplace(3)", 3.0),
        ("poisson(3)", 3.0),
        ("binomial(10, 0.3)", 3.0),
        ("geometric(1/4)", 4.0),
        ("negative_binomial(2, 0.5)", 2.0),
        ("integers(1, 7)", 3.5),
        ("3d6", 10.5),
        ("d{1,1,2,3,5,8}", 20 / 6),
        ("2.5", 2.5),
        ("-1/3", -1 / 3),
        ("1e3", 1000.0),
        ("0.25*3d6 + 0.75*gamma(2, 5)", 10.125),
        ("1/2*0+1/2*1d6", 1.75),
        ("  gamma( 2 ,50 ) ", 100.0),
    ],
)
def test_laws(text: str, mean: float) -> None:
    assert read_law(text).mean == pytest.approx(mean, rel=1e-12)


def test_every_family_has_a_text() -> None:
    shapes = {
        "beta": "2, 3",
        "triangular": "0.5",
        "binomial": "3, 0.5",
        "negative_binomial": "3, 0.5",
        "integers": "1, 3",
    }
    for name in [*FAMILIES, *LATTICES]:
        none = {"exponential", "halfnormal", "laplace", "logistic", "normal"}
        default = "" if name in none else "0.5" if name == "geometric" else "2"
        assert read_law(f"{name}({shapes.get(name, default)})").mean == pytest.approx(
            read_law(f"{name}({shapes.get(name, default)})").mean
        )


def test_decimals_are_exact() -> None:
    assert read_law("0.1*1+0.9*0").exact_mean() == Fraction(1, 10)
    assert read_law("binomial(2, 0.1)").exact_mean() == Fraction(1, 5)


def test_files_are_read_by_who_may() -> None:
    asked = []

    def reader(name: str) -> list[float]:
        asked.append(name)
        return [1.0, 2.0]

    assert read_law("samples: my file.csv", reader).mean == 1.5
    assert asked == ["my file.csv"]
    with pytest.raises(Ten18Error, match="not read here"):
        read_law("samples:my file.csv")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gamma(2",
        "gamma()",
        "gamma(1, 2, 3, 4)",
        "gamma(2, x)",
        "gama(2, 3)",
        "pareto(1)",
        "normal(0, -1)",
        "uniform(1, 0)",
        "uniform(1)",
        "poisson(1, 2)",
        "0.5*3d6",
        "0.5*3d6+0.6*2",
        "0.5*3d6+0.5*nothing",
        "1/0",
        "nan",
        "inf",
        "__import__('os')",
        "norm.rvs(1)",
        "1" * 5000,
        "1e999",
    ],
)
def test_what_cannot_be_read(text: str) -> None:
    with pytest.raises(Ten18Error) as caught:
        read_law(text)
    assert caught.value.field == "law"
    assert "\n" not in str(caught.value)


@given(st.text("0123456789+-*/()., dgamunifor{}:=ek!x", max_size=30))
def test_any_text_is_a_law_or_refused(text: str) -> None:
    try:
        law = read_law(text)
    except Ten18Error:
        return
    assert law.mean == law.mean
