"""How laws look in a table: a line for each score or range of them, a column for each law, bars where there is room."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from tentimes18.answers.numbers import fraction_text, plain
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.game import Number
from tentimes18.show.bins import LawRow
from tentimes18.show.figures import chance_cell, score_name
from tentimes18.solve.scores.score_law import ScoreLaw

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

__all__ = ["LawTable", "chance_entry", "law_grid", "score_entry", "value_entry", "with_minus"]

LONGEST_BAR: Final = 40
SHORTEST_BAR: Final = 10
GAP: Final = 2


def with_minus(text: str) -> str:
    """A text with the minus of negative numbers as people read it; the hyphen of a range stays one.

    >>> with_minus("-9 to -1"), with_minus("600-609")
    ('−9 to −1', '600-609')
    """
    return re.sub(r"(?<![0-9])-", "−", text)


def value_entry(value: Fraction | float, exact: bool, decimals: int = 5) -> Entry:
    """A number that is told of a law: with so many decimals, or as a fraction."""
    if exact:
        return Entry(fraction_text(value), with_minus(str(Fraction(value))))
    return number(float(value), f"z.{decimals}f")


def score_entry(score: Number) -> Entry:
    """A score."""
    return Entry(plain(score), with_minus(score_name(score)))


def chance_entry(chance: Fraction | float, exact: bool) -> Entry:
    """A chance in a law: in percent, or as a fraction."""
    return Entry(fraction_text(chance), str(Fraction(chance))) if exact else Entry(float(chance), chance_cell(chance))


def law_grid(laws: Mapping[str, ScoreLaw], label: str, *, exact: bool, cumulative: bool) -> Grid:
    """For programs: every score with its chances; a law alone needs no name."""
    scores = sorted({score for law in laws.values() for score in law.scores})
    grid = table("", *_columns(laws, cumulative), label=label, name="law")
    for score in scores:
        cells = [
            chance_entry(chance, exact)
            for law in laws.values()
            for chance in _chances(law, law.probability(score), score, score, cumulative)
        ]
        grid.add_row(Entry(fraction_text(score) if exact else plain(score), ""), *cells)
    return grid


def _columns(laws: Mapping[str, ScoreLaw], cumulative: bool) -> Iterator[Column]:
    if len(laws) == 1:
        yield Column("chance", "probability")
        yield from [Column("or less", "at most"), Column("or more", "at least")] if cumulative else []
        return
    for name in laws:
        yield Column(name)
        if cumulative:  # with the name, so that it is told where a table is cut between columns
            yield Column(f"{name} ≤", f"{name} at most")
            yield Column(f"{name} ≥", f"{name} at least")


def _chances(
    law: ScoreLaw, chance: Fraction | float, first: Number | None, last: Number | None, cumulative: bool
) -> Iterator[Fraction | float]:
    yield chance
    if cumulative:
        yield 1 if last is None else law.at_most(last)
        yield 1 if first is None else law.at_least(first)


@dataclass(frozen=True)
class LawTable:
    """Laws side by side for people; a law alone has bars, as long as the line has room for them."""

    label: str
    laws: Mapping[str, ScoreLaw]
    rows: Sequence[LawRow]
    exact: bool
    cumulative: bool

    def bins(self) -> Grid:
        """The same for programs, with the ends of each range."""
        columns = (Column("first"), Column("last"), *_columns(self.laws, self.cumulative))
        grid = table("", *columns, label=f"{self.label}s", name="bins")
        for row in self.rows:
            ends = [Entry(None if end is None else plain(end), "") for end in (row.first, row.last)]
            grid.add_row(row.name, *ends, *self._cells(row))
        return grid

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        shown = self._grid(0)
        room = min(LONGEST_BAR, options.max_width - shown.width - GAP)
        yield self._grid(room) if len(self.laws) == 1 and room >= SHORTEST_BAR else shown

    def _grid(self, bar: int) -> Grid:
        bars = [Column("", "bar", left=True)] if bar else []
        columns = (*_columns(self.laws, self.cumulative), *bars)
        signs = "; ≤ that or less, ≥ that or more" if self.cumulative and len(self.laws) > 1 else ""
        grid = table(f"How often which {self.label}{signs}", *columns, label=Column(self.label))
        highest = max(max(row.shares) for row in self.rows)
        for row in self.rows:
            length = round(bar * row.shares[0] / highest) or (1 if row.shares[0] else 0)
            grid.add_row(with_minus(row.name), *self._cells(row), *(["█" * length] if bar else []))
        return grid

    def _cells(self, row: LawRow) -> list[Entry]:
        return [
            chance_entry(chance, self.exact)
            for law, share in zip(self.laws.values(), row.shares, strict=True)
            for chance in _chances(
                law, _exactly(law, row) if self.exact else share, row.first, row.last, self.cumulative
            )
        ]


def _exactly(law: ScoreLaw, row: LawRow) -> Fraction | float:
    """The chance of the scores of a row, as exact as the law is."""
    if row.first is None or row.last is None:
        return law.at_most(row.last) if row.last is not None else law.at_least(row.first or 0)
    return law.at_most(row.last) - law.at_most(row.first) + law.probability(row.first)
