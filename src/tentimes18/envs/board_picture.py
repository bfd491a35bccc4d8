"""A board as a picture, in the look of the pages: score is area, a block as long as its roll, as thick as its slot.

At the left, on felt, the roll to place, the score, and a strip that says which round it is; at the right a row a slot,
with the ghost of the roll in those that are free; what costs points is in the colour of losses. Colours are those of
the style sheet (`show.colours`).
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.envs.shapes import Picture, colour_levels, draw_box, draw_text
from tentimes18.envs.strokes import numeral_width
from tentimes18.game import Board, Game
from tentimes18.number_format import shown_number, shown_roll, times

__all__ = ["GUTTER", "LEAST_TEXT", "board_picture", "draw_number", "draw_strip", "row_heights", "thickness_of"]

HEIGHT, WIDTH = 480, 800
TRAY: Final = (24, 24, 232, 432)  # left, top, width, height
TROUGH: Final = (372, 648)  # from, to
GUTTER: Final = 40.0
"""Behind a trough: room for the roll of a long block that is too thin to hold it."""
THINNEST: Final = 2.0  # of a block
FILL: Final = 0.76  # of the height of a row that the thickest block takes
LEAST_TEXT: Final = 8.0  # height of a numeral that can be read

Place: TypeAlias = tuple[float, float, float, int]
"""Where a block begins, the middle of its row, the height of numbers there, and if it goes right (1) or left (-1)."""


def board_picture(board: Board, roll: int | None = None) -> NDArray[np.uint8]:
    """The board, [y, x, red green blue]; ``roll`` is the one that waits to be placed.

    >>> from tentimes18.game import Game
    >>> board_picture(Board(Game.classic()), 12).shape
    (480, 800, 3)
    """
    picture: Picture = np.empty((HEIGHT, WIDTH, 3))
    picture[:] = colour_levels("paper")
    _tray(picture, board, roll)
    _rows(picture, board, roll)
    return np.rint(picture).astype(np.uint8)


def _tray(picture: Picture, board: Board, roll: int | None) -> None:
    left, top, width, height = TRAY
    down = np.linspace(0.0, 1.0, HEIGHT)[:, None, None]
    draw_box(
        picture,
        left,
        top,
        width,
        height,
        16,
        (1 - down) * colour_levels("felt-lit") + down * colour_levels("felt-deep"),
    )
    middle = left + width / 2
    if roll is not None:
        draw_text(picture, shown_roll(roll), middle, top + 130, 104.0, "on-deep", width - 48)
    draw_text(picture, shown_number(board.score), middle, top + 300, 44.0, "on-deep-2", width - 48)
    draw_strip(picture, board, roll, (left + 24, top + height - 40, width - 48))


def draw_strip(picture: Picture, board: Board, roll: int | None, place: tuple[float, float, float]) -> None:
    """A mark for every round, at this left and top, so wide in all: played, due in brass, or still to come."""
    left, top, width = place
    step = width / board.game.size
    for number in range(board.game.size):
        is_due = number == board.rounds and roll is not None
        colour = "felt-soft" if number < board.rounds else "brass" if is_due else "felt"
        draw_box(picture, left + number * step, top, max(1.0, step - min(3.0, step / 4)), 8, 2, colour)


def row_heights(game: Game, height: float) -> list[float]:
    """The height of the row of each slot, so that all of them fill this one; thin slots need a row as well."""
    sizes = _sizes(game)
    room = np.array([0.55 + size for size in sizes])
    return (room / room.sum() * height).tolist()  # type: ignore[no-any-return]


def thickness_of(game: Game, slot: int, height: float) -> float:
    """How thick the blocks of a slot are, by its multiplier."""
    return max(THINNEST, FILL * max(row_heights(game, height)) * _sizes(game)[slot - 1])


def _sizes(game: Game) -> list[float]:
    """The multipliers without their signs, in units of the largest one."""
    sizes = [abs(float(multiplier)) for multiplier in game.multipliers]
    most = max(sizes) or 1.0
    return [size / most for size in sizes]


def _rows(picture: Picture, board: Board, roll: int | None) -> None:
    game = board.game
    rolls = {placement.slot: placement.roll for placement in board.placements}
    longest = max(abs(found) for found in game.dice.support) or 1
    start, end = TROUGH
    top = 24.0
    for slot, (multiplier, row) in enumerate(
        zip(game.multipliers, row_heights(game, HEIGHT - 48), strict=True), start=1
    ):
        middle = top + row / 2
        thick = thickness_of(game, slot, HEIGHT - 48)
        edge = middle - thick / 2
        is_filled = slot in rolls
        if not is_filled and roll is not None and row >= 12:
            draw_box(picture, 276, top + 1.5, WIDTH - 300, row - 3, 8, "line")
            draw_box(picture, 277, top + 2.5, WIDTH - 302, row - 5, 7, "card")
        draw_box(picture, start, edge, end - start, thick, 3, "sunk")
        shown = rolls.get(slot, roll)
        if shown is not None and shown != 0:
            length = abs(shown) / longest * (end - start)
            colour = "felt" if shown * multiplier >= 0 else "loss"
            draw_box(picture, start, edge, length, thick, 3, colour if is_filled else f"{colour}-soft")
            if not is_filled:
                draw_box(picture, start + length - 2, edge, 2, thick, 0, colour)
        size = min(22.0, 0.34 * row + 5.0)
        if min(size, row - 2) >= LEAST_TEXT:
            draw_text(picture, times(multiplier).replace("-", "−"), 324, middle, size, "ink", 80)
            if is_filled:
                points = shown_number(multiplier * rolls[slot])
                width = min(78.0, numeral_width(points, size))
                draw_text(picture, points, WIDTH - 34 - width / 2, middle, size, "ink", 78)
                length = abs(rolls[slot]) / longest * (end - start)
                number = shown_roll(rolls[slot]), "felt" if rolls[slot] * multiplier >= 0 else "loss"
                draw_number(picture, number, (length, thick, end - start), (start, middle, size, 1))
        top += row


def draw_number(picture: Picture, number: tuple[str, str], block: tuple[float, float, float], place: Place) -> None:
    """The number of a block and the colour of that block, which is so long and thick, in a trough of this length.

    It stands in the end of the block where that is large enough, else behind it; where that would take it beyond the
    end of the trough, in the gutter behind that, smaller where it must be, and nowhere where nobody could read it.
    """
    (text, colour), (length, thick, trough) = number, block
    x, y, size, outward = place
    height = min(size, 15.0)
    width = numeral_width(text, height)
    if thick >= height + 6 and length >= width + 16:
        begin, colour = length - 8 - width, "on-felt"
    elif length + width + 12 <= trough:
        begin = length + 8
    else:
        begin = trough + 8
        height *= min(1.0, (GUTTER - 14) / width)
        width = numeral_width(text, height)
    if height >= LEAST_TEXT:
        draw_text(picture, text, x + outward * (begin + width / 2), y, height, colour, width + 1)
