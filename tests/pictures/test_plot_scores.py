"""The picture of scores, against distributions from all sequences of rolls, and against simulated games."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import floor, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tentimes18.dice import Dice
from tentimes18.game import Board, Game
from tentimes18.pictures.plot_scores import half_title, plot_dice, plot_scores
from tentimes18.simulate.games import simulate
from tentimes18.simulate.run import Run
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import named
from tests.oracle import Score, sequences
from tests.oracle.play import best_slots
from tests.support.drawn import places, title
from tests.support.games import games, law_of

CLASSIC = Game.classic()
USUAL = ("random", "optimal", "hindsight")


def line(figure: Figure, label: str) -> Line2D:
    return next(line for line in figure.axes[0].lines if line.get_label() == label)


def points_of(figure: Figure, label: str) -> dict[float, float]:
    """Height by place."""
    return dict(places(line(figure, label)))


def oracle_laws(game: Game) -> dict[str, dict[Score, Fraction]]:
    law = law_of(game.dice)

    def choose(free: frozenset[int], _: object, roll: int) -> int:
        return best_slots(law, game.multipliers, free, roll)[0]

    return {
        "random": sequences.law_of_random(law, game.multipliers),
        "optimal": sequences.law_of(law, game.multipliers, choose),
        "hindsight": sequences.law_of_hindsight(law, game.multipliers),
    }


@settings(max_examples=15)
@given(games(max_slots=3, max_rolls=3))
def test_lines_against_all_sequences_of_rolls(game: Game) -> None:
    figure = plot_scores(game, simulated=0)
    for name, law in oracle_laws(game).items():
        shown = points_of(figure, name)
        assert sum(shown.values()) == pytest.approx(1, abs=0.02)
        middles = sorted(shown)
        width = Fraction(middles[1] - middles[0]).limit_denominator(1000) if len(middles) > 1 else None
        if width is None:
            continue
        bins: dict[int, Fraction] = {}
        for score, share in law.items():
            bins[floor(score / width)] = bins.get(floor(score / width), Fraction(0)) + share
        for place, height in shown.items():
            assert height == pytest.approx(float(bins.get(floor(Fraction(place) / width), 0)), abs=1e-12)
        mean = sum((score * share for score, share in law.items()), Fraction(0))
        assert list(points_of(figure, f"{name}, mean")) == [pytest.approx(float(mean))]


def test_dots_are_the_simulated_games() -> None:
    """Counts of the very run, and each within five standard errors of the line."""
    games_played, seed = 20_000, 7
    figure = plot_scores(CLASSIC, simulated=games_played, seed=seed)
    *_, counts = simulate(Run(CLASSIC, USUAL, seed), games_played)
    for number, name in enumerate(USUAL):
        counted = counts.distribution(CLASSIC, number)
        exact, dots = points_of(figure, name), points_of(figure, f"{name}, simulated")
        assert dots.keys() == exact.keys()
        for place, share in dots.items():
            start = round(place - 4.5)
            assert share == float(counted.at_least(start) - counted.at_least(start + 10))
            error = sqrt(exact[place] * (1 - exact[place]) / games_played)
            assert abs(share - exact[place]) < 5 * error + 1e-5
    assert "dots are 20,000 simulated games" in figure.texts[1].get_text()


def test_lines_differ_without_colour() -> None:
    """As in the paper: random dotted, optimal solid, hindsight dashed; all others in yet other ways."""
    game = Game.parse("1d6", "1-3")
    names = (*USUAL[1:], "target:20", "cvar:0.1", "utility:exp:0.02", "quantile:0.5")
    figures = plot_scores(game, simulated=0), plot_scores(game, names, simulated=0)
    dashes: dict[str, Any] = {}
    for name in ("random", *names):
        found = line(figures[name != "random"], name)
        dashes[name] = found.get_linestyle() if found.is_dashed() is False else found._unscaled_dash_pattern  # type: ignore[attr-defined]
    assert dashes["optimal"] == "-"
    on, off = dashes["random"][1]
    assert on < off
    on, off = dashes["hindsight"][1]
    assert on > 2 * off
    assert len({str(dash) for dash in dashes.values()}) == len(dashes)


@pytest.mark.parametrize(
    "names",
    [USUAL, ("optimal", "target:160", "cvar:0.1", "utility:exp:0.02", "hindsight"), ("optimal", "utility:exp:0.001")],
    ids=",".join,
)
def test_names_do_not_overlap(names: tuple[str, ...]) -> None:
    axes = plot_scores(Game.parse("3d6", "1-5"), names, simulated=0).axes[0]
    boxes = {text.get_text() + str(text.get_position()): text.get_window_extent() for text in axes.texts}
    assert len(boxes) == 2 * len(names)
    for one, other in combinations(boxes.values(), 2):
        assert not one.overlaps(other)
    highest = max(
        max(np.asarray(line.get_ydata())) for line in axes.lines if not str(line.get_label()).endswith("mean")
    )
    peak = axes.transData.transform((0, highest))[1]
    assert all(box.y0 > peak for box in boxes.values())


@pytest.mark.parametrize(
    ("dice", "slots", "names", "says"),
    [
        ("3d6", "1-10", USUAL, "Best play beats random by 65 points; knowing the future adds 11"),
        ("d{5}", "1-3", USUAL, "All make 30 points on average"),
        ("3d6", "1-10", ("optimal",), "optimal makes 642.2 points on average, nine times in ten 545 to 726"),
        ("3d6", "1-10", ("nearest", "optimal"), "optimal makes 642.2 points on average, 0.1 more than nearest"),
    ],
)
def test_message(dice: str, slots: str, names: tuple[str, ...], says: str) -> None:
    assert title(plot_scores(Game.parse(dice, slots), names, simulated=0)) == says


def test_cumulative_lines_are_exact() -> None:
    figure = plot_scores(CLASSIC, simulated=0, cumulative=True)
    for name in USUAL:
        law = named(name).distribution(Board(CLASSIC))
        pairs = places(line(figure, name))
        assert all(share == float(law.at_most(int(score))) for score, share in pairs)
        assert all(low <= high for (_, low), (_, high) in pairwise(pairs))
        assert pairs[0][1] < 0.001
        assert pairs[-1][1] > 0.999
        assert places(line(figure, f"{name}, median"))[0][0] == law.median
    assert figure.axes[0].get_ylabel() == "games that end at this score or less"


@pytest.mark.parametrize(
    ("medians", "says"),
    [
        ([5], "Half of the games end at 5 or less with a"),
        ([7, 5], "Half of the games end at 5 or less with b, 7 with a"),
        ([5, 5], "Half of the games end at 5 or less with each of them"),
        ([3, 1, 2, 4], "Half of the games end at 1 or less with b, 4 with d"),
    ],
)
def test_where_half_end(medians: list[int], says: str) -> None:
    laws = {name: ScoreDistribution((median,), (1,), 1) for name, median in zip("abcd", medians, strict=False)}
    assert half_title(laws, "games", "end at {} or less") == says


@pytest.mark.parametrize("notations", [["3d6", "4d6kh3", "1d20"], ["1d6!"], ["2d6*2"], ["d{1:3,7:1}", "2d2-5"]])
def test_dots_are_the_chances(notations: list[str]) -> None:
    dice = [Dice.parse(text) for text in notations]
    figure = plot_dice(dice)
    for one in dice:
        drawn, law = line(figure, str(one)), law_of(one)
        shown = dict(places(drawn))
        assert {place: height for place, height in shown.items() if height} == {
            roll: float(chance) for roll, chance in law.items()
        }
        assert (min(shown), max(shown)) == (min(law), max(law)), "no line beyond the dice"
        held: Any = drawn.get_markevery()
        dots = [list(shown.values())[place] for place in held]
        assert all(dots), "no dot where no roll is"
        assert len(dots) == len(law)
        assert list(points_of(figure, f"{one}, mean")) == [float(one.mean)]


def test_steps_of_that_or_less() -> None:
    dice = Dice.parse("4d6kh3")
    figure = plot_dice([dice], cumulative=True)
    drawn = line(figure, "4d6kh3")
    assert drawn.get_drawstyle() == "steps-post"
    below = Fraction(0)
    assert dict(places(drawn))[2] == 0
    for roll, chance in law_of(dice).items():
        below += chance
        assert dict(places(drawn))[roll] == pytest.approx(float(below))
    assert figure.texts[0].get_text() == "Half of the rolls show 12 or less with 4d6kh3"


@pytest.mark.parametrize(
    ("notations", "says"),
    [
        (["3d6"], "3d6 shows 10.5 on average, nine times in ten 6 to 15"),
        (["3d6", "1d20"], "All show 10.5 on average"),
        (["3d6", "4d6kh3"], "4d6kh3 shows 12.24 on average, 1.7 more than 3d6"),
    ],
)
def test_message_of_dice(notations: list[str], says: str) -> None:
    assert plot_dice([Dice.parse(text) for text in notations]).texts[0].get_text() == says
