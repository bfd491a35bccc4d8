"""Labels belong to their own dots: measured on the drawn picture, with the boxes of the renderer."""

from collections.abc import Sequence
from itertools import combinations
from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from tentimes18.game import Game
from tentimes18.pictures.plot_aims import plot_front, plot_target
from tentimes18.pictures.plot_style import Labels, canvas, styled
from tentimes18.strategies.front import front_names
from tests.support.solved import usual_front

Place = tuple[float, float]

DOT = 3.0  # points from the middle of the smallest dot to its edge
ALL = tuple(range(0, 360, 45))
GAMES = [("d{1,2}", "1-3"), ("2d12:12=2", "1-5"), ("d{-5,0,1000}", "1/3,1/2,7"), ("3d6", "1-10")]


def gap(box: Bbox, dot: Place) -> float:
    """From a box to a dot; nothing where it covers it."""
    return hypot(max(0, box.x0 - dot[0], dot[0] - box.x1), max(0, box.y0 - dot[1], dot[1] - box.y1))


def dots_of(axes: Axes) -> list[Place]:
    """All single dots of the axes, on the canvas; those that only mark a curve belong to it."""
    lines = [np.asarray(line.get_xydata()) for line in axes.lines if line.get_marker() not in ("", "None", None)]
    return [tuple(axes.transData.transform(places[0])) for places in lines if len(places) == 1]


def faults(axes: Axes, dots: Sequence[Place] | None = None) -> list[str]:
    """What is wrong with the labels of these axes."""
    figure = axes.figure
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    dots = dots_of(axes) if dots is None else dots
    notes = [text for text in axes.texts if isinstance(text, Annotation)]
    labels = {note: note.get_window_extent() for note in notes if note.get_text()}
    with_line = {note.xy for note in notes if not note.get_text()}
    edges = axes.get_window_extent()
    found = [
        f"{one.get_text()} covers {other.get_text()}"
        for one, other in combinations(labels, 2)
        if labels[one].overlaps(labels[other])
    ]
    for note, box in labels.items():
        name, own = note.get_text(), tuple(axes.transData.transform(note.xy))
        if box.x0 < edges.x0 - 0.5 or box.x1 > edges.x1 + 0.5 or box.y0 < edges.y0 - 0.5 or box.y1 > edges.y1 + 0.5:
            found.append(f"{name} leaves the axes")
        if gap(box, own) < DOT:
            found.append(f"{name} covers its own dot")
        others = [dot for dot in dots if hypot(dot[0] - own[0], dot[1] - own[1]) > 0.5]
        nearest = min((gap(box, dot) for dot in others), default=np.inf)
        if nearest < DOT:
            found.append(f"{name} covers a dot of another")
        if nearest <= gap(box, own) and note.xy not in with_line:
            found.append(f"{name} is nearer to another dot, without a line to its own")
    return found


@styled
def drawn(places: Sequence[Place], texts: Sequence[str], angles: Sequence[int] = ALL) -> Axes:
    """Labels at these places of axes that go from 0 to 1."""
    _, axes = canvas("title", "subtitle")
    axes.set(xlim=(0, 1), ylim=(0, 1))
    labels = Labels(axes)
    for x, y in places:
        axes.plot(x, y, "o", markersize=6)
        labels.avoid(x, y)
    for (x, y), text in zip(places, texts, strict=True):
        labels.add(x, y, text, angles)
    labels.draw()
    return axes


def names_in(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts if text.get_text()]


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_targets(dice: str, slots: str) -> None:
    """Two dots above each other, as near as they like."""
    for axes in plot_target(Game.parse(dice, slots)).axes:
        assert faults(axes) == []
        assert len(names_in(axes)) == len(dots_of(axes))


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_the_front(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    (axes,) = plot_front(game, usual_front(game)).axes
    assert faults(axes) == []
    assert len(names_in(axes)) == len(dots_of(axes))
    assert len(front_names(game)) >= len(dots_of(axes))


@settings(max_examples=10)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=14),
    st.lists(st.text("abcxyz:.0123456789", min_size=1, max_size=22), min_size=14, max_size=14),
)
def test_any_dots(places: list[Place], texts: list[str]) -> None:
    """A label may be left out where there is no place for it, but none is wrong."""
    axes = drawn(places, texts[: len(places)])
    assert faults(axes) == []


@settings(max_examples=6)
@given(st.lists(st.tuples(st.floats(0.49, 0.51), st.floats(0.49, 0.51)), min_size=2, max_size=9, unique=True))
def test_a_crowd_has_all_its_names(places: list[Place]) -> None:
    texts = [f"label {number}" for number in range(len(places))]
    axes = drawn(places, texts)
    assert faults(axes) == []
    assert sorted(names_in(axes)) == texts


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_lonely_label_gets_its_first_choice(angle: int) -> None:
    axes = drawn([(0.5, 0.5)], ["name"], (angle,))
    box, dot = axes.texts[0].get_window_extent(), axes.transData.transform((0.5, 0.5))
    assert {0: box.x0 > dot[0], 180: box.x1 < dot[0], 90: box.y0 > dot[1], 270: box.y1 < dot[1]}[angle]
    assert gap(box, tuple(dot)) < 8


@pytest.mark.parametrize("curve", [[(0, 1), (1, 0)], [(0, 0), (1, 1)], [(0, 0.5), (1, 0.5)], [(0.5, 0), (0.5, 1)]])
def test_a_label_keeps_off_a_curve(curve: list[Place]) -> None:
    _, axes = canvas("title", "subtitle")
    axes.set(xlim=(0, 1), ylim=(0, 1))
    labels = Labels(axes)
    labels.avoid_line(curve)
    labels.add(0.5, 0.5, "a long label", ALL)
    labels.draw()
    box = axes.texts[0].get_window_extent()
    assert not Path(axes.transData.transform(curve)).intersects_bbox(box, filled=False)
