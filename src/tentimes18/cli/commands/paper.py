"""`ten18 paper`: the paper's numbers beside ours."""

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

import typer

from tentimes18.cli.options import JsonOption
from tentimes18.cli.output import console, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from tentimes18.paper.checks import Check

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(paper)


def paper(as_json: JsonOption = False) -> None:
    """Every number of the paper beside ours; exit code 1 if one differs without an explanation."""
    from tentimes18.answers.paper import paper as answer_of
    from tentimes18.paper.sections import check_paper

    checks = check_paper()
    answer = answer_of(checks)
    if as_json:
        print_json(answer)
    else:
        screen = console()
        for where, section in groupby(checks, key=lambda check: check.where):
            screen.print(f"\n{where}", style="bold")
            _show_section(screen, section)
        screen.print(
            f"\n{answer['agree']} agree, {answer['explained']} are slips of the paper and explained (≠), "
            f"{answer['differ']} differ.",
            style="bold",
        )
    if answer["differ"]:
        raise typer.Exit(1)


def _show_section(screen: "Console", section: "Iterable[Check]") -> None:
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
        screen.print(grid)


def _mark(checks: "list[Check]") -> str:
    if all(check.agrees for check in checks):
        return "="
    return "!" if any(check.differs for check in checks) else "≠"


def _as_printed(check: "Check") -> str:
    """Our number with the decimals of the printed one."""
    decimals = len(check.printed.partition(".")[2])
    return check.computed if isinstance(check.computed, str) else f"{float(check.computed):.{decimals}f}"
