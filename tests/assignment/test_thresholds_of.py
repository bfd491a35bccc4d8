"""The thresholds of any distribution."""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Dice, exact_thresholds
from tentimes18.assignment import thresholds_of
from tentimes18.solve.thresholds import ExactRow
from tests.oracle import assignment as oracle
from tests.support.games import dice, law_of


def fractions(rows: Sequence[ExactRow]) -> list[list[Fraction]]:
    return [list(row) for row in rows]


@settings(max_examples=20)
@given(dice(), st.integers(1, 6))
def test_dice_are_a_distribution(one: Dice, n: int) -> None:
    assert thresholds_of([one] * n) == fractions(exact_thresholds(one, n))


@settings(max_examples=20)
@given(st.lists(dice(max_rolls=2), min_size=1, max_size=4), st.data())
def test_another_distribution_each_round(dists: list[Dice], data: st.DataObject) -> None:
    """The j-th is that of the roll with j free slots; Σ λ_i E_n[i] is the value, whatever the multipliers."""
    n = len(dists)
    rows = thresholds_of(dists)
    ladders = [[Fraction(0)] * below + [Fraction(1)] * (n - below) for below in range(n)]
    drawn = sorted(data.draw(st.lists(st.fractions(-3, 3, max_denominator=3), min_size=n, max_size=n)))
    for multipliers in [*ladders, drawn]:
        expected = sum(m * threshold for m, threshold in zip(multipliers, rows[-1], strict=True))
        laws = [{Fraction(x): chance for x, chance in law_of(dist).items()} for dist in reversed(dists)]
        arrivals = oracle.in_order(laws)
        assert expected == oracle.Tree(arrivals, multipliers, may_stay_empty=False).value
