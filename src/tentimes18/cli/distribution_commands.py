"""`ten18 distribution` and `dice`: the distribution of a score, and of one roll; several side by side."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import typer

from tentimes18.cli.command import Arguments, Part, add_query
from tentimes18.cli.grid import Column, Entry, Grid, data_table, number, table
from tentimes18.game import Game, Number
from tentimes18.number_format import chance_cell, listed, percentile, score_name, with_minus
from tentimes18.pictures.score_bins import DistributionRow, choose_bins, roll_bins, table_rows
from tentimes18.queries.distributions import (
    Distributions,
    MomentsAnswer,
    SeveralDiceAnswer,
    SeveralMomentsAnswer,
    SlotRollsAnswer,
    read_several_dice,
    roll_distribution,
)
from tentimes18.queries.json_numbers import fraction_text, plain
from tentimes18.solve.score_distribution import ScoreDistribution

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

SHARES = ("0.01", "0.05", "0.1", "0.25", "0.75", "0.9", "0.95", "0.99")
MAX_BAR = 40
MIN_BAR = 10
GAP = 2
MAX_DICE_LINES = 120  # for single rolls
NEGATIVE = {"ignore_unknown_options": True}  # dice may start with a minus


def register(app: typer.Typer) -> None:
    tables = ["distribution", "facts", "bins"]
    add_query(app, "distribution", _distribution_page, tables, csv=_distribution_tables, bar="{strategy}", late=False)
    add_query(app, "dice", _dice_page, tables, csv=_dice_tables, context_settings=NEGATIVE)


def _distribution_page(
    result: Distributions | MomentsAnswer | SeveralMomentsAnswer | SlotRollsAnswer, arguments: Arguments
) -> Iterator[Part]:
    if isinstance(result, SlotRollsAnswer):
        yield _slots(Game.parse(arguments["dice"], arguments["slots"]), result)
        return
    if not isinstance(result, Distributions):
        yield _moments(Game.parse(arguments["dice"], arguments["slots"]), result)
        return
    game, distributions = result.board.game, result.distributions
    names = list(distributions)
    after = f" after {result.moves}" if result.moves else ""
    title = f"Final score of {names[0]}, {game}{after}" if len(names) == 1 else f"Final scores, {game}{after}"
    heads = ["points"] if len(names) == 1 else names
    yield table(title, *heads, key="fact", name="facts", rows=_score_facts(result))
    if not result.summary:
        yield _score_table(result)
    rounded = [name for name, distribution in distributions.items() if not distribution.is_exact]
    if rounded:
        yield f"Computed in float64: exact numbers would take too long here ({', '.join(rounded)})."


def _distribution_tables(result: object, _: Arguments) -> Iterator[Grid]:
    if isinstance(result, SlotRollsAnswer):
        slots = enumerate(result.slots, start=1)
        rows = ((slot, *part) for slot, shares in slots for part in zip(result.rolls, shares, strict=True))
        yield data_table("distribution", ("slot", "roll", "probability"), rows)
    elif isinstance(result, Distributions):
        yield from _score_table(result).for_programs()


def _score_table(result: Distributions) -> "DistributionTable":
    distributions = list(result.distributions.values())
    rows = table_rows(choose_bins(result.board.game, distributions), distributions)
    return DistributionTable("score", result.distributions, rows, result.exact, result.cumulative)


def _score_facts(result: Distributions) -> Iterator[Sequence[Entry | str]]:
    distributions, exact = result.distributions.values(), result.exact
    yield from _facts(distributions, exact, has_skewness=True)
    for share in SHARES:
        yield percentile(share), *(score_entry(one.quantile(Fraction(share))) for one in distributions)
    for score in result.at_most:
        name = f"P({with_minus(score_name(score))} or less)"
        yield name, *(value_entry(one.at_most(score), exact, 6) for one in distributions)
    for score in result.at_least:
        name = f"P({with_minus(score_name(score))} or more)"
        yield name, *(value_entry(one.at_least(score), exact, 6) for one in distributions)


def _facts(
    distributions: Collection[ScoreDistribution], exact: bool, *, has_skewness: bool = False
) -> Iterator[Sequence[Entry | str]]:
    """Rows: the name of a number, and the number in each distribution."""
    yield "mean", *(value_entry(one.mean, exact) for one in distributions)
    if exact:
        yield "variance", *(value_entry(one.variance, exact=True) for one in distributions)
    yield "standard deviation", *(number(one.sd, ".5f") for one in distributions)
    if has_skewness:
        yield "skewness", *(number(one.skewness, "z.5f") for one in distributions)
    medians = [(one.median, map(score_name, one.medians)) for one in distributions]
    yield "median", *(Entry(plain(median), with_minus(listed(names))) for median, names in medians)
    yield "least", *(score_entry(one.scores[0]) for one in distributions)
    yield "most", *(score_entry(one.scores[-1]) for one in distributions)


def _moments(game: Game, result: MomentsAnswer | SeveralMomentsAnswer) -> Grid:
    moments = [result] if isinstance(result, MomentsAnswer) else result.distributions
    names = [distribution.strategy for distribution in moments]
    title = f"Final score of {names[0]}, {game}" if len(names) == 1 else f"Final scores, {game}"
    heads = ["points"] if len(names) == 1 else names
    rows = (
        (name, *(_moment(getattr(one, field)) for one in moments))
        for name, field in (("mean", "mean"), ("variance", "variance"), ("standard deviation", "sd"))
    )
    return table(title, *heads, key="fact", name="distribution", rows=rows)


def _moment(written: float | str) -> Entry:
    if isinstance(written, float):
        return number(written, ".5f")
    return Entry(written, with_minus(written.removesuffix("/1")))


def _slots(game: Game, answer: SlotRollsAnswer) -> Grid:
    """Slots side by side, or below each other if there are fewer rolls."""
    is_exact = isinstance(answer.slots[0][0], str)
    title = f"Where the rolls end up, {game}" + ("" if is_exact else ", in percent")
    slots = [f"#{slot}" for slot in range(1, len(answer.slots) + 1)]
    names = [with_minus(str(roll)) for roll in answer.rolls]
    shares = [[share if isinstance(share, str) else f"{100 * share:.1f}" for share in slot] for slot in answer.slots]
    if len(slots) <= len(names):
        return table(title, *slots, label=Column("roll"), rows=zip(names, *shares, strict=True))
    return table(title, *names, label="slot", rows=zip(slots, *zip(*shares, strict=True), strict=True))


def _dice_page(_: SeveralDiceAnswer, arguments: Arguments) -> Iterator[Part]:
    drawn = _dice_table(arguments)
    rows = _facts(drawn.distributions.values(), drawn.exact)
    yield table("One roll", *drawn.distributions, key="fact", name="facts", rows=rows)
    yield drawn


def _dice_tables(_: SeveralDiceAnswer, arguments: Arguments) -> Iterator[Grid]:
    yield from _dice_table(arguments).for_programs()


def _dice_table(arguments: Arguments) -> "DistributionTable":
    dice = read_several_dice(arguments["dice"])
    distributions = {str(one): roll_distribution(one) for one in dice}
    rows = table_rows(roll_bins(dice), list(distributions.values()), MAX_DICE_LINES)
    return DistributionTable("roll", distributions, rows, arguments["exact"], cumulative=True)


def value_entry(value: Fraction | float, exact: bool, decimals: int = 5) -> Entry:
    if exact:
        return Entry(fraction_text(value), with_minus(str(Fraction(value))))
    return number(float(value), f"z.{decimals}f")


def score_entry(score: Number) -> Entry:
    return Entry(plain(score), with_minus(score_name(score)))


def chance_entry(chance: Fraction | float, exact: bool) -> Entry:
    return Entry(fraction_text(chance), str(Fraction(chance))) if exact else Entry(float(chance), chance_cell(chance))


def _columns(distributions: Mapping[str, ScoreDistribution], cumulative: bool) -> Iterator[Column]:
    if len(distributions) == 1:
        yield Column("chance", "probability")
        yield from [Column("or less", "at most"), Column("or more", "at least")] if cumulative else []
        return
    for name in distributions:
        yield Column(name)
        if cumulative:  # with the name, for tables that are cut between columns
            yield Column(f"{name} ≤", f"{name} at most")
            yield Column(f"{name} ≥", f"{name} at least")


@dataclass(frozen=True)
class DistributionTable:
    """Distributions side by side; a single one has bars if the line has room for them."""

    label: str
    distributions: Mapping[str, ScoreDistribution]
    rows: Sequence[DistributionRow]
    exact: bool
    cumulative: bool

    def for_programs(self) -> Iterator[Grid]:
        """Every score with its probabilities, where a single distribution needs no name; and the rows for people."""
        columns, point = list(_columns(self.distributions, self.cumulative)), fraction_text if self.exact else plain
        heads = (self.label, *(column.key or column.head for column in columns))
        scores = sorted({score for one in self.distributions.values() for score in one.scores})
        rows = ((point(score), *(cell.value for cell in self._cells(self._single(score)))) for score in scores)
        yield data_table("distribution", heads, rows)
        grid = table("", "first", "last", *columns, label=f"{self.label}s", name="bins")
        for row in self.rows:
            ends = [Entry(None if end is None else plain(end), "") for end in (row.first, row.last)]
            grid.add_row(row.name, *ends, *self._cells(row))
        yield grid

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        shown = self._grid(0)
        room = min(MAX_BAR, options.max_width - shown.width() - GAP)
        yield self._grid(room) if len(self.distributions) == 1 and room >= MIN_BAR else shown

    def _grid(self, bar: int) -> Grid:
        bars = [Column("", "bar", left=True)] if bar else []
        columns = (*_columns(self.distributions, self.cumulative), *bars)
        signs = " (≤ this or lower, ≥ this or higher)" if self.cumulative and len(self.distributions) > 1 else ""
        grid = table(f"Probability of each {self.label}{signs}", *columns, label=Column(self.label))
        highest = max(max(row.shares) for row in self.rows)
        for row in self.rows:
            length = round(bar * row.shares[0] / highest) or (1 if row.shares[0] else 0)
            grid.add_row(with_minus(row.name), *self._cells(row), *(["█" * length] if bar else []))
        return grid

    def _single(self, score: Number) -> DistributionRow:
        shares = tuple(float(one.probability(score)) for one in self.distributions.values())
        return DistributionRow("", score, score, shares)

    def _cells(self, row: DistributionRow) -> list[Entry]:
        cells = []
        for one, share in zip(self.distributions.values(), row.shares, strict=True):
            chances = [_exactly(one, row) if self.exact else share]
            if self.cumulative:
                chances += [1 if row.last is None else one.at_most(row.last)]
                chances += [1 if row.first is None else one.at_least(row.first)]
            cells += [chance_entry(chance, self.exact) for chance in chances]
        return cells


def _exactly(distribution: ScoreDistribution, row: DistributionRow) -> Fraction | float:
    if row.first is None or row.last is None:
        return distribution.at_most(row.last) if row.last is not None else distribution.at_least(row.first or 0)
    start = distribution.at_most(row.first) - distribution.probability(row.first)
    return distribution.at_most(row.last) - start
