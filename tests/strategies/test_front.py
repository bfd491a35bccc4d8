"""The front of mean and standard deviation: its definition, and the usual strategies of a game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import TooLarge
from tentimes18.game import Board, Game
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.front import front, front_names, front_of
from tentimes18.strategies.named import UnknownStrategy, named
from tentimes18.strategies.strategy import score_distribution


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


def test_rounding_decides_nothing() -> None:
    """Laws that differ by less than a float law is exact to are equally good."""
    law = ScoreDistribution((10, 11), (0.5, 0.5), 1.0)
    other = ScoreDistribution((10, 11), (0.5 + 2**-48, 0.5 - 2**-48), 1.0)
    assert law.mean != other.mean
    assert all(point.efficient for point in front([("a", law), ("b", other)]))


SMALL = Game.parse("1d6", "1-4")


def test_the_usual_strategies() -> None:
    points = front_of(SMALL)
    assert {point.strategy for point in points} == set(front_names(SMALL))
    assert [point.sd for point in points] == sorted(point.sd for point in points)
    for point in points:
        law = score_distribution(Board(SMALL), named(point.strategy))
        assert point.mean == pytest.approx(float(law.mean), rel=1e-12)
        assert point.sd == pytest.approx(law.sd, rel=1e-9)
    best = max(points, key=lambda point: point.mean)
    assert best.efficient
    assert best.mean == pytest.approx(float(named("optimal").distribution(Board(SMALL)).mean), rel=1e-12)


def test_what_is_too_extreme_is_left_out() -> None:
    points = front_of(SMALL, ["utility:exp:50", "optimal"])
    assert [point.strategy for point in points] == ["optimal"]


def test_what_is_wrong_is_not() -> None:
    with pytest.raises(UnknownStrategy):
        front_of(SMALL, ["lucky"])
    with pytest.raises(TooLarge):
        front_of(Game.parse("3d6", "1-30"))
