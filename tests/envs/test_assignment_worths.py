"""The worths of decisions, in float64 and in Fractions, against all that can happen."""

from fractions import Fraction
from itertools import product

import pytest

from tentimes18.assignment import Problem
from tentimes18.envs.arrival_streams import Arrival
from tentimes18.envs.assignment_env import exact_values, float_values

VALUES = (1, 4)


def best_of_batch(values: tuple[int, ...], slots: tuple[int, ...], left: int) -> Fraction:
    """The worth of a batch of two, tried out: each value to any free slot or to none, then the next batch."""
    if not values:
        if not left:
            return Fraction(0)
        return (
            sum((best_of_batch(pair, slots, left - 1) for pair in product(VALUES, repeat=2)), Fraction(0))
            / len(VALUES) ** 2
        )
    found = [best_of_batch(values[1:], slots, left)]
    for place, slot in enumerate(slots):
        rest = slots[:place] + slots[place + 1 :]
        found.append(slot * values[0] + best_of_batch(values[1:], rest, left))
    return max(found)


def test_a_batch_value_by_value_is_as_good_as_all_that_can_be_done() -> None:
    problem = Problem(VALUES, [1, 2, 5], arrivals=4, batches=2)
    worths, near = exact_values(problem), float_values(problem)
    assert worths.optimal == best_of_batch((), (1, 2, 5), 2)
    for values in product(VALUES, repeat=2):
        arrival = Arrival(values[0], 0, 1, values[1:], ())
        tried = best_of_batch(values, (1, 2, 5), 1)
        assert worths.best(arrival, [1, 2, 3]) == tried
        assert near.best(arrival, [1, 2, 3]) == pytest.approx(float(tried), abs=1e-13)
        losses = worths.losses(arrival, [1, 2, 3])
        assert losses[None] == tried - best_of_batch(values[1:], (1, 2, 5), 1)
        assert losses[2] == tried - 2 * values[0] - best_of_batch(values[1:], (1, 5), 1)
        assert worths.losses(arrival, [1, 2, 3])[worths.choice(arrival, [1, 2, 3])] == 0


def test_values_that_are_no_floats_are_those_of_the_law() -> None:
    worths = exact_values(Problem([Fraction(1, 3), 2], [1, 2], arrivals=2, discount=Fraction(1, 2)))
    arrival = Arrival(1 / 3, 1, 0, None, ())
    assert worths.reward(arrival, 2) == Fraction(1, 3)
    assert worths.reward(arrival, None) == 0
    assert worths.to_come(arrival, []) == 0
    assert worths.scale(arrival) == Fraction(1, 2)


def test_an_illegal_action_never_pays() -> None:
    worths = exact_values(Problem([Fraction(-7, 3), 2], [1, 2], arrivals=3, must_fill=True))
    arrival = Arrival(2.0, 0, 2, None, ())
    assert worths.illegal_reward(arrival, [1, 2]) == -7
    assert exact_values(Problem([-7, 2], [1, 2], arrivals=3)).illegal_reward(arrival, [1, 2]) == 0
