"""`ten18 distribution` and `dice`: the distribution of a score, and of one roll; several side by side."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import typer

from tentimes18.cli.command import Arguments, Part, add_query
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.game import Game, Number
from tentimes18.number_format import chance_cell, listed, score_name
from tentimes18.pictures.score_bins import LawRow, choose_bins, roll_bins, table_rows
from tentimes18.queries.distributions import (
    Distributions,
    MomentsAnswer,
    SeveralDiceAnswer,
    SeveralMomentsAnswer,
    SlotRollsAnswer,
    read_several_dice,
    roll_law,
)
from tentimes18.queries.json_numbers import fraction_text, plain
from tentimes18.solve.score_distribution import ScoreDistribution

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

SHARES = ("0.01", "0.05", "0.1", "0.25", "0.75", "0.9", "0.95", "0.99")
LONGEST_BAR = 40
SHORTEST_BAR = 10
GAP = 2
MAX_DICE_LINES = 120  # for single rolls
NEGATIVE = {"ignore_unknown_options": True}  # dice may start with a minus


def register(app: typer.Typer) -> None:
    """Add these commands."""
    tables = ["law", "facts", "bins"]
    add_query(
        app, "distribution", _distribution_page, tables, csv=_distribution_tables, bar="law of {strategy}", late=False
    )
    add_query(app, "dice", _dice_page, tables, csv=_dice_tables, context_settings=NEGATIVE)


def _distribution_page(
    result: Distributions | MomentsAnswer | SeveralMomentsAnswer | SlotRollsAnswer, asked: Arguments
) -> Iterator[Part]:
    if isinstance(result, SlotRollsAnswer):
        yield _slots(Game.parse(asked["dice"], asked["slots"]), result)
        return
    if not isinstance(result, Distributions):
        yield _moments(Game.parse(asked["dice"], asked["slots"]), result)
        return
    game, laws = result.board.game, result.laws
    names = list(laws)
    after = f" after {result.moves}" if result.moves else ""
    title = f"Final score of {names[0]}, {game}{after}" if len(names) == 1 else f"Final scores, {game}{after}"
    heads = ["points"] if len(names) == 1 else names
    facts = table(title, *heads, label=Column("", "fact", left=True), name="facts")
    for name, entries in _facts(result):
        facts.add_row(name, *entries)
    yield facts
    if not result.summary:
        yield _score_table(result)
    rounded = [name for name, law in laws.items() if not law.is_exact]
    if rounded:
        yield f"Computed in float64: exact numbers would take too long here ({', '.join(rounded)})."


def _distribution_tables(result: object, _: Arguments) -> Iterator[Grid]:
    """For programs: every score, and the bins that people see."""
    if isinstance(result, SlotRollsAnswer):
        yield _slots_table(result)
    elif isinstance(result, Distributions):
        yield law_grid(result.laws, "score", exact=result.exact, cumulative=result.cumulative)
        yield _score_table(result).bins()


def _score_table(result: Distributions) -> "LawTable":
    laws = list(result.laws.values())
    rows = table_rows(choose_bins(result.board.game, laws), laws)
    return LawTable("score", result.laws, rows, result.exact, result.cumulative)


def _facts(result: Distributions) -> Iterator[tuple[str, list[Entry]]]:
    """The facts of each distribution, by name."""
    laws, exact = result.laws.values(), result.exact
    yield from _moment_facts(laws, exact)
    yield "skewness", [number(law.skewness, "z.5f") for law in laws]
    yield "median", [Entry(plain(law.median), with_minus(listed(list(map(score_name, law.medians))))) for law in laws]
    yield from _ends(laws)
    for share in SHARES:
        yield f"{float(share):.0%} end at most at", [score_entry(law.quantile(Fraction(share))) for law in laws]
    for score in result.at_most:
        name = f"P({with_minus(score_name(score))} or less)"
        yield name, [value_entry(law.at_most(score), exact, 6) for law in laws]
    for score in result.at_least:
        name = f"P({with_minus(score_name(score))} or more)"
        yield name, [value_entry(law.at_least(score), exact, 6) for law in laws]


def _moment_facts(laws: Collection[ScoreDistribution], exact: bool) -> Iterator[tuple[str, list[Entry]]]:
    yield "mean", [value_entry(law.mean, exact) for law in laws]
    if exact:
        yield "variance", [value_entry(law.variance, exact=True) for law in laws]
    yield "standard deviation", [number(law.sd, ".5f") for law in laws]


def _ends(laws: Collection[ScoreDistribution]) -> Iterator[tuple[str, list[Entry]]]:
    yield "least", [score_entry(law.scores[0]) for law in laws]
    yield "most", [score_entry(law.scores[-1]) for law in laws]


def _moments(game: Game, result: MomentsAnswer | SeveralMomentsAnswer) -> Grid:
    moments = [result] if isinstance(result, MomentsAnswer) else result.laws
    names = [law.strategy for law in moments]
    title = f"Final score of {names[0]}, {game}" if len(names) == 1 else f"Final scores, {game}"
    heads = ["points"] if len(names) == 1 else names
    facts = table(title, *heads, label=Column("", "fact", left=True), name="law")
    facts.add_row("mean", *(_moment(law.mean) for law in moments))
    facts.add_row("variance", *(_moment(law.variance) for law in moments))
    facts.add_row("standard deviation", *(_moment(law.sd) for law in moments))
    return facts


def _moment(written: float | str) -> Entry:
    """A number of an answer, or the fraction that it holds instead."""
    if isinstance(written, float):
        return number(written, ".5f")
    return Entry(written, with_minus(written.removesuffix("/1")))


def _slots(game: Game, laws: SlotRollsAnswer) -> Grid:
    """Slots beside each other, or below each other where there are fewer rolls."""
    is_exact = isinstance(laws.slots[0][0], str)
    title = f"Where the rolls end up, {game}" + ("" if is_exact else ", in percent")
    slots = [f"#{slot}" for slot in range(1, len(laws.slots) + 1)]
    names = [with_minus(str(roll)) for roll in laws.rolls]
    if len(slots) <= len(names):
        grid = table(title, *slots, label=Column("roll"))
        rows = zip(names, zip(*laws.slots, strict=True), strict=True)
    else:
        grid = table(title, *names, label="slot")
        rows = zip(slots, map(tuple, laws.slots), strict=True)
    for name, law in rows:
        grid.add_row(name, *(share if isinstance(share, str) else f"{100 * share:.1f}" for share in law))
    return grid


def _slots_table(laws: SlotRollsAnswer) -> Grid:
    """For programs: a line for each slot and roll."""
    grid = table("", "roll", "probability", label="slot", name="law")
    for slot, law in enumerate(laws.slots, start=1):
        for roll, share in zip(laws.rolls, law, strict=True):
            grid.add_row(slot, roll, Entry(share, ""))
    return grid


def _dice_page(_: SeveralDiceAnswer, asked: Arguments) -> Iterator[Part]:
    exact = asked["exact"]
    drawn = _dice_table(asked)
    laws = drawn.laws.values()
    facts = table("One roll", *drawn.laws, label=Column("", "fact", left=True), name="facts")
    median = "median", [Entry(plain(law.median), with_minus(listed(law.medians))) for law in laws]
    for name, entries in (*_moment_facts(laws, exact), median, *_ends(laws)):
        facts.add_row(name, *entries)
    yield facts
    yield drawn


def _dice_tables(_: SeveralDiceAnswer, asked: Arguments) -> Iterator[Grid]:
    drawn = _dice_table(asked)
    yield law_grid(drawn.laws, "roll", exact=asked["exact"], cumulative=True)
    yield drawn.bins()


def _dice_table(asked: Arguments) -> "LawTable":
    dice = read_several_dice(asked["dice"])
    laws = {str(one): roll_law(one) for one in dice}
    rows = table_rows(roll_bins(dice), list(laws.values()), MAX_DICE_LINES)
    return LawTable("roll", laws, rows, asked["exact"], cumulative=True)


def with_minus(text: str) -> str:
    """A text with the minus of negative numbers as people read it; the hyphen of a range stays one.

    >>> with_minus("-9 to -1"), with_minus("600-609")
    ('−9 to −1', '600-609')
    """
    return re.sub(r"(?<![0-9])-", "−", text)


def value_entry(value: Fraction | float, exact: bool, decimals: int = 5) -> Entry:
    """A number with this many decimals, or as a fraction."""
    if exact:
        return Entry(fraction_text(value), with_minus(str(Fraction(value))))
    return number(float(value), f"z.{decimals}f")


def score_entry(score: Number) -> Entry:
    """A score."""
    return Entry(plain(score), with_minus(score_name(score)))


def chance_entry(chance: Fraction | float, exact: bool) -> Entry:
    """A probability: in percent, or as a fraction."""
    return Entry(fraction_text(chance), str(Fraction(chance))) if exact else Entry(float(chance), chance_cell(chance))


def law_grid(laws: Mapping[str, ScoreDistribution], label: str, *, exact: bool, cumulative: bool) -> Grid:
    """For programs: every score with its probabilities; one distribution alone needs no name."""
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


def _columns(laws: Mapping[str, ScoreDistribution], cumulative: bool) -> Iterator[Column]:
    if len(laws) == 1:
        yield Column("chance", "probability")
        yield from [Column("or less", "at most"), Column("or more", "at least")] if cumulative else []
        return
    for name in laws:
        yield Column(name)
        if cumulative:  # with the name, for tables that are cut between columns
            yield Column(f"{name} ≤", f"{name} at most")
            yield Column(f"{name} ≥", f"{name} at least")


def _chances(
    law: ScoreDistribution, chance: Fraction | float, first: Number | None, last: Number | None, cumulative: bool
) -> Iterator[Fraction | float]:
    yield chance
    if cumulative:
        yield 1 if last is None else law.at_most(last)
        yield 1 if first is None else law.at_least(first)


@dataclass(frozen=True)
class LawTable:
    """Distributions side by side for people; one alone has bars, as long as the line has room for them."""

    label: str
    laws: Mapping[str, ScoreDistribution]
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


def _exactly(law: ScoreDistribution, row: LawRow) -> Fraction | float:
    """The chance of the scores of a row, as exact as the law is."""
    if row.first is None or row.last is None:
        return law.at_most(row.last) if row.last is not None else law.at_least(row.first or 0)
    return law.at_most(row.last) - law.at_most(row.first) + law.probability(row.first)
