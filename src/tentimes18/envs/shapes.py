"""Boxes and numerals on a picture: an array [y, x, red green blue] of floats, from 0 to 255, with smooth edges."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.envs.strokes import numeral_width, numerals
from tentimes18.pictures.colours import colour_of

__all__ = ["Picture", "colour_levels", "draw_box", "draw_text"]

Picture: TypeAlias = NDArray[np.float64]


def draw_text(picture: Picture, text: str, x: float, y: float, height: float, colour: str, widest: float) -> None:
    """A text with its middle there, as high as asked for unless it would be too wide."""
    height = min(height, height * widest / max(numeral_width(text, height), 1.0))
    cover = numerals(text, height)
    top, left = round(y - cover.shape[0] / 2), round(x - cover.shape[1] / 2)
    part = picture[max(top, 0) : top + cover.shape[0], max(left, 0) : left + cover.shape[1]]
    cover = cover[: part.shape[0], : part.shape[1], None]
    part += cover * (colour_levels(colour) - part)


def draw_box(
    picture: Picture, x: float, y: float, width: float, height: float, radius: float, colour: str | Picture
) -> None:
    """A box with round corners, of a colour by its name, or of a colour a line."""
    radius = min(radius, width / 2, height / 2)
    top, left = max(0, int(y) - 1), max(0, int(x) - 1)
    part = picture[top : int(y + height) + 2, left : int(x + width) + 2]
    dx = np.abs(np.arange(left, left + part.shape[1]) + 0.5 - x - width / 2) - width / 2 + radius
    dy = np.abs(np.arange(top, top + part.shape[0]) + 0.5 - y - height / 2) - height / 2 + radius
    outside = np.hypot(np.maximum(dx, 0.0), np.maximum(dy, 0.0)[:, None])
    inside = np.minimum(np.maximum(dx, dy[:, None]), 0.0)
    cover = np.clip(radius + 0.5 - outside - inside, 0.0, 1.0)[:, :, None]
    ink = colour_levels(colour) if isinstance(colour, str) else colour[top : top + part.shape[0]]
    part += cover * (ink - part)


def colour_levels(name: str) -> Picture:
    """Red, green and blue of a colour of the style sheet, from 0 to 255.

    >>> colour_levels("felt").tolist()
    [15.0, 107.0, 86.0]
    """
    return np.array(list(bytes.fromhex(colour_of(name)[1:])), dtype=np.float64)
