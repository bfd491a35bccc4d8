"""A board as a picture, in the look of the pages: score is area, a block as long as its roll, as thick as its slot.

At the left, on felt, the roll to place, the score, and a strip that says which round it is; at the right a row a slot,
with the ghost of the roll in those that are free; what costs points is in the colour of losses. Colours are those of
the style sheet (`show.colours`).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.envs.strokes import numeral_width, numerals
from tentimes18.game import Board
from tentimes18.show.colours import colour_of
from tentimes18.show.figures import shown_number, shown_roll, times

__all__ = ["board_picture"]

Picture = NDArray[np.float64]
HEIGHT, WIDTH = 480, 800
TRAY: Final = (24, 24, 232, 432)  # left, top, width, height
TROUGH: Final = (372, 688)  # from, to
THINNEST: Final = 2.0  # of a block
FILL: Final = 0.76  # of the height of a row that the thickest block takes
LEAST_TEXT: Final = 8.0  # height of a numeral that can be read


def board_picture(board: Board, roll: int | None = None) -> NDArray[np.uint8]:
    """The board, [y, x, red green blue]; ``roll`` is the one that waits to be placed.

    >>> from tentimes18.game import Game
    >>> board_picture(Board(Game.classic()), 12).shape
    (480, 800, 3)
    """
    picture: Picture = np.empty((HEIGHT, WIDTH, 3))
    picture[:] = _colour("paper")
    _tray(picture, board, roll)
    _rows(picture, board, roll)
    return np.rint(picture).astype(np.uint8)


def _tray(picture: Picture, board: Board, roll: int | None) -> None:
    left, top, width, height = TRAY
    down = np.linspace(0.0, 1.0, HEIGHT)[:, None, None]
    _box(picture, left, top, width, height, 16, (1 - down) * _colour("felt-lit") + down * _colour("felt-deep"))
    middle = left + width / 2
    if roll is not None:
        _text(picture, shown_roll(roll), middle, top + 130, 104.0, "on-deep", width - 48)
    _text(picture, shown_number(board.score), middle, top + 300, 44.0, "brass", width - 48)
    size = board.game.size
    step = (width - 48) / size
    for number in range(size):
        is_due = number == board.rounds and roll is not None
        colour = "felt-soft" if number < board.rounds else "brass" if is_due else "felt"
        _box(picture, left + 24 + number * step, top + height - 40, max(1.0, step - min(3.0, step / 4)), 8, 2, colour)


def _rows(picture: Picture, board: Board, roll: int | None) -> None:
    game = board.game
    rolls = {placement.slot: placement.roll for placement in board.placements}
    sizes = [abs(float(multiplier)) for multiplier in game.multipliers]
    most = max(sizes) or 1.0
    room = np.array([0.55 + size / most for size in sizes])  # thin slots need a row as well
    heights = room / room.sum() * (HEIGHT - 48)
    thickest = FILL * float(heights.max())
    longest = max(abs(found) for found in game.dice.support) or 1
    start, end = TROUGH
    top = 24.0
    for slot, (multiplier, row) in enumerate(zip(game.multipliers, heights.tolist(), strict=True), start=1):
        middle = top + row / 2
        thick = max(THINNEST, thickest * sizes[slot - 1] / most)
        edge = middle - thick / 2
        is_filled = slot in rolls
        if not is_filled and roll is not None and row >= 12:
            _box(picture, 276, top + 1.5, WIDTH - 300, row - 3, 8, "line")
            _box(picture, 277, top + 2.5, WIDTH - 302, row - 5, 7, "card")
        _box(picture, start, edge, end - start, thick, 3, "sunk")
        shown = rolls.get(slot, roll)
        if shown is not None and shown != 0:
            length = abs(shown) / longest * (end - start)
            colour = "felt" if shown * multiplier >= 0 else "loss"
            _box(picture, start, edge, length, thick, 3, colour if is_filled else f"{colour}-soft")
            if not is_filled:
                _box(picture, start + length - 2, edge, 2, thick, 0, colour)
        size = min(22.0, 0.34 * row + 5.0)
        if min(size, row - 2) >= LEAST_TEXT:
            _text(picture, times(multiplier).replace("-", "−"), 324, middle, size, "ink", 80)
            if is_filled:
                _text(picture, shown_number(multiplier * rolls[slot]), 732, middle, size, "ink", 78)
                _number_in_block(picture, rolls[slot], abs(rolls[slot]) / longest, middle, thick, size)
        top += row


def _number_in_block(picture: Picture, roll: int, share: float, middle: float, thick: float, size: float) -> None:
    """The roll, in the end of its block where that is large enough, else behind it."""
    start, end = TROUGH
    text, reach = shown_roll(roll), start + share * (end - start)
    small = min(size, 15.0)
    width = numeral_width(text, small)
    if thick >= small + 6 and reach - start >= width + 16:
        _text(picture, text, reach - 8 - width / 2, middle, small, "on-felt", width + 1)
    elif reach + width + 12 <= end:
        _text(picture, text, reach + 8 + width / 2, middle, small, "ink", width + 1)


def _text(picture: Picture, text: str, x: float, y: float, height: float, colour: str, widest: float) -> None:
    """A text with its middle there, as high as asked for unless it would be too wide."""
    height = min(height, height * widest / max(numeral_width(text, height), 1.0))
    cover = numerals(text, height)
    top, left = round(y - cover.shape[0] / 2), round(x - cover.shape[1] / 2)
    part = picture[max(top, 0) : top + cover.shape[0], max(left, 0) : left + cover.shape[1]]
    cover = cover[: part.shape[0], : part.shape[1], None]
    part += cover * (_colour(colour) - part)


def _box(
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
    ink = _colour(colour) if isinstance(colour, str) else colour[top : top + part.shape[0]]
    part += cover * (ink - part)


def _colour(name: str) -> NDArray[np.float64]:
    return np.array(list(bytes.fromhex(colour_of(name)[1:])), dtype=np.float64)
