"""`ten18 paper`, `card`, `sheets` and `export`: the paper's numbers, pages to print, the game for other programs."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tentimes18.app.page_html import write_site
from tentimes18.cli import command
from tentimes18.cli.grid import Grid, data_table
from tentimes18.cli.output import print_json, styled, write
from tentimes18.errors import Ten18Error
from tentimes18.files import write_whole
from tentimes18.game import Game
from tentimes18.paper import Check
from tentimes18.pictures import require_matplotlib
from tentimes18.pictures import sheets as class_sheets
from tentimes18.pictures import strategy_card as sheet
from tentimes18.queries import DiceText, SlotsText
from tentimes18.queries.printed import CheckedPaper
from tentimes18.queries.printed import card as card_answer
from tentimes18.queries.printed import prism as prism_answer

if TYPE_CHECKING:
    from rich.table import Table

CARD_ENDINGS = (".md", ".html", ".svg", ".pdf")
PRISM_ENDINGS = (".prism", ".nm")


def register(app: typer.Typer) -> None:
    code = lambda paper: 1 if paper.answer.differ else 0  # noqa: E731
    command.add_query(app, "paper", _page, ["checks"], csv=_table, bar="sections", late=False, code=code)
    command.add_plain(app, card)
    command.add_plain(app, sheets)
    export = command.add_group(app, "export", "Write the game for a model checker, or the web pages as plain files.")
    command.add_plain(export, prism)
    command.add_plain(export, page)


def _table(paper: CheckedPaper, _: command.Arguments) -> Iterator[Grid]:
    rows = ((check.where, check.printed, check.computed, check.agrees, check.note) for check in paper.answer.checks)
    yield data_table("checks", ("where", "printed", "computed", "agrees", "note"), rows)


def _page(paper: CheckedPaper, _: command.Arguments) -> Iterator[command.Part]:
    answer = paper.answer
    for where, section in groupby(paper.checks, key=lambda check: check.where):
        yield styled(f"\n{where}", "bold")
        yield from _section(section)
    misprints = f"{answer.explained} are misprints, each explained (≠)"
    yield styled(f"\n{answer.agree} agree, {misprints}, {answer.differ} differ.", "bold")


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
    as_json: command.JsonOption = False,
) -> None:
    """Write optimal play on one page, to play by without a computer."""
    if output is not None:
        command.verify_output(output, CARD_ENDINGS)
        write_whole(output, _draw_card(Game.parse(dice, slots), output.suffix.lower()))
        command.report_file(output, as_json)
    elif as_json:
        print_json(card_answer(dice, slots))
    else:
        write(_draw_card(Game.parse(dice, slots), ".md").decode())


def _draw_card(game: Game, ending: str) -> bytes:
    if ending == ".pdf":
        require_matplotlib()
        return sheet.card_pdf(game)
    text = {".md": sheet.card_markdown, ".html": sheet.card_html, ".svg": sheet.card_svg}[ending](game)
    return text.encode()


def sheets(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write to.", show_default=False)],
    language: Annotated[Literal["en", "de"], typer.Option(help="The language: en or de.")] = "en",
    as_json: command.JsonOption = False,
) -> None:
    """Write boards and worksheets for a class as PDFs, with answers.

    The strategy card is one of them. Files of the same names are replaced.
    """
    require_matplotlib()
    pages = class_sheets.sheets(language)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, page in pages.items():
            write_whole(folder / name, page)
    except OSError as error:
        raise Ten18Error(f"{error.strerror or error}: {str(folder)!r}; give another folder", "folder") from None
    command.report(
        {"folder": str(folder), "files": list(pages)}, f"{command.written(folder)}: {', '.join(pages)}", as_json
    )


def prism(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write: .prism or .nm.")
    ] = None,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    as_json: command.JsonOption = False,
) -> None:
    """Write the game as a Markov decision process, for the model checkers PRISM and Storm."""
    if output is not None:
        command.verify_output(output, PRISM_ENDINGS)
    answer = prism_answer(dice, slots)
    if output is not None:
        write_whole(output, answer.model.encode())
        command.report_file(output, as_json)
    else:
        command.report(answer, answer.model.removesuffix("\n"), as_json)


def page(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write to.", show_default=False)],
    as_json: command.JsonOption = False,
) -> None:
    """Write the web pages as plain files for any static host: play alone, drill, review, lab, about.

    The folder must be new or empty, or hold the pages of an earlier export, which are replaced.
    """
    answer = write_site(folder)
    command.report(
        answer, f"{command.written(folder)}: {answer['files']} files, {answer['bytes'] / 1e6:.1f} MB", as_json
    )
