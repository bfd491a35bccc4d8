"""Numerals for pictures, drawn with a round pen: each is a few lines on a field of 4 by 6, smooth at any size.

A pixel is covered as far as it is nearer to a line than half the pen: no font is needed, and no other library.
"""

from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["numeral_width", "numerals"]

Line = list[tuple[float, float]]
GAP: Final = 1.7  # between two numerals, in units of the field
HEIGHT: Final = 6.0
PEN: Final = 0.95


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Line:
    """Part of an ellipse, from one angle to another in turns, clockwise from the right."""
    turns = np.linspace(start, end, 2 + round(32 * abs(end - start)))  # fine enough to look round when large
    return [(x + rx * cos(2 * pi * turn), y + ry * sin(2 * pi * turn)) for turn in turns]


_SHAPES: Final[dict[str, tuple[float, list[Line]]]] = {
    "0": (4, [_arc(2, 3, 2, 3, 0, 1)]),
    "1": (2, [[(0, 1.3), (1.7, 0), (1.7, 6)]]),
    "2": (4, [[*_arc(2, 1.8, 1.9, 1.8, 0.52, 1.1), (0.1, 6), (4, 6)]]),
    "3": (4, [_arc(1.9, 1.55, 1.75, 1.55, 0.55, 1.25), _arc(1.9, 4.45, 2, 1.55, 0.75, 1.42)]),
    "4": (4, [[(3, 6), (3, 0), (0, 4.2), (4, 4.2)]]),
    "5": (4, [[(3.7, 0), (0.6, 0), (0.3, 2.8), *_arc(1.9, 4.05, 2.05, 1.95, 0.68, 1.4)]]),
    "6": (4, [_arc(2, 4.1, 2, 1.9, 0, 1), [(3.1, 0), (1.5, 1.4), (0.35, 3)]]),
    "7": (4, [[(0, 0), (4, 0), (1.4, 6)]]),
    "8": (4, [_arc(2, 1.5, 1.7, 1.5, 0, 1), _arc(2, 4.5, 2, 1.5, 0, 1)]),
    "9": (4, [_arc(2, 1.9, 2, 1.9, 0, 1), [(0.9, 6), (2.5, 4.6), (3.65, 3)]]),
    "−": (3, [[(0, 3), (3, 3)]]),
    "×": (2.6, [[(0, 2.4), (2.6, 5)], [(0, 5), (2.6, 2.4)]]),
    ".": (0.2, [[(0.1, 5.9), (0.1, 6)]]),
    "/": (2.6, [[(0, 6.4), (2.6, -0.4)]]),
    "=": (3, [[(0, 2.2), (3, 2.2)], [(0, 4.2), (3, 4.2)]]),
}


def numeral_width(text: str, height: float) -> float:
    """How wide this text is at this height.

    >>> numeral_width("18", 12) < numeral_width("88", 12)
    True
    """
    widths = [_SHAPES[letter][0] for letter in text if letter in _SHAPES]
    return (sum(widths) + GAP * max(0, len(widths) - 1)) * height / HEIGHT


@lru_cache(maxsize=512)
def numerals(text: str, height: float) -> NDArray[np.float64]:
    """How far each pixel is covered, [y, x]; the text begins a pen's width from the left and from the top.

    >>> covered = numerals("7", 24)
    >>> float(covered.max()), float(covered[-1].max())
    (1.0, 0.0)
    """
    unit = height / HEIGHT
    margin = round(PEN * unit) + 1
    shape = round(height) + 2 * margin, round(numeral_width(text, height)) + 2 * margin
    y, x = np.mgrid[: shape[0], : shape[1]] + 0.5 - margin
    nearest = np.full(shape, np.inf)
    left = 0.0
    for letter in text:
        if letter not in _SHAPES:
            continue
        width, lines = _SHAPES[letter]
        for line in lines:
            points = np.array(line) * unit + (left, 0.0)
            for (ax, ay), (bx, by) in pairwise(points):
                length = max((bx - ax) ** 2 + (by - ay) ** 2, 1e-9)
                along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0.0, 1.0)
                distance = np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))
                np.minimum(nearest, distance, out=nearest)
        left += (width + GAP) * unit
    return np.clip(PEN * unit / 2 + 0.5 - nearest, 0.0, 1.0)
