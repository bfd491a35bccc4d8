"""Names beside the dots of a picture, each where it cannot be mistaken for the name of another dot.

The labels are placed one after the other, each at the best of many places around its dot. A label never leaves the axes
or covers a dot or another label; it is nearest to its own dot, unless a thin line leads from it to its dot. A place on
a curve, a line that crosses something, and distance cost. A label without a possible place is left out.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import cos, hypot, radians, sin
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.path import Path
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from tentimes18.pictures.colours import QUIET, WHITE

DISTANCES = (7.0, 10.0, 16.0, 24.0, 32.0, 42.0, 54.0, 70.0, 90.0)  # points
MAX_DISTANCE_WITHOUT_LINE = 10.0
ANGLES = range(0, 360, 15)
CLEAR = 1.5  # points around every label
GROUND = {"boxstyle": "square,pad=0.05", "facecolor": WHITE, "edgecolor": "none"}  # no grid through letters

OTHER_ANGLE = 12.0
LINE = 10.0
LINE_CROSSES = 150.0
ON_CURVE = 250.0


class Labels:
    """The labels of the dots in these axes: `avoid` and `add` everything, then `draw`."""

    def __init__(self, axes: Axes) -> None:
        axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # so that places on the canvas do not move
        self.axes = axes
        self._dots: list[tuple[float, float, float]] = []
        self._curves: list[Path] = []
        self._labels: list[tuple[Any, Annotation, Sequence[int]]] = []

    def avoid(self, x: float, y: float, size: float = 4.0) -> None:
        """Keep clear of a dot with this radius in points; needed for the dot of a label as well."""
        self._dots.append((*self._points((x, y))[0], size))

    def avoid_line(self, places: Sequence[tuple[float, float]]) -> None:
        self._curves.append(Path(self._points(*places)))

    def add(self, x: float, y: float, text: str, angles: Sequence[int], **font: Any) -> None:
        """Add a label for the dot at this place; ``angles`` in degrees, the best first."""
        style: dict[str, Any] = {"textcoords": "offset points", "ha": "left", "va": "bottom", "bbox": GROUND, **font}
        self._labels.append((self._points((x, y))[0], self.axes.annotate(text, (x, y), (0, 0), **style), angles))

    def draw(self) -> None:
        drawn: list[Bbox] = []
        for dot, note, angles in self._labels:
            places = self._places(dot, note, angles, drawn)
            _, box, line = min(places, key=lambda place: place[0], default=(0.0, None, None))
            if box is None:
                note.remove()
                continue
            drawn.append(box.padded(CLEAR))
            note.set_position((box.x0 - dot[0], box.y0 - dot[1]))
            if line is not None:
                ends = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3}
                self.axes.annotate("", note.xy, tuple(line), textcoords="offset points", arrowprops=ends)

    def _points(self, *places: tuple[float, float]) -> Any:
        return np.asarray(self.axes.transData.transform(places)) * 72 / self.axes.figure.dpi

    def _places(
        self, dot: Any, note: Annotation, angles: Sequence[int], drawn: Sequence[Bbox]
    ) -> Iterator[tuple[float, Bbox, Any]]:
        """The cost of each possible place, its box, and where the line to the dot begins, if it has one."""
        scale = 72 / self.axes.figure.dpi
        extent, (low, high) = note.get_window_extent(), self.axes.get_window_extent().get_points() * scale
        width, height = extent.width * scale, extent.height * scale
        others = [other for other in self._dots if hypot(dot[0] - other[0], dot[1] - other[1]) > 0.5]
        around = [Bbox.from_extents(x - size, y - size, x + size, y + size) for x, y, size in others]
        for distance, angle in product(DISTANCES, ANGLES):
            way = np.array((cos(radians(angle)), sin(radians(angle))))
            x, y = distance * way
            left = dot[0] + x - (0.5 if abs(x) < 1 else float(x < 0)) * width
            bottom = dot[1] + (y if y > 1 else y - height if y < -1 else -height / 2)
            if left < low[0] or left + width > high[0] or bottom < low[1] or bottom + height > high[1]:
                continue
            box, has_line = Bbox.from_bounds(left, bottom, width, height), distance > MAX_DISTANCE_WITHOUT_LINE
            nearest = CLEAR + (0 if has_line else _gap(box, dot))
            if any(_gap(box, other) <= max(other[2] + CLEAR, nearest) for other in others):
                continue
            if any(box.overlaps(other) for other in drawn):
                continue
            wish = angles.index(angle) if angle in angles else len(angles) + OTHER_ANGLE
            cost = wish + distance + ON_CURVE * sum(curve.intersects_bbox(box, filled=False) for curve in self._curves)
            if has_line:
                line = Path([dot + 6 * way, dot + distance * way])
                cost += LINE + LINE_CROSSES * sum(line.intersects_bbox(other) for other in (*around, *drawn))
            yield cost, box, distance * way if has_line else None


def _gap(box: Bbox, dot: Any) -> float:
    """The distance from a box to a dot; 0 inside."""
    return hypot(max(0.0, box.x0 - dot[0], dot[0] - box.x1), max(0.0, box.y0 - dot[1], dot[1] - box.y1))
