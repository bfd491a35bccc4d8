"""The front of mean and standard deviation, against its definition."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.game import Board, Game
from tentimes18.solve.objectives.front import FrontPoint, front
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import score_law


def coin(mean: int, deviation: int) -> ScoreDistribution:
    if not deviation:
        return ScoreDistribution((mean,), (1,), 1)
    return ScoreDistribution((mean - deviation, mean + deviation), (1, 1), 2)


# Few different values, so that equal means and equal deviations are common.
laws = st.builds(coin, st.integers(0, 3), st.integers(0, 3))


@given(st.lists(laws, min_size=1, max_size=8))
def test_front(found: list[ScoreDistribution]) -> None:
    points = front((f"strategy {i}", law) for i, law in enumerate(found))
    assert sorted(point.strategy for point in points) == sorted(f"strategy {i}" for i in range(len(found)))
    assert [point.sd for point in points] == sorted(point.sd for point in points)
    by_name = {f"strategy {i}": law for i, law in enumerate(found)}
    for point in points:
        law = by_name[point.strategy]
        assert (point.mean, point.sd) == (float(law.mean), law.sd)
        beaten = any(
            (other.mean >= law.mean and other.variance <= law.variance)
            and (other.mean, other.variance) != (law.mean, law.variance)
            for other in found
        )
        assert point.efficient is not beaten


def test_equal_points_are_both_on_the_front() -> None:
    law = ScoreDistribution((1, 3), (1, 1), 2)
    assert front([("b", law), ("a", law)]) == [FrontPoint("a", 2.0, 1.0, True), FrontPoint("b", 2.0, 1.0, True)]


def test_rounding_decides_nothing() -> None:
    """Laws that differ by less than a float law is exact to are equally good."""
    law = ScoreDistribution((10, 11), (0.5, 0.5), 1.0)
    other = ScoreDistribution((10, 11), (0.5 + 2**-48, 0.5 - 2**-48), 1.0)
    assert law.mean != other.mean
    assert all(point.efficient for point in front([("a", law), ("b", other)]))


def test_no_strategies() -> None:
    assert front([]) == []


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "1-4"), ("d{-5,0,7}:0=3", "-2,0,1/2,3")])
def test_front_of_named_strategies(dice: str, slots: str) -> None:
    """`optimal` has the highest mean, so it is on the front; so is the smallest deviation with its best mean."""
    board = Board(Game.parse(dice, slots))
    names = ("optimal", "random", "cvar:0.1", "utility:exp:0.05", "utility:exp:-0.05", "quantile:0.25")
    laws = [(name, score_law(board, named(name))) for name in names]
    points = {point.strategy: point for point in front(laws)}
    best = max(Fraction(law.mean) for _, law in laws)
    assert points["optimal"].mean == float(best)
    assert next(iter(front(laws))).efficient
    assert points["optimal"].efficient
    assert not points["random"].efficient or points["random"].sd < points["optimal"].sd
