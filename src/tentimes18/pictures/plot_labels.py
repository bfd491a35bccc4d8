"""Names beside the dots of a picture, each where nobody takes it for the name of another.

The labels are placed one after the other, each at the best of many places around its dot. What must not be: that it
leaves the axes, covers a dot or another label, or is nearer to another dot than to its own, unless a thin line leads
from it to its dot. What should not be: that it is on a curve, that its line crosses something, that it is far away. A
label that finds no place is left out: a dot without a name says less, but nothing wrong.
"""

from collections.abc import Iterator, Sequence
from math import cos, hypot, radians, sin
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.path import Path
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from tentimes18.pictures.colours import QUIET, WHITE

DISTANCES = (7.0, 10.0, 16.0, 24.0, 32.0, 42.0, 54.0, 70.0, 90.0)  # points
WITHOUT_LINE = 10.0
ANGLES = range(0, 360, 15)
SLIDES = (0.5, 0.25, 0.75, 0.0, 1.0)  # of its width a label may be left of a dot below or above it
CLEAR = 1.5  # points around every label
GROUND = {"boxstyle": "square,pad=0.05", "facecolor": WHITE, "edgecolor": "none"}  # no grid through letters

OTHER_ANGLE = 12.0
LINE = 10.0
LINE_CROSSES_CURVE = 40.0
LINE_CROSSES = 150.0
ON_CURVE = 250.0
FARTHER_WITH_LINE = 60.0


class _Place(NamedTuple):
    """Where a label could be, in points; the line to its dot, where it is not beside it; and what that costs."""

    box: Bbox
    line: Path | None
    cost: float


class Labels:
    """The labels of the dots in these axes: first say what is there, then `draw`."""

    def __init__(self, axes: Axes) -> None:
        axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # from here on places on the canvas do not move
        self.axes = axes
        self._dots: list[tuple[float, float, float]] = []
        self._curves: list[Path] = []
        self._wanted: list[tuple[tuple[float, float], Annotation, Sequence[int]]] = []

    def avoid(self, x: float, y: float, size: float = 4.0) -> None:
        """There is a dot, this many points from its middle to its edge; a label needs this for its own as well."""
        self._dots.append((*self._points((x, y))[0], size))

    def avoid_line(self, places: Sequence[tuple[float, float]]) -> None:
        """There is a line through these places."""
        self._curves.append(Path(self._points(*places)))

    def add(self, x: float, y: float, text: str, angles: Sequence[int], **font: Any) -> None:
        """A label for the dot at this place, best in the first of these directions, in degrees."""
        style: dict[str, Any] = {"textcoords": "offset points", "ha": "left", "va": "bottom", "bbox": GROUND, **font}
        self._wanted.append(((x, y), self.axes.annotate(text, (x, y), (0, 0), **style), angles))

    def draw(self) -> None:
        """Move every label to its place, with a line to its dot where that is not beside it."""
        drawn: list[_Place] = []
        for place, note, angles in self._wanted:
            dot = self._points(place)[0]
            found = self._best_place(dot, note, angles, drawn)
            if found is None:
                note.remove()
                continue
            drawn.append(found)
            note.set_position((found.box.x0 - dot[0], found.box.y0 - dot[1]))
            if found.line is not None:
                ends = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3}
                corner = tuple(np.asarray(found.line.vertices)[1] - dot)
                self.axes.annotate("", note.xy, corner, textcoords="offset points", arrowprops=ends)
        self._wanted.clear()

    def _points(self, *places: tuple[float, float]) -> Any:
        return np.asarray(self.axes.transData.transform(places)) * 72 / self.axes.figure.dpi

    def _best_place(self, dot: Any, note: Annotation, angles: Sequence[int], drawn: list[_Place]) -> _Place | None:
        others = [other for other in self._dots if hypot(dot[0] - other[0], dot[1] - other[1]) > 0.5]
        best = None
        for place in sorted(self._places(dot, note, angles), key=lambda place: place.cost):
            if best is not None and place.cost >= best.cost:
                break
            if _is_clear(place, dot, others, drawn):
                cost = place.cost + self._crossings(place, dot, others, drawn)
                if best is None or cost < best.cost:
                    best = place._replace(cost=cost)
        return best

    def _places(self, dot: Any, note: Annotation, angles: Sequence[int]) -> Iterator[_Place]:
        """All places inside the axes, with what they cost if nothing else is there."""
        scale = 72 / self.axes.figure.dpi
        extent, edges = note.get_window_extent(), self.axes.get_window_extent().get_points() * scale
        width, height = extent.width * scale, extent.height * scale
        for distance in DISTANCES:
            for angle in ANGLES:
                x, y = distance * cos(radians(angle)), distance * sin(radians(angle))
                for slide in SLIDES if abs(x) < 1 else (float(x < 0),):
                    left = dot[0] + x - slide * width
                    bottom = dot[1] + (y if y > 1 else y - height if y < -1 else -height / 2)
                    (low_x, low_y), (high_x, high_y) = edges
                    if left < low_x or left + width > high_x or bottom < low_y or bottom + height > high_y:
                        continue
                    line = None
                    if distance > WITHOUT_LINE:
                        line = Path([dot + np.array((x, y)) * 6 / distance, dot + np.array((x, y))])
                    wish = angles.index(angle) if angle in angles else len(angles) + OTHER_ANGLE
                    cost = wish + distance + LINE * (line is not None) + (abs(slide - 0.5) if abs(x) < 1 else 0)
                    yield _Place(Bbox.from_bounds(left, bottom, width, height), line, cost)

    def _crossings(self, place: _Place, dot: Any, others: list[Any], drawn: list[_Place]) -> float:
        """What a place costs beside what is there."""
        box, line, _ = place
        cost = ON_CURVE * sum(curve.intersects_bbox(box, filled=False) for curve in self._curves)
        cost += LINE_CROSSES * sum(other.line.intersects_bbox(box, filled=False) for other in drawn if other.line)
        if line is None:
            return cost
        around = [Bbox.from_extents(x - size, y - size, x + size, y + size) for x, y, size in others]
        around += [other.box.padded(CLEAR) for other in drawn]
        cost += LINE_CROSSES * sum(line.intersects_bbox(other, filled=False) for other in around)
        cost += LINE_CROSSES * sum(line.intersects_path(other.line, filled=False) for other in drawn if other.line)
        cost += LINE_CROSSES_CURVE * sum(line.intersects_path(curve, filled=False) for curve in self._curves)
        is_farther = any(_gap(box, other) <= _gap(box, dot) + CLEAR for other in others)
        return cost + FARTHER_WITH_LINE * is_farther


def _is_clear(place: _Place, dot: Any, others: list[Any], drawn: list[_Place]) -> bool:
    """Whether a label covers nothing there, and is nearest to its own dot, or has a line to it."""
    box, line, _ = place
    if any(box.overlaps(other.box.padded(CLEAR)) for other in drawn):
        return False
    gaps = [(_gap(box, other), other[2]) for other in others]
    own = _gap(box, dot) + CLEAR
    return all(gap >= size + CLEAR and (line is not None or gap > own) for gap, size in gaps)


def _gap(box: Bbox, dot: Any) -> float:
    """From a box to a dot; nothing where it is inside."""
    return hypot(max(0.0, box.x0 - dot[0], dot[0] - box.x1), max(0.0, box.y0 - dot[1], dot[1] - box.y1))
