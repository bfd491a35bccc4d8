"""`ten18 history`: the games that were played, and how one gets on."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tentimes18.answers.history import chosen_games, measures_of
from tentimes18.answers.history import history as answer
from tentimes18.answers.review import summary_json
from tentimes18.cli.games_file import tell_bad_lines
from tentimes18.cli.options import OnlyDiceOption, OnlySlotsOption, verify_output
from tentimes18.cli.output import progress_bar, tell
from tentimes18.cli.results import Form, Part, Result, add_command, written
from tentimes18.cli.tables import Grid
from tentimes18.cli.terminal.game_tables import games_table, summary_tables
from tentimes18.errors import Ten18Error
from tentimes18.files import write_whole
from tentimes18.number_format import listed
from tentimes18.play.game import unfinished_games
from tentimes18.records.files import ENDINGS, Line, written_lines
from tentimes18.records.history import History
from tentimes18.records.notation import Record
from tentimes18.wording import standing

if TYPE_CHECKING:
    from rich.text import Text

    from tentimes18.coach.summary import MeasuredGames

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, history, tables=["games", "sums", "classes", "rounds", "costliest"])


def history(
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", help="Only the last N games.", show_default="all")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Only games of this player.", show_default="all")
    ] = None,
    dice: OnlyDiceOption = None,
    slots: OnlySlotsOption = None,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write the games: .txt, .ndjson or .csv.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page with pictures, for a browser.")
    ] = None,
    form: Form = Form.text,
) -> Result:
    """The games you played, and how you get on.

    Each has a number, by which `ten18 review --number` shows its moves. It is measured by what
    it was played for: losses and luck are points, or chances in percent. Skill is the loss a
    choice, so the less the better.
    """
    if last is not None and last < 1:
        raise Ten18Error(f"{last} games cannot be shown; accepted: 1 or more", field="last")
    if export is not None and html is not None:
        raise Ten18Error("--export and --html exclude each other; give one of them")
    if export is not None:
        verify_output(export, ENDINGS, "export")
    if html is not None:
        verify_output(html, (".html",), "html")
    kept = History()
    unfinished = [record for _, record in unfinished_games(kept)]
    lines, bad = chosen_games(kept.games(), dice, slots, last, name)
    kinds = [] if export is not None else _measured(lines)
    if html is not None and not kinds:
        raise Ten18Error("there is no game to write about", field="html")
    if form is Form.text:
        tell_bad_lines(bad)
        for path in kept.unreadable():
            tell(f"the unfinished game in {path} cannot be read; it is left as it is")
    if export is not None:
        records = [line.record for line in lines]
        text = "".join(f"{line}\n" for line in written_lines(records, export.suffix.lower()))
        write_whole(export, text.encode(errors="replace"))
        return Result({"output": str(export)}, lambda: [written(export)])
    chosen_by = [option for option, given in (("--name", name), ("--dice", dice), ("--slots", slots)) if given]

    def page() -> Iterator[Part]:
        if lines:
            from tentimes18.cli.terminal.history import games_page

            yield from games_page(lines, kinds, is_all=last is None)
        elif chosen_by:
            yield f"No such games yet; without {listed(chosen_by)} all are shown."
        elif not unfinished:
            yield "No games yet: `ten18 play` starts one."
        yield from _unfinished(unfinished)

    # For people no answer is made: of very many games that would take as long as all the rest.
    found: Mapping[str, object] = answer(lines, bad, unfinished, kinds) if form is Form.json else {}
    result = Result(found, page, lambda: _tables(lines, kinds))
    if html is None:
        return result
    from tentimes18.app.review_file import review_of_games

    write_whole(html, review_of_games(kinds).encode(errors="replace"))
    return replace(result, page=lambda: [written(html)])


def _tables(lines: list[Line], kinds: "list[MeasuredGames]") -> Iterator[Grid]:
    yield from summary_tables([summary_json(games) for games in kinds])
    yield games_table(lines, measures_of(kinds))


def _measured(lines: list[Line]) -> "list[MeasuredGames]":
    """Each kind of game by what it was played for; without games nothing is loaded."""
    if not lines:
        return []
    from tentimes18.coach.summary import measured_kinds

    with progress_bar("games", late=True) as progress:
        return measured_kinds(lines, progress=progress)[0]


def _unfinished(records: list[Record]) -> "Iterator[Text | str]":
    from rich.text import Text

    if not records:
        return
    yield Text(" Not finished; `ten18 play` goes on with them", style="bold")
    for record in records:
        yield "  " + ", ".join([str(record.board.game), *standing(record)])
