"""`ten18 paper`: the paper's numbers beside ours."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import typer

from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Part, Result, add_command
from tentimes18.cli.tables import Grid, table

if TYPE_CHECKING:
    from rich.table import Table

    from tentimes18.answers.paper import PaperAnswer
    from tentimes18.paper.checks import Check

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, paper, tables=["checks"])


def paper() -> Result:
    """Every number of the paper beside ours; exit code 1 if one differs without an explanation."""
    from tentimes18.answers.paper import paper as answer_of
    from tentimes18.paper.sections import check_paper

    with progress_bar("sections") as progress:
        checks = check_paper(progress)
    answer = answer_of(checks)
    return Result(answer, lambda: _page(checks, answer), lambda: [_table(answer)], code=1 if answer["differ"] else 0)


def _table(answer: "PaperAnswer") -> Grid:
    """For programs: one line a number of the paper."""
    grid = table("", "where", "printed", "computed", "agrees", "note", name="checks")
    for check in answer["checks"]:
        agrees = str(check["agrees"]).lower()
        grid.add_row(check["where"], check["printed"], str(check["computed"]), agrees, check["note"])
    return grid


def _page(checks: "Iterable[Check]", answer: "PaperAnswer") -> Iterator[Part]:
    from rich.text import Text

    for where, section in groupby(checks, key=lambda check: check.where):
        yield Text(f"\n{where}", style="bold")
        yield from _section(section)
    slips = f"{answer['explained']} are slips of the paper and explained (≠)"
    yield Text(f"\n{answer['agree']} agree, {slips}, {answer['differ']} differ.", style="bold")


def _section(section: "Iterable[Check]") -> "Iterator[Table]":
    from rich.table import Table

    for line, found in groupby(section, key=lambda check: check.line):
        checks = list(found)
        grid = Table(box=None, show_header=False, padding=(0, 1), pad_edge=True)
        grid.add_column(width=1)
        if line:
            widths = [max(len(check.printed), len(_as_printed(check))) for check in checks]
            grid.add_row(_mark(checks), line)
            for label, texts in (
                ("paper", [check.printed for check in checks]),
                ("ours", [_as_printed(check) for check in checks]),
            ):
                grid.add_row("", f"  {label:<6}" + " ".join(t.rjust(w) for t, w in zip(texts, widths, strict=True)))
        else:
            grid.add_column(ratio=5)
            grid.add_column(ratio=6, overflow="fold")
            grid.add_column(ratio=7, overflow="fold")
            for check in checks:
                grid.add_row(_mark([check]), check.item, check.printed, str(check.computed))
                if check.note:
                    grid.add_row("", "", "", check.note, style="italic")
        yield grid


def _mark(checks: "list[Check]") -> str:
    if all(check.agrees for check in checks):
        return "="
    return "!" if any(check.differs for check in checks) else "≠"


def _as_printed(check: "Check") -> str:
    """Our number with the decimals of the printed one."""
    decimals = len(check.printed.partition(".")[2])
    return check.computed if isinstance(check.computed, str) else f"{float(check.computed):.{decimals}f}"
