"""The front of a game: the usual strategies measured, or those that are named."""

import pytest

from tentimes18.errors import TooLarge
from tentimes18.game import Board, Game
from tentimes18.solve.objectives.front import front_names
from tentimes18.strategies.front import front_of
from tentimes18.strategies.named import UnknownStrategy, named
from tentimes18.strategies.strategy import score_law

SMALL = Game.parse("1d6", "1-4")


def test_the_usual_strategies() -> None:
    points = front_of(SMALL)
    assert {point.strategy for point in points} == set(front_names(SMALL))
    assert [point.sd for point in points] == sorted(point.sd for point in points)
    for point in points:
        law = score_law(Board(SMALL), named(point.strategy))
        assert point.mean == pytest.approx(float(law.mean), rel=1e-12)
        assert point.sd == pytest.approx(law.sd, rel=1e-9)
    best = max(points, key=lambda point: point.mean)
    assert best.efficient
    assert best.mean == pytest.approx(float(named("optimal").law(Board(SMALL)).mean), rel=1e-12)


def test_what_is_too_extreme_is_left_out() -> None:
    points = front_of(SMALL, ["utility:exp:50", "optimal"])
    assert [point.strategy for point in points] == ["optimal"]


def test_what_is_wrong_is_not() -> None:
    with pytest.raises(UnknownStrategy):
        front_of(SMALL, ["lucky"])
    with pytest.raises(TooLarge):
        front_of(Game.parse("3d6", "1-30"))


def test_progress_counts_what_is_left_out() -> None:
    told: list[tuple[int, int]] = []
    front_of(SMALL, ["utility:exp:50", "optimal"], lambda *at: told.append(at))
    shares = [done / total for done, total in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.5, 1.0)
