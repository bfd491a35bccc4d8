"""Rounds in float64: rows that are made again, error bounds, many rounds at once."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from tentimes18.assignment import Problem
from tentimes18.assignment.courses import rounds
from tentimes18.assignment.courses.rounds import FloatRounds, admit_rounds
from tentimes18.assignment.thresholds import law_thresholds
from tentimes18.dice import Dice
from tentimes18.errors import TooLarge
from tests.support.assignment import FEW, POSITIVE, both


def test_rows_that_were_not_kept_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(stats.gamma(2), 3, 50, discount=0.9)
    whole = problem.solve()
    monkeypatch.setattr(rounds, "KEPT_BYTES", 8 * 3 * 7)
    sparse = problem.solve()
    assert isinstance(sparse.course, FloatRounds)
    assert sparse.value == whole.value
    for left in range(50):
        assert sparse.thresholds(left) == pytest.approx(whole.thresholds(left), rel=1e-14)


@FEW
@given(POSITIVE)
def test_as_many_slots_as_arrivals_is_the_recurrence_alone(samples: list[int]) -> None:
    _, law = both(samples)

    class Plain:
        mean = law.exact_mean()

        def phi(self, bound: Fraction) -> Fraction:
            return self.mean - law.exact_excess(bound)

    expected = law_thresholds([Plain()] * 5)[-1]
    assert Problem(law, 5, 5, must_fill=True).solve(exact=True).expected() == expected
    assert Problem(law, 5, 5).solve().expected() == pytest.approx([float(e) for e in expected], abs=1e-13)


def test_a_million_rounds_round_no_more_than_they_say() -> None:
    """Rows of a finite law against a twin in NumPy with twice the digits, which has errors of its own."""
    law = Problem(Dice.parse("2d6"), 4, 20_000)
    plan = law.solve()
    chances = np.array([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], dtype=np.longdouble) / 36
    values = np.arange(2, 13, dtype=np.longdouble)
    row = np.zeros(4, dtype=np.longdouble)
    for _ in range(20_000):
        excess = np.maximum(values[:, None] - row[None, :], 0).T @ chances
        row = row + excess - np.concatenate([[0], excess[:-1]])
    assert np.abs(np.array(plan.expected()[::-1]) - row).max() <= plan.course.error < 1e-11


def test_what_does_not_fit_is_refused_with_what_does() -> None:
    with pytest.raises(TooLarge, match=r"arrivals: .* \d+ arrivals fit"):
        admit_rounds(10**9, 10**6)
