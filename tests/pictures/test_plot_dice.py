"""The picture of dice: dots where rolls are, at their chances, and lines that end where the dice do."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tentimes18.dice import Dice
from tentimes18.pictures.plot_scores import plot_dice
from tests.support.games import law_of


def line(figure: Figure, label: str) -> Line2D:
    return next(line for line in figure.axes[0].lines if line.get_label() == label)


def points_of(found: Line2D) -> dict[float, float]:
    return dict(zip(np.asarray(found.get_xdata()).tolist(), np.asarray(found.get_ydata()).tolist(), strict=True))


@pytest.mark.parametrize("notations", [["3d6", "4d6kh3", "1d20"], ["1d6!"], ["2d6*2"], ["d{1:3,7:1}", "2d2-5"]])
def test_dots_are_the_chances(notations: list[str]) -> None:
    dice = [Dice.parse(text) for text in notations]
    figure = plot_dice(dice)
    for one in dice:
        drawn, law = line(figure, str(one)), law_of(one)
        shown = points_of(drawn)
        assert {place: height for place, height in shown.items() if height} == {
            roll: float(chance) for roll, chance in law.items()
        }
        assert (min(shown), max(shown)) == (min(law), max(law)), "no line beyond the dice"
        held: Any = drawn.get_markevery()
        dots = [list(shown.values())[place] for place in held]
        assert all(dots), "no dot where no roll is"
        assert len(dots) == len(law)
        assert list(points_of(line(figure, f"{one}, mean"))) == [float(one.mean)]


def test_steps_of_that_or_less() -> None:
    dice = Dice.parse("4d6kh3")
    figure = plot_dice([dice], cumulative=True)
    drawn = line(figure, "4d6kh3")
    assert drawn.get_drawstyle() == "steps-post"
    below = Fraction(0)
    assert points_of(drawn)[2] == 0
    for roll, chance in law_of(dice).items():
        below += chance
        assert points_of(drawn)[roll] == pytest.approx(float(below))
    assert figure.texts[0].get_text() == "Half of the rolls show 12 or less with 4d6kh3"


@pytest.mark.parametrize(
    ("notations", "says"),
    [
        (["3d6"], "3d6 shows 10.5 on average, nine times in ten 6 to 15"),
        (["3d6", "1d20"], "All show 10.5 on average"),
        (["3d6", "4d6kh3"], "4d6kh3 shows 12.24 on average, 1.7 more than 3d6"),
    ],
)
def test_message(notations: list[str], says: str) -> None:
    assert plot_dice([Dice.parse(text) for text in notations]).texts[0].get_text() == says


def test_faces_far_apart_fill_no_memory() -> None:
    figure = plot_dice([Dice.parse("d{0,1,999999999999}")])
    assert len(np.asarray(figure.axes[0].lines[0].get_xdata())) <= 10_001
    assert figure.axes[0].get_ylabel() == "rolls in each bin of 100,000,000"
