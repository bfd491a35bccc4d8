"""What stands on a strategy card, and which layout of it is legible on one page of A4; the writing is elsewhere.

With k free slots and E the row of k - 1 slots, the free slot of rank r takes the rolls with E[r-1] < x <= E[r]: one
band. Where E[r] is itself a roll, that roll is exactly as good in the free slot of rank r + 1.

The card as one page of A4: rectangles and lines of text, placed once in millimetres, and written as SVG.

The strategy card: the whole best play of a game on one page of A4, as Markdown, HTML or SVG.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from typing import Final, Literal

from tentimes18.errors import TooLarge
from tentimes18.game import Game, Number
from tentimes18.number_format import listed, ordinal, points, span, times
from tentimes18.pictures.colours import INK, QUIET, SUNK, WHITE, colour_of, light_root, style_sheet, tint
from tentimes18.solve.thresholds import ExactRow, exact_thresholds
from tentimes18.wording import game_name

MAX_SLOTS: Final = 500

# Millimetres. The grid shares the page with the heading, the three steps, the example and the notes.
GRID_WIDTH: Final = 182.0
GRID_HEIGHT: Final = 185.0
LABEL_WIDTHS: Final = (15.0, 10.0)  # of one panel, of two
PANEL_GAP: Final = 6.0
MIN_COLUMN: Final = 4.0
MIN_TYPE: Final = 2.3  # 6.5 points
MAX_TYPE: Final = 4.8
MIN_RANGE_TYPE: Final = 3.2  # below it, the highest roll of each range is enough
MIN_ORDINAL_TYPE: Final = 2.8  # below it, 4 is better to read than 4th
MAX_PITCH: Final = 18.5
TYPE_OF_PITCH: Final = 0.65
EM_OF_CHARACTER: Final = 0.58
EM_OF_TH: Final = 0.92


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

    @property
    def lines(self) -> tuple[str, str]:
        """The example in words: the position, and what to do."""
        free = len(self.multipliers)
        slots = [times(multiplier) for multiplier in self.multipliers]
        where = f"the {ordinal(self.rank, free)} of your free slots: {slots[self.rank - 1]}"
        return (
            f"Your free slots are {listed(slots)}, so you use row {free}.",
            f"You roll {self.roll}. Row {free} sends {self.roll} to {where}.",
        )

    def is_in(self, row: Row, band: Band) -> bool:
        """Whether this band is the one that answers the example."""
        return len(self.multipliers) == row.free and self.roll in band.rolls


@dataclass(frozen=True, slots=True)
class Card:
    """The whole strategy of a game: a row for every number of free slots from all down to two."""

    game: Game
    rows: tuple[Row, ...]
    optimal: Fraction
    random: Fraction
    example: Example | None

    @property
    def name(self) -> str:
        """The game, cut where its slots are a long list."""
        return game_name(self.game)

    @property
    def title(self) -> str:
        """What a file of it is called."""
        return f"Ten times eighteen: {self.name}"

    @property
    def bands(self) -> tuple[Band, ...]:
        """The bands of all rows."""
        return tuple(band for row in self.rows for band in row.bands)

    @property
    def has_ties(self) -> bool:
        """Whether somewhere two free slots are equally good."""
        return any(band.tied for band in self.bands)

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be said only for some games."""
        notes = []
        if self.has_ties and len(self.game.dice.support) == 1:
            notes.append("= marks a tie: these dice have one roll only, and every free slot is exactly as good.")
        elif self.has_ties:
            notes.append("= marks a tie: this roll is exactly as good in the next free slot.")
        if len(set(self.game.multipliers)) < self.game.size:
            notes.append("Slots with the same multiplier count one by one, in any order.")
        return tuple(notes)


@dataclass(frozen=True, slots=True)
class CardLayout:
    """How the rows are set: lengths in millimetres.

    With ``by_rank`` the columns are ranks and the cells hold rolls, else the columns are rolls and the bands hold
    ranks. With ``plain`` a rank reads 4 and not 4th or last. With ``bounds`` a cell holds only its highest roll.
    """

    columns: tuple[int, ...]
    panels: tuple[tuple[Row, ...], ...]
    label: float
    column: float
    pitch: float
    type_size: float
    head_size: float
    plain: bool
    by_rank: bool = False
    bounds: bool = False

    @property
    def gap(self) -> float:
        """The white between neighbours."""
        return min(0.8, self.pitch * 0.12)

    @property
    def heads(self) -> tuple[str, ...]:
        """What stands above the columns."""
        if self.by_rank and not self.plain:
            return tuple(ordinal(rank, len(self.columns) + 1) for rank in self.columns)
        return tuple(map(str, self.columns))

    @property
    def steps(self) -> tuple[str, ...]:
        """How to use the card."""
        if not any(self.panels):
            return ("This game has one slot, and every roll goes there.",)
        if self.bounds:
            find = "In that row find the first number that is not below your roll."
        elif self.by_rank:
            find = "In that row find the cell with your roll."
        else:
            find = "Find your roll at the top, and go down to your row."
        where = f"{'Its column' if self.by_rank else 'The band'} says which of your free slots takes the roll"
        low, next_one = ("1", "2") if self.plain else ("1st", "2nd")
        high = f"{next_one} the next" if self.plain or self.by_rank else "last the largest"
        return (
            "Count your free slots: that is your row.",
            find,
            f"{where}: {low} has the smallest multiplier, {high}.",
        )

    def places(self, row: Row) -> Iterator[tuple[int, int, Band]]:
        """The bands with their first column, from 0, and their number of columns."""
        start = 0
        for band in row.bands:
            columns = 1 if self.by_rank else len(band.rolls)
            yield band.rank - 1 if self.by_rank else start, columns, band
            start += columns

    def text(self, band: Band, free: int) -> str:
        """What the band says."""
        if self.by_rank:
            return (str(band.rolls[-1]) if self.bounds else span(band.rolls)) + "=" * band.tied
        return str(band.rank) if self.plain else ordinal(band.rank, free)


def make_card(game: Game) -> Card:
    """The content of a card.

    >>> row = make_card(Game.classic()).rows[5]
    >>> row.free, [(span(band.rolls), band.rank) for band in row.bands]
    (5, [('3–8', 1), ('9', 2), ('10–11', 3), ('12', 4), ('13–18', 5)])
    """
    if game.size > MAX_SLOTS:
        raise TooLarge(f"{game.size} slots; at most {MAX_SLOTS} are written, and about 100 on one page", field="slots")
    thresholds = exact_thresholds(game.dice, game.size)
    rows = tuple(_row(game.dice.support, thresholds[free - 2]) for free in range(game.size, 1, -1))
    return Card(
        game,
        rows,
        optimal=thresholds[-1].value(game.multipliers),
        random=Fraction(sum(game.multipliers)) * game.dice.mean,
        example=_example(game, rows),
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


def choose_layout(card: Card) -> CardLayout:
    """The first layout that is legible on one page; ``TooLarge`` where none is."""
    layout = _strips(card, 1) or _strips(card, 2) or _ranges(card) or _bounds(card)
    if layout is None:
        raise TooLarge(
            f"{len(card.rows)} rows for {len(card.game.dice.support)} different rolls are not legible on one "
            f"page of A4 (type of {MIN_TYPE} mm); use fewer slots, or .md, which has no pages",
            field="slots",
        )
    return layout


def _strips(card: Card, panels: int) -> CardLayout | None:
    """Columns are rolls: the widths of ranks and rolls decide."""
    support = card.game.dice.support
    label = LABEL_WIDTHS[panels - 1]
    column = ((GRID_WIDTH - (panels - 1) * PANEL_GAP) / panels - label) / len(support)
    lines = -(-len(card.rows) // panels)
    pitch = min(GRID_HEIGHT / (lines + 1), MAX_PITCH)
    narrowest = column * min((len(band.rolls) for band in card.bands), default=1)
    mark = 0.5 if card.has_ties else 0.0
    rank = _ems(str(card.game.size)) + mark
    ordinal_rank = rank + EM_OF_TH
    type_size = min(pitch * TYPE_OF_PITCH, narrowest / rank, MAX_TYPE)
    plain = type_size > narrowest / ordinal_rank
    if narrowest / ordinal_rank >= MIN_ORDINAL_TYPE:
        type_size, plain = min(type_size, narrowest / ordinal_rank), False
    head_size = min(type_size, column / max(_ems(str(roll)) for roll in support))
    if min(type_size, head_size) < MIN_TYPE or column < MIN_COLUMN:
        return None
    parts = tuple(card.rows[panel * lines : (panel + 1) * lines] for panel in range(panels))
    return CardLayout(support, parts, label, column, pitch, type_size, head_size, plain)


def _ranges(card: Card) -> CardLayout | None:
    """Columns are ranks, cells say from which roll to which."""
    widest = max((_ems(span(band.rolls) + "=" * band.tied) for band in card.bands), default=1.0) + 0.5
    return _by_rank(card, widest, MIN_RANGE_TYPE, bounds=False)


def _bounds(card: Card) -> CardLayout | None:
    """Columns are ranks, cells say up to which roll."""
    widest = max((_ems(f"{band.rolls[-1]}{'=' * band.tied}") for band in card.bands), default=1.0)
    return _by_rank(card, widest, MIN_TYPE, bounds=True)


def _by_rank(card: Card, widest: float, least: float, *, bounds: bool) -> CardLayout | None:
    size = card.game.size
    column = (GRID_WIDTH - LABEL_WIDTHS[0]) / size
    pitch = min(GRID_HEIGHT / size, MAX_PITCH)
    type_size = min(pitch * TYPE_OF_PITCH, column / widest, MAX_TYPE)
    if type_size < least:
        return None
    plain = type_size > column / (_ems(str(size)) + EM_OF_TH)
    ranks = tuple(range(1, size + 1))
    return CardLayout(ranks, (card.rows,), LABEL_WIDTHS[0], column, pitch, type_size, type_size, plain, True, bounds)


def _ems(text: str) -> float:
    """About the width of bold type, with a little air around it."""
    return EM_OF_CHARACTER * len(text) + 0.3


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


_STYLE: Final = style_sheet("card")


def card_markdown(game: Game) -> str:
    """The card as text: a table that reads well as it stands, and rendered.

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
    """
    card = make_card(game)
    cells = [
        (
            str(row.free),
            ", ".join(f"{span(band.rolls)}{'=' * band.tied} → {ordinal(band.rank, row.free)}" for band in row.bands),
        )
        for row in card.rows
    ]
    cells.append(("1", "any → the slot that is left"))
    width = max(len("roll → free slot"), *(len(text) for _, text in cells))
    table = [f"| {free:>4} | {text:<{width}} |" for free, text in [("free", "roll → free slot"), *cells]]
    table.insert(1, f"| ---: | {'-' * width} |")
    blocks = [
        [f"# {card.title}"],
        [
            "Count your free slots: that is your row. It says which of your free slots takes the roll:",
            "1st has the smallest multiplier, last the largest.",
        ],
        table,
    ]
    if card.example is not None:
        blocks.append([f"Example: {card.example.lines[0]}", card.example.lines[1]])
    average = f"{points(card.optimal)} points on average (random play: {points(card.random)})"
    blocks.append([f"Played like this, the game brings {average}."])
    blocks += [[note] for note in card.notes]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def card_html(game: Game) -> str:
    """The card as one HTML file that needs nothing else, for a page of A4, a screen or a phone.

    >>> card_html(Game.classic())[:15]
    '<!doctype html>'
    """
    card = make_card(game)
    layout = choose_layout(card)
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(card.title)}</title>",
        f"<style>\n{light_root(_STYLE)}\n{_STYLE}</style>",
        "<header>",
        f"<div><h1>Ten times eighteen</h1><p>The best play for {escape(card.name)}</p></div>",
        f'<div class="average"><p class="score">{points(card.optimal)}</p>',
        f"<p>points on average (random play: {points(card.random)})</p></div>",
        "</header>",
        f"<ol>{''.join(f'<li>{escape(step)}</li>' for step in layout.steps)}</ol>",
    ]
    if card.example is not None:
        example = "<br>".join(map(escape, card.example.lines))
        lines.append("<aside><p><strong>Example</strong><br><small>framed below</small></p>")
        lines.append(f"<p>{example}</p></aside>")
    lines.append(f'<div class="panels" style="{_sizes(layout)}">')
    for rows in layout.panels:
        lines += _table(card, layout, rows)
    lines.append("</div>")
    lines.append(f"<footer>{''.join(f'<p>{escape(note)}</p>' for note in card.notes)}</footer>")
    return "\n".join([*lines, "</html>", ""])


def _sizes(layout: CardLayout) -> str:
    texts = [layout.text(band, row.free) for rows in layout.panels for row in rows for band in row.bands]
    characters = max(map(len, texts if layout.by_rank else layout.heads), default=1)
    sizes = {
        "panels": len(layout.panels),
        "columns": len(layout.columns),
        "least": f"{3 * (0.6 * characters + 0.4):.2f}mm",
        "label": f"{layout.label:.2f}mm",
        "pitch": f"{layout.pitch:.2f}mm",
        "gap": f"{layout.gap:.2f}mm",
        "head": f"{layout.head_size:.2f}mm",
        "type": f"{layout.type_size:.2f}mm",
    }
    return _properties(sizes)


def _properties(values: Mapping[str, object]) -> str:
    """Values for a style sheet, by the names that it has for them."""
    return "; ".join(f"--{name}: {value}" for name, value in values.items())


def _table(card: Card, layout: CardLayout, rows: tuple[Row, ...]) -> Iterator[str]:
    free = "free<span> slots</span>" if len(layout.panels) == 1 else "free"
    columns = f'<th colspan="{len(layout.columns)}"><small>{"goes to" if layout.by_rank else "your roll"}</small></th>'
    heads = "".join(f'<th scope="col">{head}</th>' for head in layout.heads)
    yield f"<table><thead><tr><th><small>{free}</small></th>{columns}</tr><tr><th></th>{heads}</tr></thead>"
    for row in rows:
        cells = []
        end = 0
        for start, width, band in layout.places(row):
            cells += ["<td></td>"] * (start - end)
            cells.append(_cell(card, layout, row, band))
            end = start + width
        yield f'<tr><th scope="row">{row.free}</th>{"".join(cells)}</tr>'
    if rows == layout.panels[-1]:
        text = '<td class="any">any</td>'
        if not layout.by_rank:
            text = f'<td class="any" colspan="{len(layout.columns)}">the slot that is left</td>'
        yield f'<tr><th scope="row">1</th>{text}</tr>'
    yield "</table>"


def _cell(card: Card, layout: CardLayout, row: Row, band: Band) -> str:
    text = layout.text(band, row.free)
    columns = 1 if layout.by_rank else len(band.rolls)
    colspan = f' colspan="{columns}"' if columns > 1 else ""
    framed = ' class="framed"' if card.example is not None and card.example.is_in(row, band) else ""
    if not layout.by_rank:
        number = text.rstrip("stndrh")
        if number.isdecimal() and columns == 1:
            text = f"{number}<span>{text[len(number) :]}</span>"
        text += "<b>=</b>" * band.tied
    style = f"background-color: {tint(band.rank, row.free)}"
    if columns > 1:
        style += f"; {_properties({'rolls': columns})}"
    return f'<td{colspan}{framed} style="{style}">{text}</td>'


def card_svg(game: Game) -> str:
    """The card as an SVG picture of A4 size.

    >>> print(card_svg(Game.classic()).splitlines()[1])
    <title>Ten times eighteen: 3d6, slots 1-10</title>
    """
    card = make_card(game)
    return svg(page(card, choose_layout(card)), card.title)
