"""What stands on a strategy card, and which layout of it is legible on one page of A4; the writing is elsewhere.

With k free slots and E the row of k - 1 slots, the free slot of rank r takes the rolls with E[r-1] < x <= E[r]: one
band. Where E[r] is itself a roll, that roll is exactly as good in the free slot of rank r + 1.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tentimes18.errors import TooLarge
from tentimes18.game import Game, Number
from tentimes18.show.figures import listed, ordinal, span, times
from tentimes18.show.words import game_name
from tentimes18.solve.thresholds import ExactRow, exact_thresholds

__all__ = ["Band", "Card", "CardLayout", "Example", "Row", "choose_layout", "make_card"]

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
