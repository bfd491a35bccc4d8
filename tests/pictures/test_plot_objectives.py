"""The pictures of targets and of the front, against the oracle's best play for all objectives."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tentimes18.game import Board, Game
from tentimes18.pictures.plot_aims import plot_front, plot_target
from tentimes18.solve.aims import chance_table
from tentimes18.strategies.front import front_names, front_of
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import score_distribution
from tests.oracle import sequences
from tests.oracle.aims import best_chance
from tests.oracle.play import best_slots
from tests.support.drawn import places, title
from tests.support.games import games, law_of
from tests.support.solved import usual_front

CLASSIC = Game.classic()
FRONT = front_names(CLASSIC)
BELOW = {"random": "577.5", "utility:exp:0.1": "608.3"}  # too far to be drawn in their place


def points_of(axes: Axes, label: str) -> list[tuple[float, float]]:
    return places(next(line for line in axes.lines if line.get_label() == label))


@settings(max_examples=12)
@given(games(max_slots=3, max_rolls=3))
def test_chances_against_the_oracle(game: Game) -> None:
    law = law_of(game.dice)

    def choose(free: frozenset[int], _: object, roll: int) -> int:
        return best_slots(law, game.multipliers, free, roll)[0]

    usual = sequences.law_of(law, game.multipliers, choose)
    upper, lower = plot_target(game).axes
    best, with_optimal, gains = (
        points_of(axes, label) for axes, label in ((upper, "aimed at"), (upper, "optimal"), (lower, "gain"))
    )
    for (place, chance), (_, usual_chance), (_, gain) in zip(best, with_optimal, gains, strict=True):
        target = Fraction(place).limit_denominator(12)
        assert chance == pytest.approx(float(best_chance(law, game.multipliers, target)))
        assert usual_chance == pytest.approx(float(sum(share for score, share in usual.items() if score >= target)))
        assert gain == pytest.approx(chance - usual_chance)


def test_the_largest_gain_of_the_classic_game() -> None:
    figure = plot_target(CLASSIC)
    assert title(figure) == "Aiming at 690 lifts its chance most, from 19.6% to 23.5%"
    upper, lower = figure.axes
    gains = dict(points_of(lower, "gain"))
    assert max(gains, key=gains.__getitem__) == 690
    assert {text.get_text() for text in upper.texts} == {"aiming at 690: 23.5%", "optimal: 19.6%"}
    assert [text.get_text() for text in lower.texts] == ["+3.9 percentage points"]
    law = score_distribution(Board(CLASSIC), named("target:690"), exact=False)
    assert f"{float(law.at_least(690)):.1%}" == "23.5%"
    aims = [place for place, _ in points_of(upper, "aimed at")]
    assert aims == sorted(set(aims))
    assert upper.get_xlim() == lower.get_xlim()


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "7"), ("d{5}", "1-3"), ("d{0}", "0")])
def test_games_where_optimal_is_best_for_all_targets(dice: str, slots: str) -> None:
    figure = plot_target(Game.parse(dice, slots))
    assert title(figure) == "No target needs another play than optimal"
    assert not any(axes.texts for axes in figure.axes)


def test_many_targets_are_thinned_but_the_best_is_found() -> None:
    game = Game.parse("1d1500", "1,2")
    figure = plot_target(game)
    assert len(points_of(figure.axes[0], "aimed at")) <= 2001
    law, table = score_distribution(Board(game), named("optimal")), chance_table(game)
    top = int(title(figure).split()[2].replace(",", ""))
    gains = {target: float(table.chance(target) - law.at_least(target)) for target in range(3, 4_501)}
    assert gains[top] == pytest.approx(max(gains.values()))


@pytest.fixture(scope="module")
def front() -> Figure:
    return plot_front(CLASSIC, usual_front(CLASSIC))


def test_points_of_the_front(front: Figure) -> None:
    axes = front.axes[0]
    found = {point.strategy: point for point in usual_front(CLASSIC)}
    assert sorted(found) == sorted(FRONT)
    for name, point in found.items():
        ((place, height),) = points_of(axes, name)
        assert place == pytest.approx(point.sd)
        if name in BELOW:  # at the edge, with its mean
            assert height > point.mean + 1
            assert f"{name}, mean {BELOW[name]}" in [text.get_text() for text in axes.texts]
        else:
            assert height == pytest.approx(float(point.mean))
    for name in ("optimal", "cvar:0.1"):
        law = score_distribution(Board(CLASSIC), named(name), exact=False)
        assert points_of(axes, name) == [pytest.approx((law.sd, float(law.mean)))]


def test_joined_are_those_that_nothing_beats(front: Figure) -> None:
    found = {name: points_of(front.axes[0], name)[0] for name in FRONT}
    unbeaten = [
        (place, height)
        for place, height in found.values()
        if not any(x <= place and y >= height and (x, y) != (place, height) for x, y in found.values())
    ]
    assert points_of(front.axes[0], "front") == sorted(unbeaten)
    assert len(unbeaten) > 5


def test_message_of_the_front(front: Figure) -> None:
    assert title(front) == "Safety is cheap at first: 5.2 points less spread cost 3.2 on average, but 10 cost 16"


def test_strategies_that_come_to_the_same_have_one_label() -> None:
    game = Game.parse("d{5}", "1-3")
    figure = plot_front(game, front_of(game, ("random", "optimal", "cvar:0.5")))
    assert [text.get_text() for text in figure.axes[0].texts] == ["optimal and 2 more"]
    assert title(figure) == "The highest mean has the least spread"
