"""`ten18 assign` and `ten18 plot assign`: the problem behind the game, for any values, slots and arrivals."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import floor, fsum, log10
from typing import Annotated, Any, Literal

import typer
from msgspec import UNSET

from tentimes18.cli.command import Arguments, JsonOption, OutputOption, Part, add_query, report_file, verify_picture
from tentimes18.cli.grid import Column, Entry, Grid, data_table, table
from tentimes18.cli.number_files import read_rate, read_samples
from tentimes18.cli.output import progress_bar
from tentimes18.number_format import counted, listed, span
from tentimes18.queries import Doc, assignment
from tentimes18.queries.assignment import AssignmentAnswer, Placements, RegretAnswer, SecretaryAnswer

NEGATIVE: dict[str, Any] = {"ignore_unknown_options": True}  # so that a distribution may start with a minus
SHOWN_SLOTS = 10
SHOWN_ARRIVALS = 20
SHOWN_ROWS = 30
DIGITS = 6  # that a person reads of the largest number of a table
MORE = "All numbers: --json or --csv\n"


def register(app: typer.Typer) -> None:
    names = ["rows", "expected", "choices", "placed", "prices", "filled", "comparison", "chosen"]
    add_query(app, "assign", _page, names, csv=_tables, bar="arrivals", context_settings=NEGATIVE)


Answer = AssignmentAnswer | SecretaryAnswer | RegretAnswer


def _page(answer: Answer, _: Arguments) -> Iterator[Part]:
    if isinstance(answer, AssignmentAnswer):
        return assignment_page(answer)
    return _secretary_page(answer) if isinstance(answer, SecretaryAnswer) else _regret_page(answer)


def _tables(answer: Answer, _: Arguments) -> Iterator[Grid]:
    if isinstance(answer, AssignmentAnswer):
        yield from assignment_tables(answer)
    elif isinstance(answer, RegretAnswer):
        rows = zip(answer.slots, answer.value, answer.hindsight, answer.regret, strict=True)
        yield data_table("rows", ("slots", "value", "hindsight", "regret"), rows)


def plot_assign(
    output: OutputOption,
    distribution: assignment.DistributionText = None,
    kind: Annotated[Literal["thresholds", "value", "regret", "prices"], Doc("The curves to draw.")] = "thresholds",
    slots: assignment.SlotCounts = "1",
    arrivals: assignment.ArrivalsText = None,
    poisson: assignment.RateText = None,
    until: assignment.Deadline = None,
    chance: assignment.ChanceText = "1",
    discount: assignment.DiscountText = "1",
    must_fill: assignment.MustFill = False,
    revenue: assignment.Revenue = False,
    as_json: JsonOption = False,
) -> None:
    """Draw thresholds, value or prices against the arrivals still to come, or regret against the number of slots."""
    verify_picture(output)
    from tentimes18.pictures import plot_assignment as pictures
    from tentimes18.pictures.plot_style import save

    name = assignment.distribution_name(distribution)
    if kind == "regret":
        one = assignment.read_one_distribution(distribution, read_samples)
        count = assignment.read_count(arrivals, "arrivals")
        with progress_bar("arrivals", late=True) as progress:
            figure = pictures.plot_regret(one, count, name, progress)
    else:
        problem = assignment.read_problem(
            name,
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
        figure = pictures.plot_problem(problem, kind, name)
    save(figure, output)
    report_file(output, as_json)


def _form(values: Sequence[float | str | None]) -> str:
    """A format in which numbers of this size have about six digits."""
    largest = max((abs(value) for value in values if isinstance(value, float)), default=1.0)
    whole = floor(log10(largest)) + 1 if largest > 0 else 1
    return f".{min(max(DIGITS - whole, 1), 12)}f" if whole < 10 else ".6g"


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.10g}".replace("-", "−")


def _choice(slot: int | None) -> Entry:
    return Entry("reject", "reject") if slot is None else Entry(slot, f"slot {slot}")


# A problem.


def assignment_page(answer: AssignmentAnswer) -> Iterator[Part]:
    yield _expected(answer)
    if answer.must_fill:
        yield "Every slot is filled, even with values below 0.\n"
    if answer.revenue:
        yield "The worth is the revenue of posted prices; thresholds apply to virtual values.\n"
    if answer.decision is not UNSET:
        yield _decision(answer.decision, len(answer.slots))
    if answer.placed is not UNSET:
        placed = answer.placed
        come = f"{_left(placed.left)} {'batch' if placed.left == 1 else 'batches'} still to come"
        rows = zip((Entry(value, _plain(value)) for value in placed.values), map(_choice, placed.slots), strict=True)
        title = f"A batch, free: {listed(placed.free)}, {come}"
        yield table(title, "goes to", label="value", name="placed", rows=rows)
    if answer.prices is not UNSET:
        yield from _prices(answer)
    if answer.filled is not UNSET:
        yield from _filled(answer.filled)
    if answer.comparison is not UNSET:
        form = _form([each.value for each in answer.comparison])
        heads = Column("worth", form=form), Column("loss", form=form), Column("of hindsight", "ratio", form=".2%")
        lines = ((each.rule, each.value, each.loss, each.ratio) for each in answer.comparison)
        yield table("Rules compared", *heads, label="rule", name="comparison", rows=lines)
    parts = (answer.decision, answer.placed, answer.prices, answer.filled, answer.comparison)
    if all(part is UNSET for part in parts):
        yield from _bounds_page(answer)


def assignment_tables(answer: AssignmentAnswer) -> Iterator[Grid]:
    """The tables for programs."""
    yield data_table(
        "rows",
        ("left", *(head.key or head.head for head in _seen_head(answer)), "slot", "bound"),
        (
            (row.left, *_seen(row), slot, bound)
            for row in answer.thresholds
            for slot, bound in enumerate(row.bounds, start=1)
        ),
    )
    for name, rows, names in (
        ("prices", answer.prices, ("slot", "multiplier", "price", "bought_from")),
        ("comparison", answer.comparison, ("rule", "value", "loss", "ratio", "error", "error_kind")),
    ):
        if rows is not UNSET:
            yield data_table(name, names, ([getattr(row, column) for column in names] for row in rows))
    if answer.filled is not UNSET:
        filled = answer.filled
        when = [name for name in ("arrival", "batch", "begin", "end") if getattr(filled[0], name) is not UNSET]
        chances = (
            (*(getattr(row, name) for name in when), slot, chance)
            for row in filled
            for slot, chance in enumerate(row.chances, start=1)
        )
        yield data_table("filled", (*when, "slot", "chance"), chances)


def _expected(answer: AssignmentAnswer) -> Grid:
    title = f"{counted(len(answer.slots), 'slot')}, arrivals: {answer.arrivals}, values: {answer.distribution}"
    rows = [("best", answer.value), ("hindsight", answer.hindsight), ("regret", answer.regret)]
    worth = Column("worth", form=_form([worth for _, worth in rows]))
    if answer.simulated is not UNSET:
        games = answer.simulated
        rows += [(f"{games.games:,} simulated", games.mean), ("standard error", games.stderr)]
    title = title if len(title) <= 300 else f"{title[:297]}..."
    return table(title, worth, label="play", name="expected", rows=(row for row in rows if row[1] is not None))


def _bounds_page(answer: AssignmentAnswer) -> Iterator[Part]:
    n = len(answer.slots)
    lefts = set(assignment.lefts_shown(list(dict.fromkeys(row.left for row in answer.thresholds))))
    shown = [row for row in answer.thresholds if row.left in lefts][:SHOWN_ROWS]
    slots = _slots_shown(n)
    yield table(
        "Thresholds: a value above that of a slot goes to this slot or a better one",
        *_seen_head(answer),
        *_slot_heads(slots, _form([bound for row in shown for bound in row.bounds])),
        label=_left_head(shown[0].left, answer.batches is not UNSET),
        rows=(
            (_left(row.left), *("none" if seen == "" else seen for seen in _seen(row)), *_of_slots(row.bounds, slots))
            for row in shown
        ),
    )
    if n > 1:
        yield "With fewer free slots, use the thresholds of the last ones.\n"
    if len(shown) < len(answer.thresholds) or len(slots) < n:
        yield MORE


def _seen_head(answer: AssignmentAnswer) -> list[Column]:
    if answer.regimes is not UNSET:
        return [Column("regime")]
    return [Column("seen ahead", "ahead")] if answer.ahead is not UNSET else []


def _seen(row: assignment.ThresholdRow) -> list[int | str]:
    if row.regime is not UNSET:
        return [row.regime]
    return [] if row.ahead is UNSET else [", ".join(map(_plain, row.ahead))]


def _slots_shown(n: int) -> list[int]:
    """All slots, or the first and the last of them with 0 for the gap."""
    if n <= SHOWN_SLOTS:
        return list(range(1, n + 1))
    return [1, 2, 0, *range(n - SHOWN_SLOTS + 4, n + 1)]


def _slot_heads(slots: Sequence[int], form: str) -> list[Column]:
    return [Column(f"#{slot}" if slot else "...", form=form) for slot in slots]


def _of_slots(values: Sequence[Any], slots: Sequence[int]) -> list[Any]:
    return [values[slot - 1] if slot else "..." for slot in slots]


def _left_head(left: assignment.Left, batches: bool = False) -> Column:
    come = "batches still to come" if batches else "still to come"
    return Column("until the deadline" if isinstance(left, float) else come, "left")


def _left(left: assignment.Left) -> str:
    return "any" if left is None else f"{left:g}" if isinstance(left, float) else f"{left:,}"


def _decision(decision: assignment.Decision, n: int) -> Grid:
    free, left = decision.free, decision.left
    where = "all slots free" if len(free) == n else f"free: {listed(free)}"
    when = "" if left is None else f", {_left(left)} {_left_head(left).head}"
    if decision.regime is not UNSET:
        when += f", regime {decision.regime}"
    elif decision.ahead:
        when += f", seen ahead: {', '.join(map(_plain, decision.ahead))}"
    title = f"A value of {_plain(decision.value)}, {where}{when}: {_choice(decision.best).text}"
    loss = Column("loss", form=_form([choice.loss for choice in decision.choices]))
    rows = ((_choice(choice.slot), choice.loss) for choice in decision.choices)
    return table(title, loss, label="choice", name="choices", rows=rows)


def _prices(answer: AssignmentAnswer) -> Iterator[Part]:
    rows = answer.prices or []
    form = _form([number for row in rows for number in (row.price, row.bought_from)])
    equal = [list(group) for _, group in groupby(rows, key=lambda row: (row.multiplier, row.price))]
    yield table(
        "Posted prices: self-interested buyers then make the optimal choices",
        Column("multiplier", form="g"),
        Column("price", form=form),
        Column("bought at values from", "bought_from", form=form),
        label="slots",
        rows=(
            (span([row.slot for row in group]), group[0].multiplier, group[0].price, group[0].bought_from)
            for group in equal
        ),
    )
    if answer.menu is not UNSET:
        menu = answer.menu
        form = _form([price for row in menu for price in row.prices.values()])
        yield table(
            "Price of one slot, by how many are left",
            *(Column(f"{int(count):,} left", form=form) for count in menu[0].prices),
            label=_left_head(menu[0].left),
            rows=((_left(row.left), *row.prices.values()) for row in menu),
        )


def _filled(rows: Sequence[Placements]) -> Iterator[Part]:
    slots, step = _slots_shown(len(rows[0].chances)), max(1, len(rows) // SHOWN_ARRIVALS)
    what, label, shown = "an arrival", "arrival", rows[::step]
    if rows[0].begin is not UNSET:
        what, label = "an arrival in this time", "time"
        shown = [_together(rows[i : i + step]) for i in range(0, len(rows), step)]
    elif rows[0].batch is not UNSET:
        what, label = "one of a batch", "batch"
    yield table(
        f"Chance that {what} fills each slot",
        *_slot_heads(slots, ".4f"),
        label=label,
        rows=((_when(row), *_of_slots(row.chances, slots)) for row in shown),
    )
    if step > 1 or 0 in slots:
        yield MORE


def _when(row: Placements) -> str:
    return f"{row.arrival or row.batch or 0:,}" if row.begin is UNSET else f"{row.begin:g} to {row.end:g}"


def _together(rows: Sequence[Placements]) -> Placements:
    chances = [fsum(map(float, column)) for column in zip(*(row.chances for row in rows), strict=True)]
    return Placements([*chances], begin=rows[0].begin, end=rows[-1].end)


# Ranks alone.


def _secretary_page(answer: SecretaryAnswer) -> Iterator[Part]:
    n, choices = answer.arrivals, answer.choices
    what = "chance to choose the best" if answer.reward == "best" else "expected sum of ranks"
    if answer.reward == "rank" and choices == 1:
        what = "expected rank"
    title = f"{counted(n, 'arrival')}, {counted(choices, 'choice')}, only ranks are seen"
    yield table(title, Column("value", form=".8f"), label="", name="expected", rows=[(what, answer.value)])
    ranks = max((len(row.first_arrivals) for row in answer.rule), default=1)
    yield table(
        "First arrival at which each rank so far is taken",
        *(Column(f"rank {rank}", form=",") for rank in range(1, ranks + 1)),
        label=Column("choices left", "choices_left"),
        name="rows",
        rows=((row.choices_left, *row.first_arrivals) for row in answer.rule),
    )
    yield table(
        "Chance to be chosen",
        Column("chance", form=".6f"),
        label=Column("rank of all", "rank"),
        name="chosen",
        rows=enumerate(answer.chosen, start=1),
    )


# Every number of slots.


def _regret_page(answer: RegretAnswer) -> Iterator[Part]:
    largest = answer.largest
    regret = largest.regret if isinstance(largest.regret, str) else f"{largest.regret:.6g}"
    worst = f"the regret is largest for {counted(largest.slots, 'slot')}, {regret}"
    form, slots = _form(answer.hindsight), {*assignment.slots_shown(answer.slots), largest.slots}
    rows = zip(answer.slots, answer.value, answer.hindsight, answer.regret, strict=True)
    yield table(
        f"{answer.arrivals:,} arrivals of {answer.distribution}: {worst}",
        Column("best play", form=form),
        Column("hindsight", form=form),
        Column("regret", form=_form([largest.regret])),
        label=Column("slots", left=True, form=","),
        rows=(row for row in rows if row[0] in slots),
    )
    if len(answer.slots) > len(slots):
        yield MORE
