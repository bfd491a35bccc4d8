"""A duel as a picture, in the look of the pages: two boards back to back around a spine of multipliers.

Above, on felt, the roll to place between the two scores, and a strip that says which round it is. `player_0` is at the
left, in green, `player_1` at the right, in violet; blocks grow outwards from the spine, and score is area, as in
`board_picture`. A block that costs points is in the colour of losses.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.envs.board_picture import GUTTER, LEAST_TEXT, draw_number, draw_strip, row_heights, thickness_of
from tentimes18.envs.shapes import Picture, colour_levels, draw_box, draw_text
from tentimes18.envs.strokes import numeral_width
from tentimes18.game import Board
from tentimes18.number_format import shown_number, shown_roll, times

__all__ = ["duel_picture"]

HEIGHT, WIDTH = 600, 800
MIDDLE: Final = WIDTH / 2
EDGE: Final = 24.0  # around all
TRAY: Final = 136.0  # its height
ROWS_TOP: Final = EDGE + TRAY + 12
SPINE: Final = 44.0  # from its middle to where blocks begin
TROUGH: Final = 218.0  # the length of the longest block
COLOURS: Final = ("felt", "rival")


def duel_picture(boards: tuple[Board, Board], roll: int | None = None) -> NDArray[np.uint8]:
    """Both boards, [y, x, red green blue]; ``roll`` is the one that waits to be placed.

    >>> from tentimes18.game import Game
    >>> empty = Board(Game.classic())
    >>> duel_picture((empty, empty), 12).shape
    (600, 800, 3)
    """
    picture: Picture = np.empty((HEIGHT, WIDTH, 3))
    picture[:] = colour_levels("paper")
    _tray(picture, boards, roll)
    top = ROWS_TOP
    game = boards[0].game
    for slot, row in enumerate(row_heights(game, HEIGHT - ROWS_TOP - EDGE), start=1):
        size = min(20.0, 0.3 * row + 5.0)
        if min(size, row - 2) >= LEAST_TEXT:
            name = times(game.multipliers[slot - 1]).replace("-", "−")
            draw_text(picture, name, MIDDLE, top + row / 2, size, "ink", 2 * SPINE - 26)
        for player, board in enumerate(boards):
            _half_row(picture, board, player, slot, roll, (top, row, size))
        top += row
    return np.rint(picture).astype(np.uint8)


def _tray(picture: Picture, boards: tuple[Board, Board], roll: int | None) -> None:
    down = np.linspace(0.0, 1.0, HEIGHT)[:, None, None] * HEIGHT / (EDGE + TRAY)
    felt = (1 - down) * colour_levels("felt-lit") + down * colour_levels("felt-deep")
    draw_box(picture, EDGE, EDGE, WIDTH - 2 * EDGE, TRAY, 16, felt)
    centre = EDGE + TRAY / 2 - 10
    if roll is not None:
        draw_text(picture, shown_roll(roll), MIDDLE, centre, 72.0, "on-deep", 180)
    for board, side in zip(boards, (-1, 1), strict=True):
        draw_text(picture, shown_number(board.score), MIDDLE + side * 236, centre, 44.0, "on-deep-2", 200)
        mark = COLOURS[side > 0]
        draw_box(picture, MIDDLE + side * 236 - 33, centre + 37, 66, 9, 4.5, "on-deep-2")  # rim of the player's colour
        draw_box(picture, MIDDLE + side * 236 - 32, centre + 38, 64, 7, 3.5, mark)
    draw_strip(picture, boards[0], roll, (MIDDLE - 92, EDGE + TRAY - 24, 184))


def _half_row(
    picture: Picture, board: Board, player: int, slot: int, roll: int | None, place: tuple[float, float, float]
) -> None:
    """The slot of one player: a key while it can be chosen, flat once it is filled."""
    top, row, size = place
    game, side = board.game, (-1, 1)[player]
    multiplier = game.multipliers[slot - 1]
    placed = next((found.roll for found in board.placements if found.slot == slot), None)
    middle, thick = top + row / 2, thickness_of(game, slot, HEIGHT - ROWS_TOP - EDGE)
    longest = max(abs(found) for found in game.dice.support) or 1
    if placed is None and roll is not None and row >= 12:
        _outward(picture, side, SPINE - 10, top + 1.5, MIDDLE - EDGE - SPINE + 10, row - 3, 8, "line")
        _outward(picture, side, SPINE - 9, top + 2.5, MIDDLE - EDGE - SPINE + 8, row - 5, 7, "card")
    edge = middle - thick / 2
    _outward(picture, side, SPINE, edge, TROUGH, thick, 3, "sunk")
    shown = roll if placed is None else placed
    length = abs(shown or 0) / longest * TROUGH
    if shown:
        colour = COLOURS[player] if shown * multiplier >= 0 else "loss"
        _outward(picture, side, SPINE, edge, length, thick, 3, colour if placed is not None else f"{colour}-soft")
        if placed is None:
            _outward(picture, side, SPINE + length - 2, edge, 2, thick, 0, colour)
    if placed is None or min(size, row - 2) < LEAST_TEXT:
        return
    points = shown_number(multiplier * placed)
    column = MIDDLE - EDGE - SPINE - TROUGH - GUTTER - 14  # beside the trough, numbers to the right
    right = EDGE + column if side < 0 else WIDTH - EDGE - 10
    draw_text(picture, points, right - min(column, numeral_width(points, size)) / 2, middle, size, "ink", column)
    number = shown_roll(placed), COLOURS[player] if placed * multiplier >= 0 else "loss"
    draw_number(picture, number, (length, thick, TROUGH), (MIDDLE + side * SPINE, middle, size, side))


def _outward(
    picture: Picture, side: int, start: float, y: float, width: float, height: float, radius: float, colour: str
) -> None:
    """A box that begins so far from the middle, at the left or at the right."""
    x = MIDDLE + start if side > 0 else MIDDLE - start - width
    draw_box(picture, x, y, width, height, radius, colour)
