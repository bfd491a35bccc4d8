"""`ten18 assign` and `ten18 plot assign`: the problem behind the game, for any law, any slots and any arrivals."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import floor, fsum, log10
from typing import Annotated, Any, Literal

import typer
from msgspec import UNSET

from tentimes18.cli.command import Arguments, JsonOption, OutputOption, Part, add_query, report_file, verify_picture
from tentimes18.cli.number_files import read_rate, read_samples
from tentimes18.cli.output import progress_bar
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.number_format import counted, listed, span
from tentimes18.queries import Doc
from tentimes18.queries.assignment import (
    ArrivalsText,
    AssignmentAnswer,
    ChanceText,
    Deadline,
    Decision,
    DiscountText,
    LawText,
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
    law_name,
    lefts_shown,
    read_count,
    read_one_law,
    read_problem,
    slots_shown,
)

NEGATIVE: dict[str, Any] = {"ignore_unknown_options": True}  # so that a law may start with a minus
SHOWN_SLOTS = 10
SHOWN_ARRIVALS = 20
SHOWN_ROWS = 30
DIGITS = 6  # that a person reads of the largest number of a table


def register(app: typer.Typer) -> None:
    """Add these commands."""
    add_query(
        app,
        "assign",
        _page,
        ["rows", "expected", "choices", "placed", "prices", "filled", "chosen"],
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
    law: LawText = None,
    kind: Annotated[Literal["thresholds", "value", "regret", "prices"], Doc("What to show.")] = "thresholds",
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
    """Sequential assignment: thresholds, value or prices against what is still to come; regret against slots."""
    verify_picture(output)
    from tentimes18.pictures import plot_assignment as pictures
    from tentimes18.pictures.plot_style import save

    if kind == "regret":
        one, count = read_one_law(law, read_samples), read_count(arrivals, "arrivals")
        with progress_bar("arrivals", late=True) as progress:
            figure = pictures.plot_regret(one, count, law_name(law), progress)
    else:
        problem = read_problem(
            law_name(law),
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
        figure = draw(problem, law_name(law))
    save(figure, output)
    report_file(output, as_json)


def _form(values: Sequence[float | str | None]) -> str:
    """The format in which numbers of this size have about six digits."""
    largest = max((abs(value) for value in values if isinstance(value, float)), default=1.0)
    whole = floor(log10(largest)) + 1 if largest > 0 else 1
    return f".{min(max(DIGITS - whole, 1), 12)}f" if whole < 10 else ".6g"


def _entry(value: float | str | None, form: str) -> Entry:
    return Entry(value, value) if isinstance(value, str) else number(value, form)


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.10g}".replace("-", "−")


def _choice(slot: int | None) -> str:
    return "refuse" if slot is None else f"slot {slot}"


# A problem.


def assignment_page(answer: AssignmentAnswer) -> Iterator[Part]:
    """What it is worth, and a decision, prices, or the bounds."""
    yield _expected(answer)
    if answer.must_fill:
        yield "Every slot is filled, if need be for a value below 0.\n"
    if answer.revenue:
        yield "The worth is what posted prices make; bounds are of virtual values.\n"
    if answer.decision is not UNSET:
        yield from _decision(answer.decision, answer)
    if answer.placed is not UNSET:
        yield _placed(answer.placed)
    if answer.prices is not UNSET:
        yield from _prices(answer)
    if answer.filled is not UNSET:
        yield from _filled(answer.filled)
    if all(part is UNSET for part in (answer.decision, answer.placed, answer.prices, answer.filled)):
        yield from _bounds_page(answer)


def assignment_tables(answer: AssignmentAnswer) -> Iterator[Grid]:
    """For programs: one line a bound."""
    grid = table("", Column("left"), *_seen_head(answer), Column("slot"), Column("bound"), name="rows")
    for row in answer.thresholds:
        for slot, bound in enumerate(row.bounds, start=1):
            grid.add_row(Entry(row.left, ""), *_seen(row), slot, Entry(bound, ""))
    yield grid
    if answer.prices is not UNSET:
        yield _price_table(answer)
    if answer.filled is not UNSET:
        yield _filled_table(answer.filled)


def _expected(answer: AssignmentAnswer) -> Grid:
    title = f"{counted(len(answer.slots), 'slot')}, arrivals: {answer.arrivals}, values: {answer.law}"
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
        "Bounds: a value above that of a slot goes to it or to a better one",
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
        yield "With fewer slots free, those have the bounds of the last ones.\n"
    if len(shown) < len(answer.thresholds) or len(slots) < n:
        yield "All numbers: --json or --csv\n"


def _seen_head(answer: AssignmentAnswer) -> list[Column]:
    """The head of what is known of the time to come, where anything is."""
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
    """All slots, or the first and the last of them with a gap, which is 0."""
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
        grid.add_row(Entry("refuse" if slot is None else slot, _choice(slot)), _entry(choice.loss, form))
    yield grid


def _placed(placed: PlacedBatch) -> Grid:
    come = f"{_left(placed.left).text} {'batch' if placed.left == 1 else 'batches'} still to come"
    grid = table(f"A batch, free: {listed(placed.free)}, {come}", "goes to", label="value", name="placed")
    for value, slot in zip(placed.values, placed.slots, strict=True):
        grid.add_row(Entry(value, _plain(value)), Entry("refuse" if slot is None else slot, _choice(slot)))
    return grid


def _prices(answer: AssignmentAnswer) -> Iterator[Part]:
    rows = answer.prices or []
    grid = table(
        "Prices: buyers who look after themselves then choose as the best play does",
        "multiplier",
        "price",
        Column("bought from a value of", "bought_from"),
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
    title = "The price of one, by how many are left"
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
    what = "one who comes in this time" if timed else "one of a batch" if rows[0].batch is not UNSET else "an arrival"
    label = "time" if timed else "batch" if rows[0].batch is not UNSET else "arrival"
    grid = table(f"Who goes where: the chance that {what} fills a slot", *head, label=label)
    shown = [_together(rows[i : i + step]) for i in range(0, len(rows), step)] if timed else rows[::step]
    for row in shown:
        chances = (_entry(row.chances[slot - 1], ".4f") if slot else "..." for slot in slots)
        grid.add_row(_when(row), *chances)
    yield grid
    if step > 1 or 0 in slots:
        yield "All numbers: --json or --csv\n"


def _when(row: Placements) -> Entry:
    """The arrival, the batch, or the time between two others."""
    if row.begin is not UNSET:
        span_ = f"{row.begin:g} to {row.end:g}"
        return Entry(span_, span_)
    place = row.arrival or row.batch or 0
    return Entry(place, f"{place:,}")


def _together(rows: Sequence[Placements]) -> Placements:
    """Times that follow each other, as one."""
    chances = [fsum(map(float, column)) for column in zip(*(row.chances for row in rows), strict=True)]
    return Placements([*chances], begin=rows[0].begin, end=rows[-1].end)


def _filled_table(rows: Sequence[Placements]) -> Grid:
    """For programs: one line an arrival, a batch or a time, and a slot."""
    names = [name for name in ("arrival", "batch", "begin", "end") if getattr(rows[0], name) is not UNSET]
    grid = table("", *names, "slot", "chance", name="filled")
    for row in rows:
        when: list[Any] = [getattr(row, name) for name in names]
        for slot, chance in enumerate(row.chances, start=1):
            grid.add_row(*(Entry(value, "") for value in when), slot, Entry(chance, ""))
    return grid


def _price_table(answer: AssignmentAnswer) -> Grid:
    """For programs: one line a slot."""
    grid = table("", "slot", "multiplier", "price", "bought_from", name="prices")
    for row in answer.prices or []:
        grid.add_row(row.slot, *(Entry(cell, "") for cell in (row.multiplier, row.price, row.bought_from)))
    return grid


# Ranks alone.


def secretary_page(answer: SecretaryAnswer) -> Iterator[Part]:
    """The value, the rule, and who is chosen."""
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
        "From which arrival on a rank among those so far is taken",
        *(f"rank {rank}" for rank in range(1, ranks + 1)),
        label=Column("choices left", "choices_left"),
        name="rows",
    )
    for row in answer.rule:
        rule.add_row(row.choices_left, *(Entry(first, f"{first:,}") for first in row.first_arrivals))
    yield rule
    chosen = table("Who is chosen", "chance", label=Column("rank of all", "rank"), name="chosen")
    for rank, chance in enumerate(answer.chosen, start=1):
        chosen.add_row(rank, number(chance, ".6f"))
    yield chosen


# Every number of slots.


def regret_page(answer: RegretAnswer) -> Iterator[Part]:
    """The largest regret, and some numbers of slots."""
    largest = answer.largest
    regret = largest.regret if isinstance(largest.regret, str) else f"{largest.regret:.6g}"
    worst = f"the regret is largest for {counted(largest.slots, 'slot')}, {regret}"
    title = f"{answer.arrivals:,} arrivals of {answer.law}: {worst}"
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
    """For programs: one line a number of slots."""
    grid = table("", "slots", "value", "hindsight", "regret", name="rows")
    for row in zip(answer.slots, answer.value, answer.hindsight, answer.regret, strict=True):
        grid.add_row(*(Entry(value, "") for value in row))
    yield grid
