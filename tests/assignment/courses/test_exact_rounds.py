"""Rounds in Fractions: the exact row, and hindsight of uniform values."""

from fractions import Fraction

from tentimes18.assignment import Problem, UniformLaw
from tentimes18.assignment.courses.exact_rounds import exact_row
from tentimes18.assignment.laws.finite import sample_law


def test_a_row_becomes_longer_until_all_slots_are_there() -> None:
    law = sample_law([0, 4])
    one = exact_row([], law, Fraction(1), 2)
    two = exact_row(one, law, Fraction(1), 2)
    assert one == [2]
    assert two == [3, 1]
    assert exact_row(two, law, Fraction(1), 2) == [Fraction(7, 2), 2]
    assert exact_row([Fraction(2)], law, Fraction(1, 2), 1) == [Fraction(5, 2)]


def test_hindsight_of_uniform_values() -> None:
    plan = Problem(UniformLaw(2, 5), [1, 2], 4).solve(exact=True)
    assert plan.hindsight == 2 * (5 - Fraction(3, 5)) + (5 - Fraction(6, 5))
    assert abs(float(plan.hindsight) - Problem(UniformLaw(2, 5), [1, 2], 4).solve().hindsight) < 1e-12
