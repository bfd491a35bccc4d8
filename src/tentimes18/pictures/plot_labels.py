"""Names beside the dots of a picture, each where nobody takes it for the name of another.

A label is tried in many places around its dot. What must not be: that it leaves the axes, covers a dot or another
label, or stands nearer to another dot than to its own, unless a thin line leads from it to its dot. What should not be:
that it lies on a curve, that its line crosses something, that it is far away. All labels are placed together: each
takes the place that costs least beside the others, in turns, until none moves; covering another label gets dearer from
turn to turn. One that finds no place is left out: a dot without a name says less, but nothing wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation
from numpy.typing import NDArray

from tentimes18.pictures.colours import QUIET, WHITE

Floats: TypeAlias = NDArray[np.float64]
"""Boxes are rows of left, bottom, right, top; segments are rows of x, y, x, y; all in points."""

DISTANCES: Final = (7.0, 10.0, 16.0, 24.0, 32.0, 42.0, 54.0, 70.0, 90.0)  # points
WITHOUT_LINE: Final = 10.0
ANGLES: Final = range(0, 360, 15)
SLIDES: Final = (0.5, 0.25, 0.75, 0.0, 1.0)  # of its width a label may be left of a dot below or above it
CLEAR: Final = 1.5  # points around every label
GROUND: Final = {"boxstyle": "square,pad=0.05", "facecolor": WHITE, "edgecolor": "none"}  # no grid through letters

# What a place costs; what must not be costs as much as MUST_NOT or more.
OTHER_ANGLE: Final = 12.0
LINE: Final = 10.0
LINE_CROSSES_CURVE: Final = 40.0
LINE_CROSSES: Final = 150.0
ON_CURVE: Final = 250.0
FARTHER_WITH_LINE: Final = 60.0
MUST_NOT: Final = 10_000.0
PRICES: Final = (50.0, 500.0, MUST_NOT)  # of covering another label, from turn to turn
TURNS: Final = 8  # at each price


@dataclass(frozen=True, slots=True, eq=False)
class _Label:
    """A text at a dot, the boxes that it could have, and what each costs whatever the others do."""

    text: Annotation
    dot: Floats
    boxes: Floats
    lines: Floats
    has_line: NDArray[np.bool_]
    costs: Floats


class Labels:
    """The labels of the dots in these axes: first say what is there, then `draw`."""

    def __init__(self, axes: Axes) -> None:
        axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # from here on places on the canvas do not move
        self.axes = axes
        self._dots: list[tuple[float, float, float]] = []
        self._curves: list[Floats] = []
        self._wanted: list[tuple[tuple[float, float], Annotation, tuple[int, ...]]] = []

    def avoid(self, x: float, y: float, size: float = 4.0) -> None:
        """There is a dot, this many points from its middle to its edge; a label needs this for its own as well."""
        self._dots.append((*self._points((x, y))[0], size))

    def avoid_line(self, places: Sequence[tuple[float, float]]) -> None:
        """There is a line through these places."""
        line = self._points(*places)
        self._curves.append(np.hstack((line[:-1], line[1:])))

    def add(self, x: float, y: float, text: str, angles: Sequence[int], **font: Any) -> None:
        """A label for the dot at this place, best in the first of these directions, in degrees."""
        style: dict[str, Any] = {"textcoords": "offset points", "ha": "left", "va": "bottom", "bbox": GROUND, **font}
        note = self.axes.annotate(text, (x, y), (0, 0), **style)
        self._wanted.append(((x, y), note, tuple(angles)))

    def draw(self) -> None:
        """Move every label to its place, with a line to its dot where that is not beside it."""
        labels = [self._label(*wanted) for wanted in self._wanted]
        for label, place in zip(labels, _chosen(labels), strict=True):
            if place is None:
                label.text.remove()
                continue
            offset = label.boxes[place, :2] - label.dot
            label.text.set_position(tuple(offset.tolist()))
            if label.has_line[place]:
                ends = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3}
                corner = label.lines[place, 2:] - label.dot
                self.axes.annotate("", label.text.xy, tuple(corner), textcoords="offset points", arrowprops=ends)
        self._wanted.clear()

    def _points(self, *places: tuple[float, float]) -> Floats:
        found: Floats = np.asarray(self.axes.transData.transform(places), dtype=np.float64)
        return found * 72 / self.axes.figure.dpi

    def _label(self, place: tuple[float, float], text: Annotation, angles: tuple[int, ...]) -> _Label:
        extent = text.get_window_extent()
        width, height = (length * 72 / self.axes.figure.dpi for length in (extent.width, extent.height))
        dot = self._points(place)[0]
        x, y, slide, distance, direction = _around()
        below = np.where(y > 1, y, np.where(y < -1, y - height, -height / 2))
        boxes = dot + np.column_stack((x - slide * width, below))
        boxes = np.hstack((boxes, boxes + np.array((width, height))))
        reach = np.column_stack((x, y))
        lines = np.hstack((dot + reach * (6 / np.hypot(x, y))[:, None], dot + reach))
        far = distance > WITHOUT_LINE
        wishes = [angles.index(angle) if angle in angles else len(angles) + OTHER_ANGLE for angle in ANGLES]
        wish = np.array(wishes)[direction.astype(np.int64)]
        costs = wish + distance + LINE * far + abs(slide - 0.5) * (abs(x) < 1)
        return _Label(text, dot, boxes, lines, far, costs + self._static(dot, boxes, lines, far))

    def _static(self, dot: Floats, boxes: Floats, lines: Floats, has_line: NDArray[np.bool_]) -> Floats:
        """What the places of a label cost by dots, curves and edges alone."""
        extent = self.axes.get_window_extent()
        edges = np.array(extent.extents) * 72 / self.axes.figure.dpi
        is_out = (boxes[:, :2] < edges[:2]).any(axis=1) | (boxes[:, 2:] > edges[2:]).any(axis=1)
        costs = np.where(is_out, MUST_NOT, 0.0)
        others = np.array([other for other in self._dots if np.hypot(*(dot - other[:2])) > 0.5]).reshape(-1, 3)
        own_gap = _gaps(boxes, dot[None])[:, 0]
        if len(others):
            gaps = _gaps(boxes, others[:, :2])
            costs += MUST_NOT * (gaps < others[:, 2] + CLEAR).sum(axis=1)
            is_farther = gaps.min(axis=1) <= own_gap + CLEAR
            costs += is_farther * np.where(has_line, FARTHER_WITH_LINE, MUST_NOT)
            around = np.hstack((others[:, :2] - others[:, 2:], others[:, :2] + others[:, 2:]))
            costs += has_line * LINE_CROSSES * _crossings(lines, around).sum(axis=1)
        for whole in self._curves:
            curve = _near(whole, np.vstack((boxes, dot[[0, 1, 0, 1]])))
            costs += ON_CURVE * _crossings(curve, boxes).any(axis=0)
            costs += has_line * LINE_CROSSES_CURVE * _meetings(lines, curve).any(axis=1)
        return costs


@cache
def _around() -> Floats:
    """Where labels are tried around a dot: rows of x, y, the slide, the distance, and which of `ANGLES` it is."""
    tries = []
    for distance in DISTANCES:
        for direction, angle in enumerate(ANGLES):
            x, y = distance * np.cos(np.radians(angle)), distance * np.sin(np.radians(angle))
            slides = SLIDES if abs(x) < 1 else (float(x < 0),)
            tries += [(x, y, slide, distance, direction) for slide in slides]
    return np.array(tries, dtype=np.float64).T


def _chosen(labels: Sequence[_Label]) -> list[int | None]:
    """The place of each label; none for those that would lie where they must not."""
    places = [int(label.costs.argmin()) for label in labels]
    for price in PRICES:
        for _ in range(TURNS):
            before = places[:]
            for number, label in enumerate(labels):
                places[number] = int((label.costs + _crowding(labels, places, number, price)).argmin())
            if places == before:
                break
    chosen: list[int | None] = []
    for number, label in enumerate(labels):
        cost = label.costs + _crowding(labels, places, number, MUST_NOT, before=chosen)
        chosen.append(places[number] if cost[places[number]] < MUST_NOT else None)
    return chosen


def _crowding(
    labels: Sequence[_Label],
    places: Sequence[int],
    number: int,
    price: float,
    before: Sequence[int | None] | None = None,
) -> Floats:
    """What every place of a label costs by the others; of those ``before`` it, where they are known, those drawn."""
    label = labels[number]
    others = [
        (other, places[i])
        for i, other in enumerate(labels)
        if i != number and (before is None or (i < len(before) and before[i] is not None))
    ]
    boxes = np.array([other.boxes[place] for other, place in others]).reshape(-1, 4)
    boxes += np.array((-CLEAR, -CLEAR, CLEAR, CLEAR))
    lines = np.array([other.lines[place] for other, place in others if other.has_line[place]]).reshape(-1, 4)
    crossed = _crossings(label.lines, boxes).sum(axis=1) + _meetings(label.lines, lines).sum(axis=1)
    crossing = _crossings(lines, label.boxes).sum(axis=0) + label.has_line * crossed
    costs: Floats = price * _overlaps(label.boxes, boxes).sum(axis=1) + LINE_CROSSES * crossing
    return costs


def _near(curve: Floats, boxes: Floats) -> Floats:
    """The segments of a curve that may meet something between all these boxes."""
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    starts, ends = curve[:, :2], curve[:, 2:]
    is_near = (np.maximum(starts, ends) >= low) & (np.minimum(starts, ends) <= high)
    near: Floats = curve[is_near.all(axis=1)]
    return near


def _overlaps(boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which box covers something of which other."""
    meets = (boxes[:, None, :2] < others[:, 2:]) & (boxes[:, None, 2:] > others[:, :2])
    covers: NDArray[np.bool_] = meets[..., 0] & meets[..., 1]
    return covers


def _gaps(boxes: Floats, dots: Floats) -> Floats:
    """From every box to every dot, nothing inside of it."""
    below, above = boxes[:, None, :2] - dots, dots - boxes[:, None, 2:]
    gaps: Floats = np.hypot(*np.moveaxis(np.maximum(0, np.maximum(below, above)), -1, 0))
    return gaps


def _crossings(segments: Floats, boxes: Floats) -> NDArray[np.bool_]:
    """Which segment meets which box: the parts of it that lie between left and right, and between top and bottom."""
    start, way = segments[:, None, :2], (segments[:, 2:] - segments[:, :2])[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (boxes[:, :2] - start) / way, (boxes[:, 2:] - start) / way
    is_level = way == 0
    is_between = (start > boxes[:, :2]) & (start < boxes[:, 2:])
    first = np.where(is_level, np.where(is_between, 0, np.inf), np.minimum(low, high)).max(axis=-1)
    last = np.where(is_level, np.where(is_between, 1, -np.inf), np.maximum(low, high)).min(axis=-1)
    meets: NDArray[np.bool_] = np.maximum(first, 0) < np.minimum(last, 1)
    return meets


def _meetings(segments: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which segment meets which other segment: the ends of each lie on both sides of the other."""

    def sides(lines: Floats, points: Floats) -> Floats:
        way = lines[:, None, 2:] - lines[:, None, :2]
        off = points[None] - lines[:, None, :2]
        found: Floats = np.sign(way[..., 0] * off[..., 1] - way[..., 1] * off[..., 0])
        return found

    apart = sides(segments, others[:, :2]) * sides(segments, others[:, 2:])
    across = sides(others, segments[:, :2]) * sides(others, segments[:, 2:])
    return (apart < 0) & (across.T < 0)
