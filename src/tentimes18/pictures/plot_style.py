"""What all pictures share: one style, drawn without a display, the same file every time, ticks, and names of dots.

A picture is a function with ``@styled`` that calls ``canvas`` for its axes, draws, and returns the figure. Callers use
`require_matplotlib` before they import a module that draws.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from io import BytesIO
from itertools import product
from math import cos, hypot, radians, sin
from pathlib import Path
from textwrap import fill
from typing import Any, ParamSpec, TypeVar

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.path import Path as Curve
from matplotlib.text import Annotation
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from tentimes18.files import verify_ending, write_whole
from tentimes18.pictures import ENDINGS
from tentimes18.pictures.colours import INK, LINE, QUIET, WHITE

_STYLE: dict[Any, Any] = {
    "figure.dpi": 72,  # a unit of length on the canvas is a point
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "text.color": INK,
    "axes.labelcolor": QUIET,
    "axes.labelsize": 9.5,
    **{f"axes.spines.{side}": False for side in ("left", "right", "top", "bottom")},
    "axes.axisbelow": True,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    **{f"{axis}.{kind}.size": 0 for axis in ("xtick", "ytick") for kind in ("major", "minor")},
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "pdf.fonttype": 42,
    "svg.hashsalt": "tentimes18",
}
_METADATA: dict[str, Any] = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}

SCALE_SPACE = 0.7  # inches beside the axes, for a scale of colours and its numbers
SCALE_GAP = 0.15
SCALE_WIDTH = 0.13
SCALE_STEP = 22.0  # points from the numbers to the name above them

P = ParamSpec("P")
R = TypeVar("R")


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    @wraps(draw)
    def in_style(*args: P.args, **kwargs: P.kwargs) -> R:
        with rc_context(_STYLE):
            return draw(*args, **kwargs)

    return in_style


@styled
def save(figure: Figure, path: Path, dpi: float = 160) -> None:
    """Write a picture in the format of the file's ending; the same picture gives the same bytes."""
    ending = verify_ending(path, ENDINGS)
    content = BytesIO()
    figure.savefig(content, format=ending[1:], dpi=dpi, metadata=_METADATA[ending])
    write_whole(path, content.getvalue())


def canvas(
    title: str,
    subtitle: str,
    width: float = 8.0,
    height: float = 5.6,
    head: float = 0.0,
    foot: float = 0.75,
    inner: float | None = None,
) -> tuple[Figure, Axes]:
    """A figure and its axes, below a title and a subtitle, which are wrapped; all sizes are in inches.

    ``head`` and ``foot`` are left free above and below the axes; ``inner``, the height of the axes, replaces
    ``height``, that of the figure.
    """
    left, right = 0.75, 0.3
    title, subtitle = _wrapped(title, int((width - left) * 9.2)), _wrapped(subtitle, int((width - left) * 12.8))
    below_title = 0.3 + 0.26 * (title.count("\n") + 1)
    top = below_title + 0.22 + 0.2 * (subtitle.count("\n") + 1) + head
    height = height if inner is None else top + inner + foot
    figure = Figure(figsize=(width, height), facecolor=WHITE)
    axes = figure.add_axes((left / width, foot / height, 1 - (left + right) / width, 1 - (top + foot) / height))
    figure.text(left / width, 1 - 0.26 / height, title, fontsize=13, fontweight="bold", va="top", linespacing=1.3)
    figure.text(left / width, 1 - below_title / height, subtitle, color=QUIET, va="top", linespacing=1.3)
    return figure, axes


def _wrapped(text: str, width: int) -> str:
    """Lines of about the same length, as few as fit."""
    lines = fill(text, width).count("\n")
    if not lines:
        return fill(text, width)
    narrowest = next(narrow for narrow in range(1, width + 1) if fill(text, narrow).count("\n") <= lines)
    return fill(text, max(narrowest, width // 2))


def cell_size(axes: Axes, columns: float, rows: float) -> tuple[float, float]:
    """Width and height in points of a cell, where the axes have this many columns and rows."""
    return axes.bbox.width / columns, axes.bbox.height / rows


def colour_scale(axes: Axes, image: AxesImage, name: str, tick: Callable[[float], str]) -> None:
    """Add a scale of the colours of an image, from 0 to its maximum; the axes shrink for it."""
    figure, box = axes.figure, axes.get_position()
    assert isinstance(figure, Figure)
    inch = 1 / figure.get_size_inches()[0]
    axes.set_position((box.x0, box.y0, box.width - SCALE_SPACE * inch, box.height))
    scale = figure.add_axes((box.x1 - (SCALE_SPACE - SCALE_GAP) * inch, box.y0, SCALE_WIDTH * inch, box.height))
    bar = figure.colorbar(image, cax=scale)
    bar.outline.set(edgecolor=LINE, linewidth=0.6)
    top = image.get_clim()[1] or 1.0
    values = [value for value in MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(0, top) if value < 0.93 * top]
    bar.set_ticks([*values, top], labels=[tick(value) for value in (*values, top)])
    scale.minorticks_off()
    font: dict[str, Any] = {"ha": "right", "color": QUIET, "fontsize": 9, "annotation_clip": False}
    scale.annotate(name, (1, 1), (SCALE_STEP, 9), "axes fraction", "offset points", **font)


def round_ones(numbers: Sequence[int], most: int) -> list[int]:
    """Indexes of numbers to name on an axis: those at or above round values, and the ends."""
    values = MaxNLocator(nbins=most, integer=True, steps=[1, 2, 5, 10]).tick_values(numbers[0], numbers[-1])
    inside = [value for value in values if numbers[0] <= value <= numbers[-1]]
    apart = 0.6 * (values[1] - values[0])
    inside += [end for end in (numbers[0], numbers[-1]) if all(abs(end - value) >= apart for value in inside)]
    return sorted({bisect_left(numbers, value) for value in inside})


def percent_ticks(axes: Axes, top: float) -> None:
    ticks = MaxNLocator(nbins=8, steps=[1, 2, 2.5, 5, 10]).tick_values(0, top)
    axes.set_yticks([tick for tick in ticks if tick <= top * 1.02])
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.4g}%")


def whole_ticks() -> MaxNLocator:
    return MaxNLocator(nbins=6, integer=True, steps=[1, 2, 5, 10])


def legend(axes: Axes, parts: Sequence[tuple[str, str]]) -> None:
    """Names beside their colours, in one line above the axes."""
    place = 0.0
    for name, colour in parts:
        for text, shade in (("■", colour), (name, QUIET)):
            font: dict[str, Any] = {"color": shade, "fontsize": 9, "annotation_clip": False}
            label = axes.annotate(text, (0, 1), (place, 7), "axes fraction", "offset points", **font)
            place += label.get_window_extent().width + (5 if text == "■" else 16)


DISTANCES = (7.0, 10.0, 16.0, 24.0, 32.0, 42.0, 54.0, 70.0, 90.0)  # points
MAX_DISTANCE_WITHOUT_LINE = 10.0
ANGLES = range(0, 360, 15)
DOT = 4.0  # points from the middle of a dot to what is clear of it
CLEAR = 1.5  # points around every label
GROUND = {"boxstyle": "square,pad=0.05", "facecolor": WHITE, "edgecolor": "none"}  # no grid through letters

OTHER_ANGLE = 12.0
HAS_LINE = 10.0
LINE_CROSSES = 150.0
ON_CURVE = 250.0


class Labels:
    """Names beside dots, each where it cannot be mistaken for that of another: `avoid` and `add` all, then `draw`.

    The labels are placed one after the other, each at the best of many places around its dot. A label never leaves the
    axes or covers a dot or another label; it is nearest to its own dot, unless a thin line leads from it to its dot. A
    place on a curve, a line that crosses something, and distance cost. A label without a possible place is left out.
    """

    def __init__(self, axes: Axes) -> None:
        axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # so that places on the canvas do not move
        self.axes = axes
        self._dots: list[Any] = []
        self._curves: list[Curve] = []
        self._labels: list[tuple[Any, Annotation, Sequence[int]]] = []

    def avoid(self, x: float, y: float) -> None:
        """Keep clear of a dot; needed for the dot of a label as well."""
        self._dots.append(self._points((x, y))[0])

    def avoid_line(self, places: Sequence[tuple[float, float]]) -> None:
        self._curves.append(Curve(self._points(*places)))

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
        others = [other for other in self._dots if hypot(*(dot - other)) > 0.5]
        around = [Bbox([other - DOT, other + DOT]) for other in others]
        for distance, angle in product(DISTANCES, ANGLES):
            way = np.array((cos(radians(angle)), sin(radians(angle))))
            x, y = distance * way
            left = dot[0] + x - (0.5 if abs(x) < 1 else float(x < 0)) * width
            bottom = dot[1] + (y if y > 1 else y - height if y < -1 else -height / 2)
            if left < low[0] or left + width > high[0] or bottom < low[1] or bottom + height > high[1]:
                continue
            box, has_line = Bbox.from_bounds(left, bottom, width, height), distance > MAX_DISTANCE_WITHOUT_LINE
            nearest = CLEAR + (0 if has_line else _gap(box, dot))
            is_near = any(_gap(box, other) <= max(DOT + CLEAR, nearest) for other in others)
            if is_near or any(box.overlaps(other) for other in drawn):
                continue
            wish = angles.index(angle) if angle in angles else len(angles) + OTHER_ANGLE
            cost = wish + distance + ON_CURVE * sum(curve.intersects_bbox(box, filled=False) for curve in self._curves)
            if has_line:
                line = Curve([dot + 6 * way, dot + distance * way])
                cost += HAS_LINE + LINE_CROSSES * sum(line.intersects_bbox(other) for other in (*around, *drawn))
            yield cost, box, distance * way if has_line else None


def _gap(box: Bbox, dot: Any) -> float:
    """The distance from a box to a dot; 0 inside."""
    return hypot(max(0.0, box.x0 - dot[0], dot[0] - box.x1), max(0.0, box.y0 - dot[1], dot[1] - box.y1))
