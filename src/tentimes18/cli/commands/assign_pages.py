"""The pages of `ten18 assign`: a problem solved, a decision, prices; ranks alone; regret for every number of slots."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import floor, log10
from typing import TYPE_CHECKING, Final

from tentimes18.cli.results import Part
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.show.figures import counted, listed, span

if TYPE_CHECKING:
    from tentimes18.answers.assignment import AssignmentAnswer, DecisionAnswer, FilledAnswer, Left, MenuAnswer
    from tentimes18.answers.ranks import RegretAnswer, SecretaryAnswer

__all__ = ["assignment_page", "assignment_tables", "regret_page", "regret_tables", "secretary_page"]

SHOWN_SLOTS: Final = 10
SHOWN_ARRIVALS: Final = 20
DIGITS: Final = 6  # that a person reads of the largest number of a table


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


def assignment_page(answer: "AssignmentAnswer") -> Iterator[Part]:
    """What it is worth, and a decision, prices, or the bounds."""
    yield _expected(answer)
    if answer["must_fill"]:
        yield "Every slot is filled, if need be for a value below 0.\n"
    if answer["revenue"]:
        yield "The worth is what posted prices make; bounds are of virtual values.\n"
    if "decision" in answer:
        yield from _decision(answer["decision"], answer)
    if "prices" in answer:
        yield from _prices(answer)
    if "filled" in answer:
        yield from _filled(answer["filled"])
    if "decision" not in answer and "prices" not in answer and "filled" not in answer:
        yield from _bounds_page(answer)


def assignment_tables(answer: "AssignmentAnswer") -> Iterator[Grid]:
    """For programs: one line a bound."""
    grid = table("", Column("left"), Column("slot"), Column("bound"), name="rows")
    for row in answer["thresholds"]:
        for slot, bound in enumerate(row["bounds"], start=1):
            grid.add_row(Entry(row["left"], ""), slot, Entry(bound, ""))
    yield grid
    if "prices" in answer:
        yield _price_table(answer)
    if "filled" in answer:
        yield _filled_table(answer["filled"])


def _expected(answer: "AssignmentAnswer") -> Grid:
    title = f"{counted(len(answer['slots']), 'slot')}, arrivals: {answer['arrivals']}, values: {answer['law']}"
    grid = table(title if len(title) <= 300 else f"{title[:297]}...", "worth", label="play", name="expected")
    rows = [("best", answer["value"]), ("hindsight", answer["hindsight"]), ("regret", answer["regret"])]
    form = _form([worth for _, worth in rows])
    for name, worth in rows:
        if worth is not None:
            grid.add_row(name, _entry(worth, form))
    if "simulated" in answer:
        found = answer["simulated"]
        grid.add_row(f"{found['games']:,} simulated", _entry(found["mean"], form))
        grid.add_row("standard error", _entry(found["stderr"], form))
    return grid


def _bounds_page(answer: "AssignmentAnswer") -> Iterator[Part]:
    from tentimes18.answers.assignment import lefts_shown

    n = len(answer["slots"])
    shown = [
        row
        for row in answer["thresholds"]
        if row["left"] in set(lefts_shown([r["left"] for r in answer["thresholds"]]))
    ]
    slots = _slots_shown(n)
    grid = table(
        "Bounds: a value above that of a slot goes to it or to a better one",
        *(f"#{slot}" if slot else "..." for slot in slots),
        label=_left_head(shown[0]["left"]),
    )
    form = _form([bound for row in shown for bound in row["bounds"]])
    for row in shown:
        grid.add_row(_left(row["left"]), *(_entry(row["bounds"][slot - 1], form) if slot else "..." for slot in slots))
    yield grid
    if n > 1:
        yield "With fewer slots free, those have the bounds of the last ones.\n"
    if len(shown) < len(answer["thresholds"]) or len(slots) < n:
        yield "All numbers: --json or --csv\n"


def _slots_shown(n: int) -> list[int]:
    """All slots, or the first and the last of them with a gap, which is 0."""
    if n <= SHOWN_SLOTS:
        return list(range(1, n + 1))
    return [1, 2, 0, *range(n - SHOWN_SLOTS + 4, n + 1)]


def _left_head(left: "Left") -> Column:
    return Column("until the deadline" if isinstance(left, float) else "still to come", "left")


def _left(left: "Left") -> Entry:
    return Entry(left, "any" if left is None else f"{left:g}" if isinstance(left, float) else f"{left:,}")


def _decision(decision: "DecisionAnswer", answer: "AssignmentAnswer") -> Iterator[Part]:
    free, left = decision["free"], decision["left"]
    where = "all slots free" if len(free) == len(answer["slots"]) else f"free: {listed(free)}"
    when = "" if left is None else f", {_left(left).text} {_left_head(left).head}"
    grid = table(
        f"A value of {_plain(decision['value'])}, {where}{when}: {_choice(decision['best'])}",
        "loss",
        label="choice",
        name="choices",
    )
    form = _form([choice["loss"] for choice in decision["choices"]])
    for choice in decision["choices"]:
        slot = choice["slot"]
        grid.add_row(Entry("refuse" if slot is None else slot, _choice(slot)), _entry(choice["loss"], form))
    yield grid


def _prices(answer: "AssignmentAnswer") -> Iterator[Part]:
    rows = answer.get("prices", [])
    grid = table(
        "Prices: buyers who look after themselves then choose as the best play does",
        "multiplier",
        "price",
        Column("bought from a value of", "bought_from"),
        label="slots",
    )
    form = _form([number for row in rows for number in (row["price"], row["bought_from"])])
    for _, found in groupby(rows, key=lambda row: (row["multiplier"], row["price"])):
        equal = list(found)
        row, slots = equal[0], span([row["slot"] for row in equal])
        multiplier = row["multiplier"]
        shown = multiplier if isinstance(multiplier, str) else f"{multiplier:g}"
        grid.add_row(
            Entry(slots, slots), Entry(multiplier, shown), _entry(row["price"], form), _entry(row["bought_from"], form)
        )
    yield grid
    if "menu" in answer:
        yield _menu(answer["menu"])


def _menu(rows: "Sequence[MenuAnswer]") -> Grid:
    counts = list(rows[0]["prices"])
    title = "The price of one, by how many are left"
    grid = table(title, *(f"{int(count):,} left" for count in counts), label=_left_head(rows[0]["left"]))
    form = _form([price for row in rows for price in row["prices"].values()])
    for row in rows:
        grid.add_row(_left(row["left"]), *(_entry(row["prices"][count], form) for count in counts))
    return grid


def _filled(rows: "Sequence[FilledAnswer]") -> Iterator[Part]:
    slots = _slots_shown(len(rows[0]["chances"]))
    head = [f"#{slot}" if slot else "..." for slot in slots]
    grid = table("Who goes where: the chance that an arrival fills a slot", *head, label="arrival")
    step = max(1, len(rows) // SHOWN_ARRIVALS)
    for row in rows[::step]:
        grid.add_row(row["arrival"], *(_entry(row["chances"][slot - 1], ".4f") if slot else "..." for slot in slots))
    yield grid
    if step > 1 or 0 in slots:
        yield "All numbers: --json or --csv\n"


def _filled_table(rows: "Sequence[FilledAnswer]") -> Grid:
    """For programs: one line an arrival and a slot."""
    grid = table("", "arrival", "slot", "chance", name="filled")
    for row in rows:
        for slot, chance in enumerate(row["chances"], start=1):
            grid.add_row(row["arrival"], slot, Entry(chance, ""))
    return grid


def _price_table(answer: "AssignmentAnswer") -> Grid:
    """For programs: one line a slot."""
    grid = table("", "slot", "multiplier", "price", "bought_from", name="prices")
    for row in answer.get("prices", []):
        grid.add_row(row["slot"], *(Entry(cell, "") for cell in (row["multiplier"], row["price"], row["bought_from"])))
    return grid


# Ranks alone.


def secretary_page(answer: "SecretaryAnswer") -> Iterator[Part]:
    """The value, the rule, and who is chosen."""
    n, choices = answer["arrivals"], answer["choices"]
    what = "chance to choose the best" if answer["reward"] == "best" else "expected sum of ranks"
    if answer["reward"] == "rank" and choices == 1:
        what = "expected rank"
    expected = table(
        f"{counted(n, 'arrival')}, {counted(choices, 'choice')}, only ranks are seen",
        "value",
        label="",
        name="expected",
    )
    expected.add_row(what, _entry(answer["value"], ".8f"))
    yield expected
    ranks = max((len(row["first_arrivals"]) for row in answer["rule"]), default=1)
    rule = table(
        "From which arrival on a rank among those so far is taken",
        *(f"rank {rank}" for rank in range(1, ranks + 1)),
        label=Column("choices left", "choices_left"),
        name="rows",
    )
    for row in answer["rule"]:
        rule.add_row(row["choices_left"], *(Entry(first, f"{first:,}") for first in row["first_arrivals"]))
    yield rule
    chosen = table("Who is chosen", "chance", label=Column("rank of all", "rank"), name="chosen")
    for rank, chance in enumerate(answer["chosen"], start=1):
        chosen.add_row(rank, number(chance, ".6f"))
    yield chosen


# Every number of slots.


def regret_page(answer: "RegretAnswer") -> Iterator[Part]:
    """The largest regret, and some numbers of slots."""
    from tentimes18.answers.ranks import slots_shown

    largest = answer["largest"]
    regret = largest["regret"] if isinstance(largest["regret"], str) else f"{largest['regret']:.6g}"
    worst = f"the regret is largest for {counted(largest['slots'], 'slot')}, {regret}"
    title = f"{answer['arrivals']:,} arrivals of {answer['law']}: {worst}"
    grid = table(title, "best play", "hindsight", "regret", label="slots")
    wanted = set(slots_shown(answer["slots"])) | {largest["slots"]}
    forms = [_form(answer["hindsight"]), _form(answer["hindsight"]), _form([largest["regret"]])]
    for slots, *numbers in zip(answer["slots"], answer["value"], answer["hindsight"], answer["regret"], strict=True):
        if slots in wanted:
            cells = [_entry(value, form) for value, form in zip(numbers, forms, strict=True)]
            grid.add_row(Entry(slots, f"{slots:,}"), *cells)
    yield grid
    if len(answer["slots"]) > len(grid.rows):
        yield "All numbers: --json or --csv\n"


def regret_tables(answer: "RegretAnswer") -> Iterator[Grid]:
    """For programs: one line a number of slots."""
    grid = table("", "slots", "value", "hindsight", "regret", name="rows")
    for row in zip(answer["slots"], answer["value"], answer["hindsight"], answer["regret"], strict=True):
        grid.add_row(*(Entry(value, "") for value in row))
    yield grid
