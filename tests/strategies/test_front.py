"""The front of mean and standard deviation: its definition, the usual strategies of a game, and what any could do."""

from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import TooLarge
from tentimes18.game import Board, Game
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.front import CLOSE, front, front_of, least_deviations
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
    """Distributions that differ by less than a float distribution is exact to are equally good."""
    law = ScoreDistribution((10, 11), (0.5, 0.5), 1.0)
    other = ScoreDistribution((10, 11), (0.5 + 2**-48, 0.5 - 2**-48), 1.0)
    assert law.mean != other.mean
    assert all(point.efficient for point in front([("a", law), ("b", other)]))


SMALL = Game.parse("1d6", "1-4")


def test_what_is_too_extreme_is_left_out() -> None:
    points = front_of(SMALL, ["utility:exp:50", "optimal"])
    assert [point.strategy for point in points] == ["optimal"]


def test_what_is_wrong_is_not() -> None:
    with pytest.raises(UnknownStrategy):
        front_of(SMALL, ["lucky"])
    with pytest.raises(TooLarge):
        front_of(Game.parse("3d6", "1-30"))


Point = tuple[Fraction, Fraction]


def lower_edge(points: set[Point]) -> list[Point]:
    """The corners of the lower edge of a convex hull, from left to right."""
    edge: list[Point] = []
    for x, y in sorted(points):
        if edge and edge[-1][0] == x:
            continue
        while len(edge) > 1 and (edge[-1][1] - edge[-2][1]) * (x - edge[-2][0]) >= (y - edge[-2][1]) * (
            edge[-1][0] - edge[-2][0]
        ):
            edge.pop()
        edge.append((x, y))
    return edge


def pairs_of_moments(game: Game) -> list[Point]:
    """The lower edge of (E[S], E[S²]) over all strategies, in fractions: hulls of unions, and their weighted sums."""

    @cache
    def reach(free: int, score: Fraction) -> tuple[Point, ...]:
        if not free:
            return ((score, score**2),)
        sums: set[Point] = {(Fraction(0), Fraction(0))}
        for roll in game.dice.support:
            weight, after = game.dice.probability(roll), set()
            for slot, multiplier in enumerate(game.multipliers):
                if free >> slot & 1:
                    after |= set(reach(free ^ (1 << slot), score + multiplier * roll))
            edge = lower_edge(after)
            sums = set(lower_edge({(a + weight * x, b + weight * y) for a, b in sums for x, y in edge}))
        return tuple(lower_edge(sums))

    return list(reach(game.all_free, Fraction(0)))


@pytest.mark.parametrize("text", ["1d3 1-3", "d{1,1,4} 1,1,3", "2d2 -1,2,5", "1d4 1/2,2"])
def test_least_deviations(text: str) -> None:
    """From below, and near, what the polygon of all pairs of moments has; and `optimal` at the right end of it."""
    game = Game.parse(*text.split())
    edge = pairs_of_moments(game)
    optimal = score_distribution(Board(game), named("optimal"))
    assert edge[-1][0] == optimal.mean
    low, high = edge[0][0], edge[-1][0]
    means = [low - 1, *(low + (high - low) * Fraction(part, 16) for part in range(17))]
    close = CLOSE * float(optimal.variance) + 1e-8
    for mean, found in zip(means, least_deviations(game, [float(mean) for mean in means]), strict=True):
        variances = [y - x**2 for x, y in edge if x >= mean]
        for (x, y), (right, above) in pairwise(edge):
            if x < mean <= right:
                variances.append(y + (above - y) * (mean - x) / (right - x) - mean**2)
        assert -1e-8 <= float(min(variances)) - found**2 <= close


def test_no_strategy_is_below_the_least_deviation() -> None:
    points = front_of(SMALL)
    bounds = least_deviations(SMALL, [point.mean for point in points])
    assert all(bound <= point.sd + 1e-9 for point, bound in zip(points, bounds, strict=True))
    assert sum(bound < point.sd - 0.1 for point, bound in zip(points, bounds, strict=True)) > len(points) / 2
