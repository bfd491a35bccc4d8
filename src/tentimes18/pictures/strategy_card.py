"""The strategy card: the whole best play of a game on one page of A4, as Markdown, HTML, SVG or PDF.

With k free slots and E the row of k - 1 slots, the free slot of rank r takes the rolls with E[r-1] < x <= E[r]: one
band. Where E[r] is itself a roll, that roll is exactly as good in the free slot of rank r + 1.

Every number of free slots is a row of bands. Each band is below its rolls; where there are too many rolls for a column
each, a band is as wide as its text. The page is rectangles and lines of text, placed in millimetres, and written as SVG
or drawn with matplotlib.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from io import BytesIO
from itertools import product
from typing import Literal, NamedTuple, TypeAlias

from tentimes18.errors import TooLarge
from tentimes18.game import Game, Number
from tentimes18.number_format import listed, ordinal, points, span, times
from tentimes18.pictures.colours import INK, QUIET, SUNK, WHITE, colour_of, tint
from tentimes18.solve.cut_rules import best_cuts
from tentimes18.solve.thresholds import ExactRow, exact_thresholds
from tentimes18.wording import game_name

MAX_SLOTS = 500
MAX_RULE_SLOTS, MAX_RULE_ROLLS = 30, 100  # for which the best rule with one number is found at once

# Millimetres. The rows share the page with the heading, the three steps, the example and the notes.
WIDTH = 210.0
HEIGHT = 297.0
MARGIN = 14.0
RIGHT = WIDTH - MARGIN
LABEL = 15.0
ROWS_WIDTH = RIGHT - MARGIN - LABEL
ROWS_HEIGHT = 185.0
MIN_COLUMN = 4.0
MIN_TYPE = 2.0  # 5.7 points
MAX_TYPE = 4.8
MAX_PITCH = 18.5
TYPE_OF_PITCH = 0.7
LEADING = 1.38
STEP_WIDTHS = (50.0, 54.0, 78.0)
POINTS_PER_MM = 72 / 25.4

Translate: TypeAlias = Callable[[str], str]
"""Gives a text of the card in another language; ``str`` leaves it in English."""

_EMS = ((" ijlft.,:;I", 0.27), ("r()-1", 0.4), ("cksvxyz", 0.5), ("mwMW", 0.83))
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


@dataclass(frozen=True, slots=True)
class Band:
    """Consecutive rolls that go to the free slot of this rank; ``tied``: the highest also to the next one."""

    rank: int
    rolls: tuple[int, ...]
    tied: bool


@dataclass(frozen=True, slots=True)
class Row:
    """The bands for one number of free slots, from the smallest roll to the largest."""

    free: int
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A position, by the multipliers of its free slots, a roll, and the rank that the card gives."""

    multipliers: tuple[Number, ...]
    roll: int
    rank: int


class Card(NamedTuple):
    """The whole strategy of a game: a row for every number of free slots from all down to two."""

    game: Game
    rows: tuple[Row, ...]
    optimal: Fraction
    random: Fraction
    example: Example | None
    translate: Translate = str

    @property
    def title(self) -> str:
        return f"{self.translate('Ten times eighteen')}: {self.name}"

    @property
    def name(self) -> str:
        return game_name(self.game).replace("slots", self.translate("slots"))

    @property
    def example_lines(self) -> tuple[str, ...]:
        if self.example is None:
            return ()
        say, slots = self.translate, [times(multiplier) for multiplier in self.example.multipliers]
        facts = {
            "free": len(slots),
            "slots": listed(slots).replace(" and ", say(" and ")),
            "roll": self.example.roll,
            "rank": say(ordinal(self.example.rank, len(slots))),
            "slot": slots[self.example.rank - 1],
        }
        return (
            say("Your free slots are {slots}, so you use row {free}.").format(**facts),
            say("You roll {roll}. Row {free} sends {roll} to the {rank} of your free slots: {slot}.").format(**facts),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks that only some games need."""
        notes = []
        if any(band.tied for row in self.rows for band in row.bands):
            one_roll = "these dice have one roll only, and every free slot is exactly as good."
            several = "this roll is exactly as good in the next free slot."
            notes.append(f"= marks a tie: {one_roll if len(self.game.dice.support) == 1 else several}")
        if len(set(self.game.multipliers)) < self.game.size:
            notes.append("Slots with the same multiplier count one by one, in any order.")
        small = self.game.size <= MAX_RULE_SLOTS and 2 < len(self.game.dice.support) <= MAX_RULE_ROLLS
        if small and self.optimal > self.random:
            rule = best_cuts(self.game, 1)
            text = "With one number: {cut} or more into your highest free slot, less into your lowest: {mean} points."
            notes.append(self.translate(text).format(cut=rule.cuts[0], mean=points(rule.mean)))
        return tuple(notes)


def make_card(game: Game, translate: Translate = str) -> Card:
    """The content of a card.

    >>> row = make_card(Game.classic()).rows[5]
    >>> row.free, [(span(band.rolls), band.rank) for band in row.bands]
    (5, [('3–8', 1), ('9', 2), ('10–11', 3), ('12', 4), ('13–18', 5)])
    """
    if game.size > MAX_SLOTS:
        raise TooLarge(f"{game.size} slots; at most {MAX_SLOTS} are written, and about 70 on one page", field="slots")
    thresholds = exact_thresholds(game.dice, game.size)
    rows = tuple(_row(game.dice.support, thresholds[free - 2]) for free in range(game.size, 1, -1))
    return Card(
        game,
        rows,
        optimal=thresholds[-1].value(game.multipliers),
        random=Fraction(sum(game.multipliers)) * game.dice.mean,
        example=_example(game, rows),
        translate=translate,
    )


def _row(support: tuple[int, ...], thresholds: ExactRow) -> Row:
    bands = []
    start = 0
    for rank, numerator in enumerate(thresholds.numerators, start=1):
        whole, rest = divmod(numerator, thresholds.denominator)
        end = bisect_right(support, whole)
        if end > start:
            bands.append(Band(rank, support[start:end], tied=not rest and support[end - 1] == whole))
            start = end
    if start < len(support):
        bands.append(Band(len(thresholds) + 1, support[start:], tied=False))
    return Row(len(thresholds) + 1, tuple(bands))


def _example(game: Game, rows: Sequence[Row]) -> Example | None:
    """Some five free slots, and the likeliest roll for the second of them: it shows that only free slots count."""
    if not rows:
        return None
    free = 5 if game.size > 5 else max(2, game.size - 1)
    multipliers = tuple(game.multipliers[-(-i * (game.size - 1) // (free - 1))] for i in range(free))
    bands = rows[game.size - free].bands
    band = next((band for band in bands if band.rank == 2), bands[0])
    return Example(multipliers, max(band.rolls, key=game.dice.probability), band.rank)


class CardLayout(NamedTuple):
    """How the rows of a card are drawn: lengths in millimetres.

    ``column`` is the width of a roll, 0 where bands say their rolls. With ``plain`` a rank reads 4, not 4th or last.
    """

    card: Card
    column: float
    pitch: float
    type_size: float
    plain: bool

    @property
    def gap(self) -> float:
        return min(0.8, self.pitch * 0.12)

    @property
    def steps(self) -> tuple[str, ...]:
        if not self.card.rows:
            return (self.card.translate("This game has one slot, and every roll goes there."),)
        low, high = ("1", "2 the next") if self.plain else ("1st", "last the largest")
        find = "Find your roll at the top, and go down to your row." if self.column else "In that row find your roll."
        band = f"The band says which of your free slots takes the roll: {low} has the smallest multiplier, {high}."
        return tuple(map(self.card.translate, ("Count your free slots: that is your row.", find, band)))

    def lines(self, band: Band, free: int) -> tuple[str, ...]:
        rank = str(band.rank) if self.plain else self.card.translate(ordinal(band.rank, free))
        return (rank,) if self.column else (f"{span(band.rolls)}{'=' * band.tied}", rank)

    def ems(self, band: Band, free: int) -> float:
        """The width of a band's text and the air around it, in sizes of the type."""
        return max(text_width(line, 1, 0.3 + 0.5 * band.tied) for line in self.lines(band, free))

    def widths(self, row: Row) -> list[float]:
        if self.column:
            return [len(band.rolls) * self.column for band in row.bands]
        ems = [self.ems(band, row.free) for band in row.bands]
        return [ROWS_WIDTH * part / sum(ems) for part in ems]


def choose_layout(card: Card) -> CardLayout:
    """The layout with the largest type; ``TooLarge`` where none is legible on one page."""
    support = card.game.dice.support
    pitch = min(ROWS_HEIGHT / (len(card.rows) + 1), MAX_PITCH)
    column = ROWS_WIDTH / len(support)
    heads = column / max(text_width(str(roll), 1, 0.3) for roll in support)
    layouts = []
    for width, plain in product((column, 0.0), (False, True)):
        layout = CardLayout(card, width, pitch, 1.0, plain)
        largest = min(pitch * TYPE_OF_PITCH, heads) if layout.column else pitch * TYPE_OF_PITCH / 2
        sizes = (
            width / layout.ems(band, row.free)
            for row in card.rows
            for width, band in zip(layout.widths(row), row.bands, strict=True)
        )
        layouts.append(layout._replace(type_size=min(largest, MAX_TYPE, *sizes)))
    below = [layout for layout in layouts if layout.column >= MIN_COLUMN and layout.type_size >= MIN_TYPE]
    # Below its rolls, where that is legible, and with 1st, 2nd, ... unless these must be much smaller.
    best = max(below or layouts, key=lambda layout: layout.type_size * (1 if layout.plain else 1.5))
    if best.type_size < MIN_TYPE:
        raise TooLarge(
            f"{len(card.rows)} rows for {len(support)} different rolls are not legible on one page of A4 (type of "
            f"{MIN_TYPE:g} mm); use fewer slots, or .md, which has no pages",
            field="slots",
        )
    return best


class Rectangle(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    title: str = ""


class Text(NamedTuple):
    x: float
    y: float
    text: str
    size: float
    align: Literal["left", "center", "right"] = "left"
    bold: bool = False
    colour: str = INK


Mark = Rectangle | Text


def page(card: Card) -> list[Mark]:
    """Everything on the page, from back to front."""
    layout, say, left, top = choose_layout(card), card.translate, MARGIN, 60.0
    best = say("The best play for {game}").format(game=card.name)
    average = say("points on average (random play: {random})").format(random=points(card.random))
    marks: list[Mark] = [
        Rectangle(0, 0, WIDTH, HEIGHT, fill=WHITE),
        Text(MARGIN, 22, say("Ten times eighteen"), 8.6, bold=True),
        Text(MARGIN, 29.2, best, min(4.4, 104 / text_width(best, 1))),
        Text(RIGHT, 22, points(card.optimal), 8.6, align="right", bold=True),
        Text(RIGHT, 29.2, average, 3.6, align="right", colour=QUIET),
        Rectangle(MARGIN, 34, RIGHT - MARGIN, 0.35, fill=INK),
    ]
    steps = layout.steps
    for number, (text, width) in enumerate(zip(steps, STEP_WIDTHS if steps[1:] else (RIGHT,), strict=True), start=1):
        marks.append(Text(left, 43.2, str(number), 6.4, bold=True))
        marks += text_lines(wrapped(text, 3.7, width - 10), left + 6, 42, 3.7)
        left += width
    if card.example is not None:
        lines = [part for line in card.example_lines for part in wrapped(line, 3.5, RIGHT - MARGIN - 29)]
        height = 4.2 + len(lines) * 3.5 * LEADING
        marks.append(Rectangle(MARGIN, top, RIGHT - MARGIN, height, fill=colour_of("paper")))
        marks.append(Text(MARGIN + 4, top + 6.2, say("Example"), 3.5, bold=True))
        marks.append(Text(MARGIN + 4, top + 11, say("framed below"), 2.8, colour=QUIET))
        marks += text_lines(lines, MARGIN + 25, top + 6.2, 3.5)
        top += height
    top += 9.5
    marks += _rows(layout, top)
    top += 1.5 + 1.45 * layout.type_size + (len(card.rows) + 1) * layout.pitch
    return [*marks, *(Text(MARGIN, top + 5 * n, note, 3.2, colour=QUIET) for n, note in enumerate(card.notes, start=1))]


def _rows(layout: CardLayout, top: float) -> Iterator[Mark]:
    card, size, pitch, gap, first = layout.card, layout.type_size, layout.pitch, layout.gap, MARGIN + LABEL
    heads = "free slots", "your roll" if layout.column else "your roll, and its slot"
    for x, text in zip((MARGIN, first), map(card.translate, heads), strict=True):
        yield Text(x, top, text, min(size, 3.0), colour=QUIET)
    top += 1.5 + size
    if layout.column:
        for column, roll in enumerate(card.game.dice.support):
            x = first + (column + 0.5) * layout.column - gap / 2
            yield Text(x, top, str(roll), size, align="center", bold=True)
    top += size * 0.45
    for row in card.rows:
        yield _free(row.free, layout, top)
        left = first
        for width, band in zip(layout.widths(row), row.bands, strict=True):
            yield from _band(layout, row, band, Rectangle(left, top, width - gap, pitch - gap))
            left += width
        top += pitch
    box = Rectangle(first, top, ROWS_WIDTH - gap, pitch - gap, fill=SUNK, title="1 free: any roll")
    yield _free(1, layout, top)
    yield box
    yield inside(box, card.translate("the slot that is left"), size)


def _free(free: int, layout: CardLayout, top: float) -> Text:
    baseline = top + layout.pitch * 0.47 + layout.type_size * 0.36
    return Text(MARGIN + LABEL - 4, baseline, str(free), layout.type_size, align="right", bold=True)


def inside(box: Rectangle, text: str, size: float, *, bold: bool = False) -> Text:
    return Text(box.x + box.width / 2, box.y + box.height / 2 + size * 0.36, text, size, align="center", bold=bold)


def _band(layout: CardLayout, row: Row, band: Band, box: Rectangle) -> Iterator[Mark]:
    title = f"{row.free} free, {span(band.rolls)}: {ordinal(band.rank, row.free)}"
    yield box._replace(fill=tint(band.rank, row.free), title=title)
    if layout.column:
        for column in range(1, len(band.rolls)):
            x = box.x + column * layout.column - layout.gap / 2
            notch = Rectangle(x, box.y, 0.24, box.height * 0.2, fill=WHITE)
            yield notch
            yield notch._replace(y=box.y + box.height * 0.8)
        if band.tied:
            size = layout.type_size * 0.8
            yield Text(box.x + box.width - 0.9, box.y + size * 0.95, "=", size, align="right", bold=True)
    if (example := layout.card.example) and len(example.multipliers) == row.free and example.roll in band.rolls:
        yield Rectangle(box.x + 0.25, box.y + 0.25, box.width - 0.5, box.height - 0.5, stroke=INK)
    lines = layout.lines(band, row.free)
    for number, line in enumerate(lines):
        part = box._replace(y=box.y + number * box.height / len(lines), height=box.height / len(lines))
        yield inside(part, line, layout.type_size, bold=number == len(lines) - 1)


def text_lines(lines: Iterable[str], x: float, y: float, size: float) -> Iterator[Text]:
    for number, line in enumerate(lines):
        yield Text(x, y + number * size * LEADING, line, size)


def wrapped(text: str, size: float, width: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def text_width(text: str, size: float, air: float = 0.0) -> float:
    """About the width in Helvetica or Arial; ``air`` is what has to be around it, in sizes."""
    return size * (air + sum(next((ems for chars, ems in _EMS if char in chars), 0.56) for char in text))


def card_markdown(game: Game) -> str:
    """The card as a Markdown table.

    >>> print(card_markdown(Game.parse("1d6", "1-3")))
    # Ten times eighteen: 1d6, slots 1-3
    <BLANKLINE>
    Count your free slots: that is your row. It says which of your free slots takes the roll:
    1st has the smallest multiplier, last the largest.
    <BLANKLINE>
    | free | roll → free slot                 |
    | ---: | -------------------------------- |
    |    3 | 1–2 → 1st, 3–4 → 2nd, 5–6 → last |
    |    2 | 1–3 → 1st, 4–6 → last            |
    |    1 | any → the slot that is left      |
    <BLANKLINE>
    Example: Your free slots are ×1 and ×3, so you use row 2.
    You roll 4. Row 2 sends 4 to the last of your free slots: ×3.
    <BLANKLINE>
    Played like this, the game brings 23.33 points on average (random play: 21).
    <BLANKLINE>
    With one number: 4 or more into your highest free slot, less into your lowest: 23.25 points.
    <BLANKLINE>
    """
    card = make_card(game)
    cells = [("free", "roll → free slot")]
    for row in card.rows:
        bands = (f"{span(band.rolls)}{'=' * band.tied} → {ordinal(band.rank, row.free)}" for band in row.bands)
        cells.append((str(row.free), ", ".join(bands)))
    cells.append(("1", "any → the slot that is left"))
    width = max(len(text) for _, text in cells)
    table = [f"| {free:>4} | {text:<{width}} |" for free, text in cells]
    table.insert(1, f"| ---: | {'-' * width} |")
    use = "Count your free slots: that is your row. It says which of your free slots takes the roll:"
    blocks = [f"# {card.title}", f"{use}\n1st has the smallest multiplier, last the largest.", "\n".join(table)]
    if card.example is not None:
        blocks.append("Example: " + "\n".join(card.example_lines))
    average = f"{points(card.optimal)} points on average (random play: {points(card.random)})"
    blocks += [f"Played like this, the game brings {average}.", *card.notes]
    return "\n\n".join(blocks) + "\n"


def card_svg(game: Game) -> str:
    """The card as an SVG picture of A4 size."""
    card = make_card(game)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
        f'font-family="Helvetica, Arial, sans-serif" role="img">',
        f"<title>{escape(card.title)}</title>",
    ]
    for mark in page(card):
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


def card_html(game: Game) -> str:
    """The card as one HTML file that needs nothing else, for a screen or a page of A4."""
    title = escape(make_card(game).title)
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0; color-scheme: light; }}
svg {{ display: block; width: 100%; max-width: 210mm; min-width: 150mm; height: auto; margin: auto; }}
@page {{ size: A4; margin: 0; }}
</style>
<h1 hidden>{title}</h1>
{card_svg(game)}</html>
"""


def card_pdf(game: Game) -> bytes:
    """The card as a PDF of one page, its text in Helvetica, which every reader has."""
    card = make_card(game)
    return pdf(page(card), card.title)


def pdf(marks: Iterable[Mark], title: str) -> bytes:
    """A page of marks as a PDF: the same marks give the same bytes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle as Patch

    figure, content = Figure(figsize=(WIDTH / 25.4, HEIGHT / 25.4)), BytesIO()
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    axes.set_axis_off()
    for order, mark in enumerate(marks):
        if isinstance(mark, Rectangle):
            patch = Patch((mark.x, mark.y), mark.width, mark.height, facecolor=mark.fill, edgecolor=mark.stroke)
            patch.set(linewidth=0.5 * POINTS_PER_MM if mark.stroke != "none" else 0, zorder=order)
            axes.add_patch(patch)
        else:
            weight = "bold" if mark.bold else "medium"  # what the font's file calls plain text
            text = axes.text(mark.x, mark.y, mark.text, color=mark.colour, ha=mark.align, va="baseline", zorder=order)
            text.set(family="Helvetica", fontsize=mark.size * POINTS_PER_MM, fontweight=weight, parse_math=False)
    with rc_context({"pdf.use14corefonts": True}):
        figure.savefig(content, format="pdf", metadata={"Title": title, "CreationDate": None})
    return content.getvalue()
