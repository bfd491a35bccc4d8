"""Commands about one player: `ten18 advise`, `solve` and what follows from it, `strategies`, `distribution`, `dice`."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import typer
from msgspec.structs import asdict, astuple

from tentimes18.cli.command import Arguments, Part, add_query
from tentimes18.cli.grid import Column, Entry, Grid, data_table, number, table
from tentimes18.cli.output import Verbatim
from tentimes18.coach.aims import Mixes, aim_named
from tentimes18.coach.losses import CLASSES
from tentimes18.game import Game, Number
from tentimes18.number_format import (
    chance_cell,
    counted,
    listed,
    ordinal,
    percentile,
    score_name,
    shown_number,
    shown_roll,
    with_minus,
)
from tentimes18.pictures.score_bins import DistributionRow, choose_bins, roll_bins, table_rows
from tentimes18.queries import distributions as queries
from tentimes18.queries import solutions
from tentimes18.queries.json_numbers import fraction_text, plain
from tentimes18.queries.moves import AdviceAnswer, read_board
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import RULES
from tentimes18.wording import meaning_of_worths, mixes_text, objective_label, shown_value, words_of

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

MAX_SHOWN_SLOTS = 12
MAX_SHOWN_TIES = 20
NEGATIVE = {"ignore_unknown_options": True}  # dice or a target may start with a minus
ROUNDING = 1e-9
SHARES = ("0.01", "0.05", "0.1", "0.25", "0.75", "0.9", "0.95", "0.99")
MAX_BAR = 40
MIN_BAR = 10
GAP = 2
MAX_DICE_LINES = 120  # for single rolls


def register(app: typer.Typer) -> None:
    add_query(app, "advise", _advice_page, ["moves"], bar="advice")
    add_query(app, "solve", _solution_page, ["thresholds", "expected"], csv=_solution_tables, bar="thresholds")
    add_query(app, "closest", _closest_page, ["calls", "ties"], csv=_ties, bar="closest calls")
    add_query(app, "gap", _gap_page, ["gap"])
    add_query(app, "rules", _rules_page, ["rules"])
    add_query(app, "strategies", _strategies_page, ["strategies"])
    tables = ["moves", "facts"]
    add_query(app, "target", _target_page, tables, bar="chances", late=False, context_settings=NEGATIVE)
    add_query(app, "aim", _aim_page, tables, bar="best play", late=False)
    add_query(app, "front", _front_page, ["front"], bar="strategies", late=False)
    tables = ["distribution", "facts", "bins"]
    add_query(app, "distribution", _distribution_page, tables, csv=_distribution_tables, bar="{strategy}", late=False)
    add_query(app, "dice", _dice_page, tables, csv=_dice_tables, context_settings=NEGATIVE)


def _solution_page(solution: solutions.SolutionAnswer, arguments: Arguments) -> Iterator[Part]:
    if arguments["exact"] or arguments["digits"] is not None:
        yield Verbatim("\n".join(_numbers(solution)))
        return
    game, rows = Game.parse(arguments["dice"], arguments["slots"]), solution.thresholds
    n = game.size
    points = ((name, float(value)) for name, value in asdict(solution.expected).items())
    head = Column("points", form=".10f")
    yield table(f"Expected score, {game}", head, label="strategy", name="expected", rows=points)
    if n > MAX_SHOWN_SLOTS or len(rows) < n:
        ends = [number(float(threshold), ".3f").text for threshold in rows[-1]]
        shown = ends if n <= MAX_SHOWN_SLOTS else [*ends[:4], "...", *ends[-4:]]
        yield f"E_{n}: {'  '.join(shown)}\nAll numbers: --json or --csv\n"
        return
    title = "Thresholds E_j[i]: the expected roll in the i-th of j free slots"
    heads = (Column(str(i), form=".3f") for i in range(1, n + 1))
    yield table(title, *heads, label="j", rows=((len(row), *map(float, row)) for row in reversed(rows)))
    if n > 1:
        yield f"With {n} free slots use row {n - 1}; row {n} only gives the expected score.\n"


def _numbers(solution: solutions.SolutionAnswer) -> Iterator[str]:
    yield from (f"{name} = {points}" for name, points in asdict(solution.expected).items())
    for row in solution.thresholds:
        yield from (f"E_{len(row)}[{i}] = {threshold}" for i, threshold in enumerate(row, start=1))


def _solution_tables(solution: solutions.SolutionAnswer, _: Arguments) -> Iterator[Grid]:
    cells = ((len(row), i, cell) for row in solution.thresholds for i, cell in enumerate(row, start=1))
    yield data_table("thresholds", ("j", "i", "threshold"), cells)
    yield data_table("expected", ("strategy", "points"), asdict(solution.expected).items())


def _closest_page(closest: solutions.ClosestAnswer, arguments: Arguments) -> Iterator[Part]:
    columns = ("free slots", "roll", "best", "runner-up", Column("loss", form=".5f"), Column("free sets", form=","))
    title = f"Closest calls, {Game.parse(arguments['dice'], arguments['slots'])}"
    grid = table(title, *columns, label="where", name="calls")
    for where, calls in (("first move", closest.first_move), ("game", closest.game)):
        for call in calls:
            ranks = (Entry(rank, ordinal(rank)) for rank in (call.best, call.runner_up))
            grid.add_row(where, call.free_count, number(call.roll), *ranks, plain(call.loss), call.free_sets)
    yield grid
    yield "best, runner-up: which of the free slots, counted from the smallest multiplier"
    if not closest.ties:
        yield "No exact ties between slots with different multipliers."
        return
    yield f"\nExact ties, {len(closest.ties)} in all:"
    for tie in closest.ties[:MAX_SHOWN_TIES]:
        both = f"{ordinal(tie.rank)} and {ordinal(tie.rank + 1)}"
        yield f"  {counted(tie.free_count, 'free slot')}, roll {tie.roll}: {both} are equally good"


def _ties(closest: solutions.ClosestAnswer, _: Arguments) -> Iterator[Grid]:
    rows = ((tie.free_count, tie.roll, tie.rank, tie.rank + 1) for tie in closest.ties)
    yield data_table("ties", ("free slots", "roll", "rank", "next rank"), rows)


def _gap_page(answer: solutions.GapAnswer, _: Arguments) -> Iterator[Part]:
    title = f"Hindsight minus the best play on the slots 1 to n, {answer.distribution}"
    columns = Column("gap", form=".6g"), Column("gap / n", form=".4f"), Column("per ln n", form=".4f")
    yield table(title, *columns, label="n", name="gap", rows=map(astuple, answer.sizes))
    yield f"per ln n: the growth of gap / n since the row above; E|X − X'| / 4 = {answer.quarter:.5f}."


def _rules_page(answer: solutions.RulesAnswer, arguments: Arguments) -> Iterator[Part]:
    title = f"The best rules with few numbers, {Game.parse(arguments['dice'], arguments['slots'])}"
    forms = {"mean": ".4f", "loss": ".4f", "part of the way": ".2%", "least loss": ".4f"}
    columns = [Column(head, form=form) for head, form in forms.items()]
    rows = ((len(cuts), *values, ", ".join(map(str, cuts))) for cuts, *values in map(astuple, answer.rules))
    yield table(title, *columns, Column("groups begin at", "cuts", left=True), label="numbers", name="rules", rows=rows)
    yield (
        f"Part of the way from random ({with_minus(f'{answer.random:.2f}')}) to the best play "
        f"({with_minus(f'{answer.optimal:.2f}')}). "
        "Least loss: no rule that sees only these groups loses less, wherever the cuts are."
    )


def _advice_page(advice: AdviceAnswer, arguments: Arguments) -> Iterator[Part]:
    game = Game.parse(arguments["dice"], arguments["slots"])
    by = aim_named(game, arguments["aim"])  # its tables are in memory
    marks = {kind.name: kind.mark for kind in CLASSES}
    columns: list[str | Column] = ["multiplier", Column(words_of(by.unit).value, "value"), "loss", Column("", "class")]
    target = arguments["target"]
    if target is not None:
        columns += [Column("final score", "mean"), Column("± sd", "sd"), Column(f"P({target} or more)", "chance")]
    mix = dict(advice.mix or ())
    if mix:
        columns.append("mix")
    grid = table(f"A roll of {shown_roll(advice.roll)} in {game}", *columns, label="slot", name="moves")
    for move in advice.moves:
        slot, loss = move.slot, shown_value(move.loss, by.unit) if move.loss else "best"
        cells: list[Entry | str] = [
            Entry(slot, f"#{slot}"),
            Entry(multiplier := str(game.multipliers[slot - 1]), multiplier.replace("-", "−")),
            Entry(move.value, shown_value(move.value, by.unit)),
            Entry(move.loss, loss),
            Entry(move.class_, marks[move.class_]),
        ]
        if isinstance(move.mean, float) and isinstance(move.sd, float) and isinstance(move.chance, float):
            cells += [number(move.mean, ".2f"), number(move.sd, ".2f"), number(move.chance, ".2%")]
        if mix:
            cells.append(number(mix.get(slot, 0.0), ".1%"))
        grid.add_row(*cells, style=None if move.loss else "bold")
    yield grid
    yield meaning_of_worths(by)
    if advice.reason:
        yield advice.reason
    if advice.mix and advice.opponent_mix:
        yield mixes_text(Mixes(tuple(advice.mix), tuple(advice.opponent_mix)))


def _strategies_page(answer: solutions.StrategiesAnswer, _: Arguments) -> Iterator[Part]:
    rows = ((one.name, one.does + " Duels only." * one.duels_only) for one in answer.strategies)
    yield table("Strategies", Column("what it does", left=True), key="name", name="strategies", rows=rows)


def _target_page(answer: solutions.TargetAnswer, arguments: Arguments) -> Iterator[Part]:
    board = read_board(Game.parse(arguments["dice"], arguments["slots"]), arguments["moves"])
    name = f"target:{answer.target}"
    title = f"A score of {with_minus(str(answer.target))} or more, {board.game}"
    rows = (name, answer.probability, answer.mean), ("optimal", answer.with_optimal, answer.mean_with_optimal)
    columns = Column("chance", form=".6f"), Column("mean", form=".5f")
    yield table(title, *columns, label="strategy", name="facts", rows=rows)
    if board.free:
        heading = "The next move" if board.rounds else "The first move"
        yield moves_table(heading, name, "optimal", answer.next_move, board.game, board.free)


def moves_table(title: str, name: str, other: str, moves: Mapping[str, int], game: Game, free: int) -> Grid:
    """The slot of each roll beside that of another rule with these free slots."""
    grid, rule = table(title, name, other, label="roll", name="moves"), RULES[other](game)
    for roll, slot in moves.items():
        theirs = rule(free, int(roll))
        slots = Entry(slot, f"#{slot}"), Entry(theirs, f"#{theirs}")
        grid.add_row(number(int(roll)), *slots, style="bold" if slot != theirs else None)
    return grid


def _aim_page(solved: solutions.SolvedAim, arguments: Arguments) -> Iterator[Part]:
    distributions, answer = (solved.distribution, solved.optimal_distribution), solved.answer
    game = Game.parse(arguments["dice"], arguments["slots"])
    title = f"Aim {answer.strategy}, {game}"
    heads = (Column(name, form=".5f") for name in (answer.strategy, "optimal"))
    facts = table(title, *heads, key="fact", name="facts")
    reached = number(solved.reached, ".6f"), number(answer.with_optimal, ".6f")
    facts.add_row(objective_label(answer.strategy), *reached, style="bold")
    facts.add_row("mean", *(float(one.mean) for one in distributions))
    facts.add_row("standard deviation", *(one.sd for one in distributions))
    facts.add_row("median", *(_points(one.median) for one in distributions))
    for name, share in (("10th percentile", Fraction(1, 10)), ("90th percentile", Fraction(9, 10))):
        facts.add_row(name, *(_points(one.quantile(share)) for one in distributions))
    yield facts
    bound = f"{answer.gap:.1e}" if answer.gap > ROUNDING else f"below {ROUNDING:.0e}"
    yield f"Optimality gap: {bound}\n"
    yield moves_table("The first move", answer.strategy, "optimal", answer.first_move, game, game.all_free)


def _points(score: Number) -> Entry:
    return Entry(plain(score), shown_number(score))


def _front_page(answer: solutions.FrontAnswer, arguments: Arguments) -> Iterator[Part]:
    optimal = next(point for point in answer.front if point.strategy == "optimal")
    least = arguments["least"]
    heads = ("mean", "sd", *(("least sd",) if least else ()), "mean lost", "sd saved")
    columns = (*(Column(head, form=".3f") for head in heads), Column("", "efficient"))
    title = f"Mean and standard deviation, {Game.parse(arguments['dice'], arguments['slots'])}"
    grid = table(title, *columns, label="strategy", name="front")
    for point in answer.front:
        bound = (point.least_sd,) if isinstance(point.least_sd, float) else ()
        differences = optimal.mean - point.mean, optimal.sd - point.sd
        mark = Entry(point.efficient, "on the front" if point.efficient else "")
        grid.add_row(point.strategy, point.mean, point.sd, *bound, *differences, mark)
    yield grid
    if least:
        yield (
            "least sd: no strategy with the same mean or more has a smaller one. The least variance is larger than its "
            "square by at most 0.03% of the variance of optimal."
        )


def _distribution_page(
    result: queries.Distributions | queries.MomentsAnswer | queries.SeveralMomentsAnswer | queries.SlotRollsAnswer,
    arguments: Arguments,
) -> Iterator[Part]:
    if isinstance(result, queries.SlotRollsAnswer):
        yield _slots(Game.parse(arguments["dice"], arguments["slots"]), result)
        return
    if not isinstance(result, queries.Distributions):
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
    if isinstance(result, queries.SlotRollsAnswer):
        slots = enumerate(result.slots, start=1)
        rows = ((slot, *part) for slot, shares in slots for part in zip(result.rolls, shares, strict=True))
        yield data_table("distribution", ("slot", "roll", "probability"), rows)
    elif isinstance(result, queries.Distributions):
        yield from _score_table(result).for_programs()


def _score_table(result: queries.Distributions) -> "DistributionTable":
    distributions = list(result.distributions.values())
    rows = table_rows(choose_bins(result.board.game, distributions), distributions)
    return DistributionTable("score", result.distributions, rows, result.exact, result.cumulative)


def _score_facts(result: queries.Distributions) -> Iterator[Sequence[Entry | str]]:
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


def _moments(game: Game, result: queries.MomentsAnswer | queries.SeveralMomentsAnswer) -> Grid:
    moments = [result] if isinstance(result, queries.MomentsAnswer) else result.distributions
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


def _slots(game: Game, answer: queries.SlotRollsAnswer) -> Grid:
    """Slots side by side, or below each other if there are fewer rolls."""
    is_exact = isinstance(answer.slots[0][0], str)
    title = f"Where the rolls end up, {game}" + ("" if is_exact else ", in percent")
    slots = [f"#{slot}" for slot in range(1, len(answer.slots) + 1)]
    names = [with_minus(str(roll)) for roll in answer.rolls]
    shares = [[share if isinstance(share, str) else f"{100 * share:.1f}" for share in slot] for slot in answer.slots]
    if len(slots) <= len(names):
        return table(title, *slots, label=Column("roll"), rows=zip(names, *shares, strict=True))
    return table(title, *names, label="slot", rows=zip(slots, *zip(*shares, strict=True), strict=True))


def _dice_page(_: queries.SeveralDiceAnswer, arguments: Arguments) -> Iterator[Part]:
    drawn = _dice_table(arguments)
    rows = _facts(drawn.distributions.values(), drawn.exact)
    yield table("One roll", *drawn.distributions, key="fact", name="facts", rows=rows)
    yield drawn


def _dice_tables(_: queries.SeveralDiceAnswer, arguments: Arguments) -> Iterator[Grid]:
    yield from _dice_table(arguments).for_programs()


def _dice_table(arguments: Arguments) -> "DistributionTable":
    dice = queries.read_several_dice(arguments["dice"])
    distributions = {str(one): queries.roll_distribution(one) for one in dice}
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
    """queries.Distributions side by side; a single one has bars if the line has room for them."""

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
