"""The secretary problem against the brute force over all orders, closed forms and limits."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import exp, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.assignment.secretary import Reward, Secretary, secretary
from tentimes18.errors import Ten18Error, TooLarge
from tests.oracle import closed_forms
from tests.oracle.secretary import Secretary as Enumerated
from tests.oracle.secretary import choose_for, choose_low_ranks, choose_the_best

CASES = [(n, choices) for n in range(1, 6) for choices in range(1, n + 1)]
Twin = Callable[[int, int], Enumerated]


@pytest.mark.parametrize(("n", "choices"), CASES)
@pytest.mark.parametrize(("reward", "twin", "sign"), [("best", choose_the_best, 1), ("rank", choose_low_ranks, -1)])
def test_it_is_the_best_of_all_rules(n: int, choices: int, reward: Reward, twin: Twin, sign: int) -> None:
    found = secretary(n, reward, choices, exact=True)
    enumerated = twin(n, choices)
    assert found.value == sign * enumerated.value
    is_within_its_error(secretary(n, reward, choices), found, 1e-12)
    for history in [(1,), (1, 1), (1, 2), (1, 1, 1), (1, 2, 3), (1, 1, 3), (1, 2, 2)]:
        if len(history) <= n:
            assert found.takes(len(history), history[-1], choices) == enumerated.takes(history, ())
    chances = enumerated.chosen()
    for t, chance in enumerate(found.arrivals(), start=1):
        assert chance == pytest.approx(float(sum(p for (at, _), p in chances.items() if at == t)), abs=1e-13)
    for rank, chance in enumerate(found.ranks(), start=1):
        assert chance == pytest.approx(float(sum(p for (_, of), p in chances.items() if of == rank)), abs=1e-13)


@given(
    st.lists(st.fractions(0, 5, max_denominator=7), min_size=1, max_size=4).map(lambda w: sorted(w, reverse=True)),
    st.integers(1, 4),
    st.data(),
)
def test_any_rewards(rewards: list[Fraction], n: int, data: st.DataObject) -> None:
    choices = data.draw(st.integers(1, n))
    padded = [*rewards, *[Fraction(0)] * n][:n]
    found = secretary(n, rewards, choices, exact=True)
    assert found.value == choose_for(n, choices, padded).value
    is_within_its_error(secretary(n, rewards, choices), found, 1e-12)


def is_within_its_error(rounded: Secretary, exact: Secretary, close: float) -> None:
    assert exact.error == 0
    assert abs(Fraction(rounded.value) - Fraction(exact.value)) <= rounded.error < close


def test_one_choice_of_the_best() -> None:
    for n in (1, 2, 3, 10, 97, 100):
        value, refused = closed_forms.secretary_best(n)
        found = secretary(n, exact=True)
        assert found.value == value
        first = found.first()
        assert first is not None
        # Of equal cut-offs the oracle names the one that rejects fewer, we reject.
        assert first == refused + 1 or Fraction(first - 1, n) == found.thresholds[0][first - 2]


def test_the_least_expected_rank_is_that_of_the_encyclopedia() -> None:
    """OEIS A330250, times n!: derived in tests/oracle."""
    for n in range(1, 30):
        assert secretary(n, "rank", exact=True).value == closed_forms.secretary_rank(n)
    assert secretary(10, "rank", exact=True).value * factorial(10) == 9282240


def test_limits() -> None:
    many = 1_000_000
    assert secretary(many).value == pytest.approx(exp(-1), abs=1e-6)
    assert secretary(many, choices=2).value == pytest.approx(closed_forms.SECRETARY_TWO_CHOICES, abs=1e-6)
    assert secretary(many, "rank").value == pytest.approx(closed_forms.secretary_rank_limit(), abs=1e-4)
    two = secretary(many, choices=2)
    assert two.first(left=1) == pytest.approx(many * exp(-1), abs=2)
    assert two.first(left=2) == pytest.approx(many * exp(-1.5), abs=2)


def test_a_rank_that_is_taken_is_taken_ever_after() -> None:
    for reward in ("best", "rank", [5, 3, 3, 1]):
        found = secretary(80, reward, 3)
        for row in found.taken:
            assert all(now <= then for now, then in pairwise(row))
        for left in (1, 2):  # with more choices left one is less strict
            assert np.all(found.taken[left] >= found.taken[left - 1])
        for rank, first in found.rule(2):
            assert found.takes(first, rank, 2)
            assert first == rank or not found.takes(first - 1, rank, 2)


def test_the_chances_of_who_is_chosen_add_up() -> None:
    best, rank = secretary(200, choices=3), secretary(200, "rank", 3)
    assert best.ranks(1)[0] == pytest.approx(best.value, abs=1e-12)
    assert rank.arrivals().sum() == pytest.approx(3, abs=1e-12)
    assert rank.ranks(200) @ np.arange(1, 201) == pytest.approx(rank.value, rel=1e-12)
    assert np.array_equal(rank.ranks(), rank.ranks(200)[:100])


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"n": 0}, "n"),
        ({"n": 2.5}, "n"),
        ({"n": True}, "n"),
        ({"n": 5, "choices": 0}, "choices"),
        ({"n": 5, "choices": 6}, "choices"),
        ({"n": 5, "reward": "worst"}, "reward"),
        ({"n": 5, "reward": []}, "reward"),
        ({"n": 5, "reward": [1, 2]}, "reward"),
        ({"n": 5, "reward": [1, -2]}, "reward"),
        ({"n": 5, "reward": [float("nan")]}, "reward"),
        ({"n": 5, "reward": [0.5], "exact": True}, "reward"),
    ],
)
def test_bad_input(given_: dict[str, object], field: str) -> None:
    with pytest.raises(Ten18Error) as found:
        secretary(**given_)  # type: ignore[arg-type]
    assert found.value.field == field
    assert "\n" not in str(found.value)


def test_bad_questions() -> None:
    found = secretary(5, choices=2)
    for ask, field in (
        (lambda: found.first(rank=6), "rank"),
        (lambda: found.first(left=3), "left"),
        (lambda: found.takes(0, 1), "arrival"),
        (lambda: found.takes(2, 3), "rank"),
        (lambda: found.ranks(0), "most"),
    ):
        with pytest.raises(Ten18Error) as error:
            ask()
        assert error.value.field == field


def test_what_does_not_fit_is_rejected() -> None:
    with pytest.raises(TooLarge, match="the limit is"):
        secretary(10**12)
    with pytest.raises(TooLarge, match="the limit is"):
        secretary(10**6, exact=True)
