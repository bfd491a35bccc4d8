"""`ten18 assign` and `ten18 plot assign`: the problem behind the game, for any values, slots and arrivals."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import floor, fsum, log10
from typing import Annotated, Any, Literal

import typer
from msgspec import UNSET

from tentimes18.cli.command import Arguments, JsonOption, OutputOption, Part, add_query, report_file, verify_picture
from tentimes18.cli.grid import Column, Entry, Grid, data_table, number, table
from tentimes18.cli.number_files import read_rate, read_samples
from tentimes18.cli.output import progress_bar
from tentimes18.number_format import counted, listed, span
from tentimes18.queries import Doc
from tentimes18.queries.assignment import (
    ArrivalsText,
    AssignmentAnswer,
    ChanceText,
    ComparedRule,
    Deadline,
    Decision,
    DiscountText,
    DistributionText,
    Left,
    Menu,
    MustFill,
    PlacedBatch,
    Placements,
    RateText,
    RegretAnswer,
    Revenue,
    SecretaryAnswer,
    SlotCounts,
    ThresholdRow,
    distribution_name,
    lefts_shown,
    read_count,
    read_one_distribution,
    read_problem,
    slots_shown,
)

NEGATIVE: dict[str, Any] = {"ignore_unknown_options": True}  # so that a distribution may start with a minus
SHOWN_SLOTS = 10
SHOWN_ARRIVALS = 20
SHOWN_ROWS = 30
DIGITS = 6  # that a person reads of the largest number of a table


def register(app: typer.Typer) -> None:
    add_query(
        app,
        "assign",
        _page,
        ["rows", "expected", "choices", "placed", "prices", "filled", "comparison", "chosen"],
        csv=_tables,
        bar="arrivals",
        context_settings=NEGATIVE,
    )


Answer = AssignmentAnswer | SecretaryAnswer | RegretAnswer


def _page(answer: Answer, _: Arguments) -> Iterator[Part]:
    if isinstance(answer, AssignmentAnswer):
        return assignment_page(answer)
    return secretary_page(answer) if isinstance(answer, SecretaryAnswer) else regret_page(answer)


def _tables(answer: Answer, _: Arguments) -> Iterator[Grid]:
    if isinstance(answer, AssignmentAnswer):
        yield from assignment_tables(answer)
    elif isinstance(answer, RegretAnswer):
        yield from regret_tables(answer)


def plot_assign(
    output: OutputOption,
    distribution: DistributionText = None,
    kind: Annotated[Literal["thresholds", "value", "regret", "prices"], Doc("The curves to draw.")] = "thresholds",
    slots: SlotCounts = "1",
    arrivals: ArrivalsText = None,
    poisson: RateText = None,
    until: Deadline = None,
    chance: ChanceText = "1",
    discount: DiscountText = "1",
    must_fill: MustFill = False,
    revenue: Revenue = False,
    as_json: JsonOption = False,
) -> None:
    """Draw thresholds, value or prices against the arrivals still to come, or regret against the number of slots."""
    verify_picture(output)
    from tentimes18.pictures import plot_assignment as pictures
    from tentimes18.pictures.plot_style import save

    if kind == "regret":
        one, count = read_one_distribution(distribution, read_samples), read_count(arrivals, "arrivals")
        with progress_bar("arrivals", late=True) as progress:
            figure = pictures.plot_regret(one, count, distribution_name(distribution), progress)
    else:
        problem = read_problem(
            distribution_name(distribution),
            slots,
            arrivals,
            poisson=poisson,
            until=until,
            chance=chance,
            discount=discount,
            must_fill=must_fill,
            revenue=revenue,
            read_samples=read_samples,
            read_rate=read_rate,
        )
        draw = {"thresholds": pictures.plot_bounds, "value": pictures.plot_worth, "prices": pictures.plot_prices}[kind]
        figure = draw(problem, distribution_name(distribution))
    save(figure, output)
    report_file(output, as_json)


def _form(values: Sequence[float | str | None]) -> str:
    """A format in which numbers of this size have about six digits."""
    largest = max((abs(value) for value in values if isinstance(value, float)), default=1.0)
    whole = floor(log10(largest)) + 1 if largest > 0 else 1
    return f".{min(max(DIGITS - whole, 1), 12)}f" if whole < 10 else ".6g"


def _entry(value: float | str | None, form: str) -> Entry:
    return Entry(value, value) if isinstance(value, str) else number(value, form)


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.10g}".replace("-", "−")


def _choice(slot: int | None) -> str:
    return "reject" if slot is None else f"slot {slot}"


# A problem.


def assignment_page(answer: AssignmentAnswer) -> Iterator[Part]:
    yield _expected(answer)
    if answer.must_fill:
        yield "Every slot is filled, even with values below 0.\n"
    if answer.revenue:
        yield "The worth is the revenue of posted prices; thresholds apply to virtual values.\n"
    if answer.decision is not UNSET:
        yield from _decision(answer.decision, answer)
    if answer.placed is not UNSET:
        yield _placed(answer.placed)
    if answer.prices is not UNSET:
        yield from _prices(answer)
    if answer.filled is not UNSET:
        yield from _filled(answer.filled)
    if answer.comparison is not UNSET:
        yield _compared(answer.comparison)
    parts = (answer.decision, answer.placed, answer.prices, answer.filled, answer.comparison)
    if all(part is UNSET for part in parts):
        yield from _bounds_page(answer)


def assignment_tables(answer: AssignmentAnswer) -> Iterator[Grid]:
    grid = table("", Column("left"), *_seen_head(answer), Column("slot"), Column("bound"), name="rows")
    for row in answer.thresholds:
        for slot, bound in enumerate(row.bounds, start=1):
            grid.add_row(Entry(row.left, ""), *_seen(row), slot, Entry(bound, ""))
    yield grid
    if answer.prices is not UNSET:
        yield _price_table(answer)
    if answer.filled is not UNSET:
        yield _filled_table(answer.filled)
    if answer.comparison is not UNSET:
        names = ("rule", "value", "loss", "ratio", "error", "error_kind")
        yield data_table(
            "comparison", names, (tuple(getattr(each, name) for name in names) for each in answer.comparison)
        )


def _expected(answer: AssignmentAnswer) -> Grid:
    title = f"{counted(len(answer.slots), 'slot')}, arrivals: {answer.arrivals}, values: {answer.distribution}"
    grid = table(title if len(title) <= 300 else f"{title[:297]}...", "worth", label="play", name="expected")
    rows = [("best", answer.value), ("hindsight", answer.hindsight), ("regret", answer.regret)]
    form = _form([worth for _, worth in rows])
    for name, worth in rows:
        if worth is not None:
            grid.add_row(name, _entry(worth, form))
    if answer.simulated is not UNSET:
        games = answer.simulated
        grid.add_row(f"{games.games:,} simulated", _entry(games.mean, form))
        grid.add_row("standard error", _entry(games.stderr, form))
    return grid


def _bounds_page(answer: AssignmentAnswer) -> Iterator[Part]:
    n = len(answer.slots)
    lefts = list(dict.fromkeys(row.left for row in answer.thresholds))
    wanted = set(lefts_shown(lefts))
    shown = [row for row in answer.thresholds if row.left in wanted][:SHOWN_ROWS]
    slots = _slots_shown(n)
    grid = table(
        "Thresholds: a value above that of a slot goes to this slot or a better one",
        *_seen_head(answer),
        *(f"#{slot}" if slot else "..." for slot in slots),
        label=_left_head(shown[0].left, answer.batches is not UNSET),
    )
    form = _form([bound for row in shown for bound in row.bounds])
    for row in shown:
        bounds = (_entry(row.bounds[slot - 1], form) if slot else "..." for slot in slots)
        grid.add_row(_left(row.left), *_seen(row), *bounds)
    yield grid
    if n > 1:
        yield "With fewer free slots, use the thresholds of the last ones.\n"
    if len(shown) < len(answer.thresholds) or len(slots) < n:
        yield "All numbers: --json or --csv\n"


def _seen_head(answer: AssignmentAnswer) -> list[Column]:
    if answer.regimes is not UNSET:
        return [Column("regime")]
    return [Column("seen ahead", "ahead")] if answer.ahead is not UNSET else []


def _seen(row: ThresholdRow) -> list[Entry]:
    if row.regime is not UNSET:
        return [Entry(row.regime, str(row.regime))]
    if row.ahead is not UNSET:
        values = ", ".join(map(_plain, row.ahead))
        return [Entry(values, values or "none")]
    return []


def _slots_shown(n: int) -> list[int]:
    """All slots, or the first and the last of them with 0 for the gap."""
    if n <= SHOWN_SLOTS:
        return list(range(1, n + 1))
    return [1, 2, 0, *range(n - SHOWN_SLOTS + 4, n + 1)]


def _left_head(left: Left, batches: bool = False) -> Column:
    come = "batches still to come" if batches else "still to come"
    return Column("until the deadline" if isinstance(left, float) else come, "left")


def _left(left: Left) -> Entry:
    return Entry(left, "any" if left is None else f"{left:g}" if isinstance(left, float) else f"{left:,}")


def _decision(decision: Decision, answer: AssignmentAnswer) -> Iterator[Part]:
    free, left = decision.free, decision.left
    where = "all slots free" if len(free) == len(answer.slots) else f"free: {listed(free)}"
    when = "" if left is None else f", {_left(left).text} {_left_head(left).head}"
    if decision.regime is not UNSET:
        when += f", regime {decision.regime}"
    elif decision.ahead:
        when += f", seen ahead: {', '.join(map(_plain, decision.ahead))}"
    grid = table(
        f"A value of {_plain(decision.value)}, {where}{when}: {_choice(decision.best)}",
        "loss",
        label="choice",
        name="choices",
    )
    form = _form([choice.loss for choice in decision.choices])
    for choice in decision.choices:
        slot = choice.slot
        grid.add_row(Entry("reject" if slot is None else slot, _choice(slot)), _entry(choice.loss, form))
    yield grid


def _placed(placed: PlacedBatch) -> Grid:
    come = f"{_left(placed.left).text} {'batch' if placed.left == 1 else 'batches'} still to come"
    grid = table(f"A batch, free: {listed(placed.free)}, {come}", "goes to", label="value", name="placed")
    for value, slot in zip(placed.values, placed.slots, strict=True):
        grid.add_row(Entry(value, _plain(value)), Entry("reject" if slot is None else slot, _choice(slot)))
    return grid


def _compared(rules: Sequence[ComparedRule]) -> Grid:
    grid = table("Rules compared", "worth", "loss", Column("of hindsight", "ratio"), label="rule", name="comparison")
    form = _form([each.value for each in rules])
    for each in rules:
        share = Entry(each.ratio, f"{each.ratio:.2%}")
        grid.add_row(each.rule, _entry(each.value, form), _entry(each.loss, form), share)
    return grid


def _prices(answer: AssignmentAnswer) -> Iterator[Part]:
    rows = answer.prices or []
    grid = table(
        "Posted prices: self-interested buyers then make the optimal choices",
        "multiplier",
        "price",
        Column("bought at values from", "bought_from"),
        label="slots",
    )
    form = _form([number for row in rows for number in (row.price, row.bought_from)])
    for _, found in groupby(rows, key=lambda row: (row.multiplier, row.price)):
        equal = list(found)
        row, slots = equal[0], span([row.slot for row in equal])
        multiplier = row.multiplier
        shown = multiplier if isinstance(multiplier, str) else f"{multiplier:g}"
        grid.add_row(
            Entry(slots, slots), Entry(multiplier, shown), _entry(row.price, form), _entry(row.bought_from, form)
        )
    yield grid
    if answer.menu is not UNSET:
        yield _menu(answer.menu)


def _menu(rows: Sequence[Menu]) -> Grid:
    counts = list(rows[0].prices)
    title = "Price of one slot, by how many are left"
    grid = table(title, *(f"{int(count):,} left" for count in counts), label=_left_head(rows[0].left))
    form = _form([price for row in rows for price in row.prices.values()])
    for row in rows:
        grid.add_row(_left(row.left), *(_entry(row.prices[count], form) for count in counts))
    return grid


def _filled(rows: Sequence[Placements]) -> Iterator[Part]:
    slots = _slots_shown(len(rows[0].chances))
    head = [f"#{slot}" if slot else "..." for slot in slots]
    step = max(1, len(rows) // SHOWN_ARRIVALS)
    timed = rows[0].begin is not UNSET
    what = "an arrival in this time" if timed else "one of a batch" if rows[0].batch is not UNSET else "an arrival"
    label = "time" if timed else "batch" if rows[0].batch is not UNSET else "arrival"
    grid = table(f"Chance that {what} fills each slot", *head, label=label)
    shown = [_together(rows[i : i + step]) for i in range(0, len(rows), step)] if timed else rows[::step]
    for row in shown:
        chances = (_entry(row.chances[slot - 1], ".4f") if slot else "..." for slot in slots)
        grid.add_row(_when(row), *chances)
    yield grid
    if step > 1 or 0 in slots:
        yield "All numbers: --json or --csv\n"


def _when(row: Placements) -> Entry:
    if row.begin is not UNSET:
        span_ = f"{row.begin:g} to {row.end:g}"
        return Entry(span_, span_)
    place = row.arrival or row.batch or 0
    return Entry(place, f"{place:,}")


def _together(rows: Sequence[Placements]) -> Placements:
    chances = [fsum(map(float, column)) for column in zip(*(row.chances for row in rows), strict=True)]
    return Placements([*chances], begin=rows[0].begin, end=rows[-1].end)


def _filled_table(rows: Sequence[Placements]) -> Grid:
    names = [name for name in ("arrival", "batch", "begin", "end") if getattr(rows[0], name) is not UNSET]
    grid = table("", *names, "slot", "chance", name="filled")
    for row in rows:
        when: list[Any] = [getattr(row, name) for name in names]
        for slot, chance in enumerate(row.chances, start=1):
            grid.add_row(*(Entry(value, "") for value in when), slot, Entry(chance, ""))
    return grid


def _price_table(answer: AssignmentAnswer) -> Grid:
    rows = ((row.slot, row.multiplier, row.price, row.bought_from) for row in answer.prices or [])
    return data_table("prices", ("slot", "multiplier", "price", "bought_from"), rows)


# Ranks alone.


def secretary_page(answer: SecretaryAnswer) -> Iterator[Part]:
    n, choices = answer.arrivals, answer.choices
    what = "chance to choose the best" if answer.reward == "best" else "expected sum of ranks"
    if answer.reward == "rank" and choices == 1:
        what = "expected rank"
    expected = table(
        f"{counted(n, 'arrival')}, {counted(choices, 'choice')}, only ranks are seen",
        "value",
        label="",
        name="expected",
    )
    expected.add_row(what, _entry(answer.value, ".8f"))
    yield expected
    ranks = max((len(row.first_arrivals) for row in answer.rule), default=1)
    rule = table(
        "First arrival at which each rank so far is taken",
        *(f"rank {rank}" for rank in range(1, ranks + 1)),
        label=Column("choices left", "choices_left"),
        name="rows",
    )
    for row in answer.rule:
        rule.add_row(row.choices_left, *(Entry(first, f"{first:,}") for first in row.first_arrivals))
    yield rule
    chosen = table("Chance to be chosen", "chance", label=Column("rank of all", "rank"), name="chosen")
    for rank, chance in enumerate(answer.chosen, start=1):
        chosen.add_row(rank, number(chance, ".6f"))
    yield chosen


# Every number of slots.


def regret_page(answer: RegretAnswer) -> Iterator[Part]:
    largest = answer.largest
    regret = largest.regret if isinstance(largest.regret, str) else f"{largest.regret:.6g}"
    worst = f"the regret is largest for {counted(largest.slots, 'slot')}, {regret}"
    title = f"{answer.arrivals:,} arrivals of {answer.distribution}: {worst}"
    grid = table(title, "best play", "hindsight", "regret", label="slots")
    wanted = set(slots_shown(answer.slots)) | {largest.slots}
    forms = [_form(answer.hindsight), _form(answer.hindsight), _form([largest.regret])]
    for slots, *numbers in zip(answer.slots, answer.value, answer.hindsight, answer.regret, strict=True):
        if slots in wanted:
            cells = [_entry(value, form) for value, form in zip(numbers, forms, strict=True)]
            grid.add_row(Entry(slots, f"{slots:,}"), *cells)
    yield grid
    if len(answer.slots) > len(grid.rows):
        yield "All numbers: --json or --csv\n"


def regret_tables(answer: RegretAnswer) -> Iterator[Grid]:
    rows = zip(answer.slots, answer.value, answer.hindsight, answer.regret, strict=True)
    yield data_table("rows", ("slots", "value", "hindsight", "regret"), rows)
