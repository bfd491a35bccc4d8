"""What may still be to come at an arrival, and be known of it."""

from fractions import Fraction

import pytest

from tentimes18.answers.still_to_come import known_of, left_of, lefts_of, lefts_shown
from tentimes18.assignment import Endless, Poisson, Problem, RandomNumber, Regimes, UniformLaw
from tentimes18.errors import Ten18Error

LAW = UniformLaw(0, 1)
CHAIN = Problem([[1, 2], [3, 4]], 1, 5, regimes=Regimes([[0.5, 0.5], [0, 1]]))


def test_what_is_still_to_come() -> None:
    assert lefts_of(Problem(LAW, 2, 4)) == [3, 2, 1, 0]
    assert lefts_of(Problem(LAW, 2, RandomNumber([Fraction(1, 2), Fraction(1, 2)]))) == [1, 0]
    assert lefts_of(Problem(LAW, 1, Endless(), discount=0.5)) == [None]
    times = lefts_of(Problem(LAW, 1, Poisson(2, 5)))
    assert times[0] == 5
    assert [float(time or 0) for time in times] == sorted((float(time or 0) for time in times), reverse=True)
    many = lefts_of(Problem(LAW, 10, 100_000))
    assert len(many) < 50
    assert (many[0], many[-1]) == (99_999, 0)
    assert lefts_shown(times)[0] == 5
    assert len(lefts_shown(times)) <= 12


def test_batches_are_counted_as_batches() -> None:
    problem = Problem(LAW, 2, 7, batches=3)
    assert lefts_of(problem) == [2, 1, 0]
    with pytest.raises(Ten18Error, match="whole number of batches"):
        left_of(problem, 0.5)


def test_what_cannot_be_still_to_come() -> None:
    assert left_of(CHAIN, None) == 4
    with pytest.raises(Ten18Error, match="whole number of arrivals"):
        left_of(CHAIN, 1.5)
    with pytest.raises(Ten18Error, match="never nearer"):
        left_of(Problem(LAW, 1, Endless(), discount=0.5), 3)


def test_what_is_known() -> None:
    ahead = Problem([1, Fraction(1, 3)], 1, 5, ahead=2)
    assert known_of(CHAIN, [1], exact=True) == 1
    assert known_of(ahead, [1, Fraction(1, 3)], exact=True) == (1, Fraction(1, 3))
    assert known_of(ahead, None, exact=True) == ()
    assert known_of(Problem(LAW, 1, 5), None, exact=False) is None
    for problem, known in ((CHAIN, None), (CHAIN, [2]), (CHAIN, [0, 1]), (Problem(LAW, 1, 5), [1])):
        with pytest.raises(Ten18Error) as caught:
            known_of(problem, known, exact=False)
        assert caught.value.field == "known"
