"""A board, or the two boards of a duel, drawn with Pillow in the look of the pages.

Score is area: a block is as long as its roll and as thick as its multiplier. Every slot is a row, with a pale block of
the roll where it could go. Blocks that cost points have the colour of losses. In a duel the first player's blocks grow
to the left, in green, the second's to the right, in violet. A preview is what a chat shows beside a link.
"""

from collections.abc import Iterable
from functools import lru_cache
from io import BytesIO
from itertools import accumulate
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from tentimes18.game import Board, Game
from tentimes18.number_format import shown_number, shown_roll, times
from tentimes18.pictures.colours import colour_of

SOLO_SIZE = (800, 480)
DUEL_SIZE = (800, 600)
SMOOTHING = 2  # shapes are drawn this many times larger, then reduced
MARGIN = 24
MIN_TEXT = 8.0  # the smallest type that can be read
MIN_KEY = 12.0  # a lower row is not drawn as a key
MIN_THICKNESS = 2.0
MAX_FILL = 0.76  # of its row that the thickest block takes
GUTTER = 40.0  # beside a trough: room for the roll of a block that is too thin to hold it
SOLO_TROUGH = (372.0, 276.0)
DUEL_TROUGH = (44.0, 218.0)  # from the middle
PREVIEW_SIZE = (1200, 630)
PREVIEW_MARGIN = 64
TITLE_WIDTH = 700
MAX_TITLE_HEIGHT = 230.0
GROOVES = (820, 34, 593)  # left, top and bottom
MAX_GAP = 12.0
MAX_PREVIEWS = 128  # in memory, of about 20 kB
ASCII = str.maketrans("×−⁰¹²³⁴⁵⁶⁷⁸⁹", "x-0123456789")  # the font has no more


class _Side(NamedTuple):
    """Where the blocks of a board begin, their direction (1 or -1), maximal length and colour."""

    start: float
    way: int
    trough: float
    colour: str

    def box(self, begin: float, length: float) -> tuple[float, float]:
        """The left edge and the width of a box at this distance from the start."""
        return self.start + (begin if self.way > 0 else -begin - length), length


class _Row(NamedTuple):
    """The row of a slot: its top and height, and how thick its blocks are."""

    top: float
    height: float
    thickness: float

    @property
    def middle(self) -> float:
        return self.top + self.height / 2

    @property
    def type_size(self) -> float:
        """The size of the numbers in it; 0 where they would be illegible."""
        size = min(22.0, 0.34 * self.height + 5.0)
        return size if min(size, self.height - 2) >= MIN_TEXT else 0.0


class _Canvas:
    """Shapes and texts; the texts are drawn last, at the final size."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.image = Image.new("RGB", (SMOOTHING * size[0], SMOOTHING * size[1]), colour_of("paper"))
        self.draw = ImageDraw.Draw(self.image)
        self.texts: list[tuple[str, float, float, float, str]] = []

    def box(self, x: float, y: float, width: float, height: float, radius: float, colour: str) -> None:
        left, top, right, bottom = (round(SMOOTHING * edge) for edge in (x, y, x + width, y + height))
        corners = (left, top, max(left, right - 1), max(top, bottom - 1))
        radius = SMOOTHING * min(radius, width / 2, height / 2)
        self.draw.rounded_rectangle(corners, radius, fill=colour_of(colour))

    def text(self, text: str, x: float, y: float, size: float, colour: str, max_width: float) -> None:
        """A text with its middle there, smaller where it would be too wide."""
        text = text.replace("·10", "e").translate(ASCII)
        size *= min(1.0, max_width / max(_width(text, size), 1.0))
        self.texts.append((text, x, y, size, colour))

    def image_of_all(self) -> Image.Image:
        image = self.image.reduce(SMOOTHING)
        draw = ImageDraw.Draw(image)
        for text, x, y, size, colour in self.texts:
            draw.text((x, y + 0.36 * size), text, fill=colour_of(colour), font=_font(round(2 * size) / 2), anchor="ms")
        return image


@lru_cache(128)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(max(size, 1.0))


def _width(text: str, size: float) -> float:
    return _font(100.0).getlength(text) * size / 100


def draw_board(board: Board, roll: int | None = None) -> Image.Image:
    """A board, and the roll to place where there is one, as an RGB picture of 800 by 480 pixels."""
    canvas = _Canvas(SOLO_SIZE)
    width, height = SOLO_SIZE
    centre = MARGIN + 116
    canvas.box(MARGIN, MARGIN, 232, height - 2 * MARGIN, 16, "felt-lit")
    if roll is not None:
        canvas.text(shown_roll(roll), centre, MARGIN + 130, 120, "on-deep", 184)
    canvas.text(shown_number(board.score), centre, MARGIN + 300, 48, "on-deep-2", 184)
    _draw_rounds(canvas, board, roll, (MARGIN + 24, height - MARGIN - 40, 184))
    start, trough = SOLO_TROUGH
    side = _Side(start, 1, trough, "felt")
    rows = _rows(board.game, MARGIN, height - MARGIN)
    _draw_slots(canvas, board, roll, rows, side, (276 - start, width - 2 * MARGIN - 252))
    _draw_multipliers(canvas, board.game, rows, 324)
    return canvas.image_of_all()


def draw_duel(boards: tuple[Board, Board], roll: int | None = None) -> Image.Image:
    """The boards of two players of one game, back to back, as an RGB picture of 800 by 600 pixels."""
    canvas = _Canvas(DUEL_SIZE)
    width, height = DUEL_SIZE
    middle, tray = width / 2, 136
    canvas.box(MARGIN, MARGIN, width - 2 * MARGIN, tray, 16, "felt-lit")
    centre = MARGIN + tray / 2 - 10
    if roll is not None:
        canvas.text(shown_roll(roll), middle, centre, 80, "on-deep", 180)
    _draw_rounds(canvas, boards[0], roll, (middle - 92, MARGIN + tray - 24, 184))
    start, trough = DUEL_TROUGH
    rows = _rows(boards[0].game, MARGIN + tray + 12, height - MARGIN)
    for board, way, colour in zip(boards, (-1, 1), ("felt", "rival"), strict=True):
        x = middle + way * 236
        canvas.text(shown_number(board.score), x, centre, 48, "on-deep-2", 200)
        canvas.box(x - 33, centre + 37, 66, 9, 4.5, "on-deep-2")
        canvas.box(x - 32, centre + 38, 64, 7, 3.5, colour)
        side = _Side(middle + way * start, way, trough, colour)
        _draw_slots(canvas, board, roll, rows, side, (-10, middle - MARGIN - start + 10))
    _draw_multipliers(canvas, boards[0].game, rows, middle)
    return canvas.image_of_all()


def _rows(game: Game, top: float, bottom: float) -> list[_Row]:
    multipliers = [abs(float(multiplier)) for multiplier in game.multipliers]
    sizes = [multiplier / (max(multipliers) or 1.0) for multiplier in multipliers]
    unit = (bottom - top) / sum(0.55 + size for size in sizes)
    heights = [(0.55 + size) * unit for size in sizes]
    tops = accumulate(heights, initial=top)
    most = MAX_FILL * max(heights)
    return [_Row(*row) for row in zip(tops, heights, (max(MIN_THICKNESS, most * size) for size in sizes), strict=False)]


def _draw_rounds(canvas: _Canvas, board: Board, roll: int | None, place: tuple[float, float, float]) -> None:
    left, top, width = place
    step = width / board.game.size
    for number in range(board.game.size):
        is_due = number == board.rounds and roll is not None
        colour = "felt-soft" if number < board.rounds else "brass" if is_due else "felt"
        canvas.box(left + number * step, top, max(1.0, step - min(3.0, step / 4)), 8, 2, colour)


def _draw_multipliers(canvas: _Canvas, game: Game, rows: Iterable[_Row], x: float) -> None:
    for multiplier, row in zip(game.multipliers, rows, strict=True):
        if row.type_size:
            canvas.text(times(multiplier), x, row.middle, row.type_size, "ink", 64)


def _draw_slots(
    canvas: _Canvas, board: Board, roll: int | None, rows: Iterable[_Row], side: _Side, key: tuple[float, float]
) -> None:
    """The slots of a board: raised as keys while the roll can go there, flat once they are filled."""
    longest = max(map(abs, board.game.dice.support)) or 1
    for slot, (multiplier, row) in enumerate(zip(board.game.multipliers, rows, strict=True), start=1):
        placed = board[slot]
        if placed is None and roll is not None and row.height >= MIN_KEY:
            (left, width), top, height = side.box(*key), row.top + 1.5, row.height - 3
            canvas.box(left, top, width, height, 8, "line")
            canvas.box(left + 1, top + 1, width - 2, height - 2, 7, "card")
        edge = row.middle - row.thickness / 2
        left, width = side.box(0, side.trough)
        canvas.box(left, edge, width, row.thickness, 3, "sunk")
        shown = (roll if placed is None else placed) or 0
        colour = side.colour if shown * multiplier >= 0 else "loss"
        length = abs(shown) / longest * side.trough
        if shown:
            left, width = side.box(0, length)
            canvas.box(left, edge, width, row.thickness, 3, colour if placed is not None else f"{colour}-soft")
        if placed is None and shown:
            left, width = side.box(max(length - 2, 0), 2)
            canvas.box(left, edge, width, row.thickness, 0, colour)
        elif placed is not None and row.type_size:
            x = side.start + side.way * (side.trough + 86)
            canvas.text(shown_number(multiplier * placed), x, row.middle, row.type_size, "ink", 70)
            _draw_number(canvas, shown_roll(placed), colour, length, row, side)


def _draw_number(canvas: _Canvas, text: str, colour: str, length: float, row: _Row, side: _Side) -> None:
    """The roll of a block: in its end where it fits, else behind it, else in the gutter behind the trough."""
    size = min(row.type_size, 16.0)
    width = _width(text, size)
    if row.thickness >= size + 3 and length >= width + 16:
        begin, colour = length - 8 - width, f"on-{'rival' if colour == 'rival' else 'felt'}"
    elif length + width + 12 <= side.trough:
        begin = length + 8
    else:
        begin = side.trough + 8
        size *= min(1.0, (GUTTER - 10) / width)
        width = _width(text, size)
    if size >= MIN_TEXT:
        canvas.text(text, side.start + side.way * (begin + width / 2), row.middle, size, colour, width + 1)


@lru_cache(MAX_PREVIEWS)
def draw_preview(title: str, text: str, action: str, board: Board | None = None) -> bytes:
    """A preview as PNG: a large title, a line below it, what to do, and at the right the board, or empty grooves."""
    dark, light = (Image.new("RGB", PREVIEW_SIZE, colour_of(name)) for name in ("felt-deep", "felt-lit"))
    image = Image.composite(dark, light, Image.linear_gradient("L").resize(PREVIEW_SIZE))
    draw, left, right = ImageDraw.Draw(image, "RGBA"), PREVIEW_MARGIN, PREVIEW_SIZE[0] - PREVIEW_MARGIN

    def write(line: str, x: float, y: float, size: float, anchor: str = "lm", colour: str = "on-deep") -> None:
        fill, stroke = colour_of(colour), 0 if colour == "on-deep-2" else round(size / 34)
        place, font = (x, y), _font(size)
        draw.text(place, line.translate(ASCII), fill, font, anchor, stroke_width=stroke, stroke_fill=fill)

    _draw_grooves(draw, board or Board(Game.classic()))
    for y, width, height, radius in ((60, 20, 3, 1), (68, 32, 8, 3), (82, 44, 14, 3)):
        draw.rounded_rectangle((left, y, left + width, y + height), radius, colour_of("on-deep"))
    write("10x18", left + 60, 78, 38)
    lines = title.splitlines()
    size = MAX_TITLE_HEIGHT / len(lines)
    while size > 20 and max(_font(size).getlength(line) for line in lines) > TITLE_WIDTH:
        size -= 2
    for number, line in enumerate(lines):
        write(line, left, 320 + (number - (len(lines) - 1) / 2) * 1.1 * size, size)
    write(text, left, 540, 40, colour="on-deep-2")
    key = _font(38).getlength(action) + 68
    draw.rounded_rectangle((right - key, 500, right, 574), 14, colour_of("on-deep"))
    write(action, right - key / 2, 537, 38, "mm", "felt-deep")
    file = BytesIO()
    image.quantize(128).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_grooves(draw: ImageDraw.ImageDraw, board: Board) -> None:
    game, rolls = board.game, {slot: roll for roll, slot in board.placements}
    left, top, bottom = map(float, GROOVES)
    weights = [abs(float(multiplier)) for multiplier in game.multipliers]
    gap = min(MAX_GAP, (bottom - top) / (2 * game.size))
    unit = (bottom - top - gap * (game.size - 1)) / (sum(weights) or 1.0)
    longest = max(map(abs, game.dice.support)) or 1
    for slot, weight in enumerate(weights, start=1):
        height = max(2.0, unit * weight)
        radius = min(5.0, height / 2)
        draw.rounded_rectangle((left, top, PREVIEW_SIZE[0] + 10, top + height), radius, (255, 255, 255, 26))
        if (roll := rolls.get(slot)) is not None:
            end = left + (PREVIEW_SIZE[0] - PREVIEW_MARGIN / 2 - left) * abs(roll) / longest
            draw.rounded_rectangle((left, top, end, top + height), radius, (255, 255, 255, 90))
        top += height + gap
