"""`ten18 paper`, `card` and `export`: the paper's numbers, the strategy on one page, the game for other programs."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tentimes18.cli.command import (
    Arguments,
    JsonOption,
    Part,
    add_group,
    add_plain,
    add_query,
    report_file,
    verify_output,
    written,
)
from tentimes18.cli.output import print_json, write
from tentimes18.cli.tables import Grid, table
from tentimes18.files import write_whole
from tentimes18.game import Game
from tentimes18.paper.checks import Check
from tentimes18.queries import DiceText, SlotsText
from tentimes18.queries.printed import CheckedPaper
from tentimes18.queries.printed import card as card_answer
from tentimes18.queries.printed import prism as prism_answer

if TYPE_CHECKING:
    from rich.table import Table

CARD_ENDINGS = (".md", ".html", ".svg", ".pdf")
PRISM_ENDINGS = (".prism", ".nm")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    code = lambda paper: 1 if paper.answer.differ else 0  # noqa: E731
    add_query(app, "paper", _page, ["checks"], csv=_table, bar="sections", late=False, code=code)
    add_plain(app, card)
    export = add_group(app, "export", "The game in the languages of other programs, and as pages without a service.")
    add_plain(export, prism)
    add_plain(export, page)


def _table(paper: CheckedPaper, _: Arguments) -> Iterator[Grid]:
    """For programs: one line a number of the paper."""
    grid = table("", "where", "printed", "computed", "agrees", "note", name="checks")
    for check in paper.answer.checks:
        grid.add_row(check.where, check.printed, str(check.computed), str(check.agrees).lower(), check.note)
    yield grid


def _page(paper: CheckedPaper, _: Arguments) -> Iterator[Part]:
    from rich.text import Text

    answer = paper.answer
    for where, section in groupby(paper.checks, key=lambda check: check.where):
        yield Text(f"\n{where}", style="bold")
        yield from _section(section)
    slips = f"{answer.explained} are slips of the paper and explained (≠)"
    yield Text(f"\n{answer.agree} agree, {slips}, {answer.differ} differ.", style="bold")


def _section(section: Iterable[Check]) -> "Iterator[Table]":
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


def _mark(checks: list[Check]) -> str:
    if all(check.agrees for check in checks):
        return "="
    return "!" if any(check.differs for check in checks) else "≠"


def _as_printed(check: Check) -> str:
    """Our number with the decimals of the printed one."""
    decimals = len(check.printed.partition(".")[2])
    return check.computed if isinstance(check.computed, str) else f"{float(check.computed):.{decimals}f}"


def card(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write: .md, .html, .svg or .pdf.")
    ] = None,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    as_json: JsonOption = False,
) -> None:
    """The whole best play on one page, to play by without a computer."""
    if output is not None:
        verify_output(output, CARD_ENDINGS)
    if output is not None:
        write_whole(output, _draw_card(Game.parse(dice, slots), output.suffix.lower()))
        report_file(output, as_json)
    elif as_json:
        print_json(card_answer(dice, slots))
    else:
        write(_draw_card(Game.parse(dice, slots), ".md").decode())


def _draw_card(game: Game, ending: str) -> bytes:
    """The card as a file with this ending holds it."""
    from tentimes18.pictures import strategy_card as sheet

    if ending == ".pdf":
        from tentimes18.pictures import require_matplotlib

        require_matplotlib()
        return sheet.card_pdf(game)
    text = {".md": sheet.card_markdown, ".html": sheet.card_html, ".svg": sheet.card_svg}[ending](game)
    return text.encode()


def prism(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write: .prism or .nm.")
    ] = None,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    as_json: JsonOption = False,
) -> None:
    """The game as a Markov decision process, for the model checkers PRISM and Storm."""
    if output is not None:
        verify_output(output, PRISM_ENDINGS)
    answer = prism_answer(dice, slots)
    if output is not None:
        write_whole(output, answer.model.encode())
        report_file(output, as_json)
    elif as_json:
        print_json(answer)
    else:
        write(answer.model)


def page(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Write them there.", show_default=False)],
    as_json: JsonOption = False,
) -> None:
    """The pages as plain files, for any static host: play alone, drill, review, lab, about.

    The folder is new or empty, or holds what was written so before, which is replaced.
    """
    from tentimes18.app.site import write_site

    answer = write_site(folder)
    if as_json:
        print_json(answer)
    else:
        write(f"{written(folder)}: {answer['files']} files, {answer['bytes'] / 1e6:.1f} MB\n")
