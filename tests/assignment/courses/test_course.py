"""What a course of arrivals gives: where it has no answer, it says so."""

import pytest

from tentimes18.assignment import Endless, Poisson, Problem, Regimes
from tentimes18.errors import Ten18Error


@pytest.mark.parametrize(
    "problem",
    [
        Problem([1, 2], 1, Poisson(1.0, 1.0)),
        Problem([1, 2], 1, Endless(), discount=0.5),
        Problem([1, 2], 1, 4, batches=2),
        Problem([1, 2], 1, 4, ahead=1),
        Problem([[1, 2], [3]], 1, 4, regimes=Regimes([[1, 0], [0, 1]])),
    ],
    ids=["Poisson", "endless", "batches", "ahead", "regimes"],
)
def test_who_goes_where_is_not_known_for_all(problem: Problem) -> None:
    with pytest.raises(Ten18Error, match="who goes where"):
        problem.solve().fates()


def test_what_cannot_be_simulated_says_so() -> None:
    with pytest.raises(Ten18Error, match="simulation"):
        Problem([1, 2], 1, 4, batches=2).solve().simulate(10)


def test_a_course_without_an_end_has_no_table() -> None:
    with pytest.raises(Ten18Error, match="which rows"):
        Problem([1, 2], 1, Endless(), discount=0.5).solve().to_frame()
