"""The card as one page of A4: rectangles and lines of text, placed once in millimetres, and written as SVG."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal
from xml.sax.saxutils import escape

from tentimes18.show.card.content import PANEL_GAP, Band, Card, CardLayout, Row
from tentimes18.show.colours import INK, QUIET, SUNK, WHITE, colour_of, tint
from tentimes18.show.figures import ordinal, points, span

__all__ = ["HEIGHT", "WIDTH", "Mark", "Rectangle", "Text", "page", "svg"]

WIDTH: Final = 210.0
HEIGHT: Final = 297.0
MARGIN: Final = 14.0
RIGHT: Final = WIDTH - MARGIN
LEADING: Final = 1.38
STEP_WIDTHS: Final = (50.0, 54.0, 78.0)

EXAMPLE: Final = colour_of("paper")

_EMS: Final = ((" ijlft.,:;I", 0.27), ("r()-1", 0.4), ("cksvxyz", 0.5), ("mwMW", 0.83))
_ANCHORS: Final = {"left": "start", "center": "middle", "right": "end"}


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled or outlined rectangle; the title says what it stands for."""

    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    title: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text, by its baseline."""

    x: float
    y: float
    text: str
    size: float
    align: Literal["left", "center", "right"] = "left"
    bold: bool = False
    colour: str = INK


Mark = Rectangle | Text


def page(card: Card, layout: CardLayout) -> list[Mark]:
    """Everything on the page, from back to front."""
    marks: list[Mark] = [Rectangle(0, 0, WIDTH, HEIGHT, fill=WHITE)]
    marks += _heading(card)
    marks += _steps(layout)
    top = 60.0
    if card.example is not None:
        lines = [part for line in card.example.lines for part in _wrap(line, 3.5, RIGHT - MARGIN - 29)]
        height = 4.2 + len(lines) * 3.5 * LEADING
        marks.append(Rectangle(MARGIN, top, RIGHT - MARGIN, height, fill=EXAMPLE))
        marks.append(Text(MARGIN + 4, top + 6.2, "Example", 3.5, bold=True))
        marks.append(Text(MARGIN + 4, top + 11, "framed below", 2.8, colour=QUIET))
        marks += _lines(lines, MARGIN + 25, top + 6.2, 3.5)
        top += height
    left = MARGIN
    top += 9.5
    for rows in layout.panels:
        marks += _grid(card, layout, rows, left, top)
        left += layout.label + layout.column * len(layout.columns) + PANEL_GAP
    top += 1.5 + 1.45 * layout.head_size + (len(layout.panels[-1]) + 1) * layout.pitch
    for note in card.notes:
        top += 5
        marks.append(Text(MARGIN, top, note, 3.2, colour=QUIET))
    return marks


def _heading(card: Card) -> Iterator[Mark]:
    yield Text(MARGIN, 22, "Ten times eighteen", 8.6, bold=True)
    best = f"The best play for {card.name}"
    yield Text(MARGIN, 29.2, best, min(4.4, 104 / _width(best, 1)))
    yield Text(RIGHT, 22, points(card.optimal), 8.6, align="right", bold=True)
    yield Text(RIGHT, 29.2, f"points on average (random play: {points(card.random)})", 3.6, align="right", colour=QUIET)
    yield Rectangle(MARGIN, 34, RIGHT - MARGIN, 0.35, fill=INK)


def _steps(layout: CardLayout) -> Iterator[Mark]:
    left = MARGIN
    for number, (text, width) in enumerate(
        zip(layout.steps, STEP_WIDTHS if any(layout.panels) else (RIGHT,), strict=True), start=1
    ):
        yield Text(left, 43.2, str(number), 6.4, bold=True)
        yield from _lines(_wrap(text, 3.7, width - 10), left + 6, 42, 3.7)
        left += width


def _grid(card: Card, layout: CardLayout, rows: tuple[Row, ...], left: float, top: float) -> Iterator[Mark]:
    size, pitch, gap = layout.type_size, layout.pitch, layout.gap
    first = left + layout.label
    head = layout.head_size
    yield Text(left, top, "free slots" if len(layout.panels) == 1 else "free", min(size, 3.0), colour=QUIET)
    yield Text(first, top, "goes to" if layout.by_rank else "your roll", min(size, 3.0), colour=QUIET)
    top += 1.5 + head
    for column, text in enumerate(layout.heads):
        yield Text(first + (column + 0.5) * layout.column - gap / 2, top, text, head, align="center", bold=True)
    top += head * 0.45
    for row in rows:
        yield _free(row.free, layout, left, top)
        for start, columns, band in layout.places(row):
            box = Rectangle(first + start * layout.column, top, columns * layout.column - gap, pitch - gap)
            yield from _band(card, layout, row, band, box)
        top += pitch
    if rows == layout.panels[-1]:
        columns = 1 if layout.by_rank else len(layout.columns)
        box = Rectangle(first, top, columns * layout.column - gap, pitch - gap, fill=SUNK, title="1 free: any roll")
        yield _free(1, layout, left, top)
        yield box
        yield _inside(box, "any" if layout.by_rank else "the slot that is left", size)


def _free(free: int, layout: CardLayout, left: float, top: float) -> Text:
    baseline = top + layout.pitch * 0.47 + layout.type_size * 0.36
    return Text(left + layout.label - 4, baseline, str(free), layout.type_size, align="right", bold=True)


def _inside(box: Rectangle, text: str, size: float, *, bold: bool = False) -> Text:
    return Text(box.x + box.width / 2, box.y + box.height / 2 + size * 0.36, text, size, align="center", bold=bold)


def _band(card: Card, layout: CardLayout, row: Row, band: Band, box: Rectangle) -> Iterator[Mark]:
    title = f"{row.free} free, {span(band.rolls)}: {ordinal(band.rank, row.free)}"
    yield replace(box, fill=tint(band.rank, row.free), title=title)
    if not layout.by_rank:
        for column in range(1, len(band.rolls)):
            edge = box.x + column * layout.column - layout.gap / 2
            notch = Rectangle(edge - 0.12, box.y, 0.24, box.height * 0.2, fill=WHITE)
            yield notch
            yield replace(notch, y=box.y + box.height * 0.8)
        if band.tied:
            size = layout.type_size * 0.8
            yield Text(box.x + box.width - 0.9, box.y + size * 0.95, "=", size, align="right", bold=True)
    if card.example is not None and card.example.is_in(row, band):
        yield Rectangle(box.x + 0.25, box.y + 0.25, box.width - 0.5, box.height - 0.5, stroke=INK)
    yield _inside(box, layout.text(band, row.free), layout.type_size, bold=True)


def _lines(lines: Iterable[str], x: float, y: float, size: float) -> Iterator[Text]:
    for number, line in enumerate(lines):
        yield Text(x, y + number * size * LEADING, line, size)


def _wrap(text: str, size: float, width: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _width(text: str, size: float) -> float:
    """About the width in Helvetica or Arial."""
    return size * sum(next((ems for chars, ems in _EMS if char in chars), 0.56) for char in text)


def svg(marks: Iterable[Mark], title: str) -> str:
    """The marks as an SVG document."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
        f'font-family="Helvetica, Arial, sans-serif" role="img">',
        f"<title>{escape(title)}</title>",
    ]
    for mark in marks:
        if isinstance(mark, Rectangle):
            box = f'x="{mark.x:.2f}" y="{mark.y:.2f}" width="{mark.width:.2f}" height="{mark.height:.2f}"'
            stroke = "" if mark.stroke == "none" else f' stroke="{mark.stroke}" stroke-width="0.5"'
            inner = f"><title>{escape(mark.title)}</title></rect>" if mark.title else "/>"
            parts.append(f'<rect {box} fill="{mark.fill}"{stroke}{inner}')
        else:
            bold = ' font-weight="bold"' if mark.bold else ""
            anchor = "" if mark.align == "left" else f' text-anchor="{_ANCHORS[mark.align]}"'
            parts.append(
                f'<text x="{mark.x:.2f}" y="{mark.y:.2f}" font-size="{mark.size:.2f}"{anchor}{bold} '
                f'fill="{mark.colour}">{escape(mark.text)}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])
