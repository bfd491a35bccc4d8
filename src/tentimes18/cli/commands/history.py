"""`ten18 history`: the games that were played, and how one gets on."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tentimes18.answers.history import UNKNOWN, GameMeasures, chosen_games, measures_of
from tentimes18.answers.history import history as answer
from tentimes18.answers.review import summaries_of
from tentimes18.cli.commands.pictures import report_file
from tentimes18.cli.games_file import tell_bad_lines
from tentimes18.cli.options import JsonOption, verify_output
from tentimes18.cli.output import console, print_json, tell
from tentimes18.cli.terminal.review import counted_classes
from tentimes18.cli.terminal.sparkline import sparkline
from tentimes18.coach.units import Unit
from tentimes18.errors import Ten18Error
from tentimes18.play.game import unfinished_games
from tentimes18.records.files import ENDINGS, Line, written_lines
from tentimes18.records.history import History
from tentimes18.records.notation import Record
from tentimes18.show.figures import counted, shown_number
from tentimes18.show.verdict import RESULTS, result_of, standing
from tentimes18.show.words import fixed
from tentimes18.storage.atomic import write_whole

if TYPE_CHECKING:
    from rich.console import Console

    from tentimes18.coach.summary import Summary

__all__ = ["register"]

SHOWN: Final = 10


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(history)


def history(
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", help="Only the last N games.", show_default="all")
    ] = None,
    dice: Annotated[
        str | None, typer.Option("--dice", metavar="DICE", help="Only games with these dice.", show_default="all")
    ] = None,
    slots: Annotated[
        str | None, typer.Option("--slots", metavar="SLOTS", help="Only games on these slots.", show_default="all")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write the games: .txt, .ndjson or .csv.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """The games you played, and how you get on.

    Losses and luck are in points; skill is the loss a choice, so the less the better.
    """
    if last is not None and last < 1:
        raise Ten18Error(f"{last} games cannot be shown; accepted: 1 or more", field="last")
    if export is not None:
        verify_output(export, ENDINGS, "export")
    kept = History()
    unfinished = [record for _, record in unfinished_games(kept)]
    lines, bad = chosen_games(kept.games(), dice, slots, last)
    if not as_json:
        tell_bad_lines(bad)
        for path in kept.unreadable():
            tell(f"the unfinished game in {path} cannot be read; it is left as it is")
    if export is not None:
        records = [line.record for line in lines]
        text = "".join(f"{line}\n" for line in written_lines(records, export.suffix.lower()))
        write_whole(export, text.encode(errors="replace"))
        report_file(export, as_json)
        return
    summaries, _ = summaries_of(lines)
    if as_json:
        print_json(answer(lines, bad, unfinished, summaries))
        return
    screen = console(pipe_width=80)
    if lines:
        _show_games(lines, measures_of(summaries), screen, is_all=last is None)
        for of_kind, summary in summaries:
            _show_kind([line.record for line in of_kind], summary, screen)
    elif dice or slots:
        screen.print("No such games yet; without --dice and --slots all are shown.")
    elif not unfinished:
        screen.print("No games yet: `ten18 play` starts one.")
    _show_unfinished(unfinished, screen)


def _show_games(lines: list[Line], measures: dict[int, GameMeasures], screen: "Console", *, is_all: bool) -> None:
    from rich import box
    from rich.table import Table

    shown = lines[-SHOWN:]
    title = "Your games"
    if len(shown) < len(lines):
        title = f"Your last {len(shown)} games of {len(lines):,}"
    elif not is_all:
        title = f"Your last {len(shown)} games" if len(shown) > 1 else "Your last game"
    screen.print(f" {title}", style="bold")
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="dim")
    for name in ("date", "game", "against", ""):
        grid.add_column(name, no_wrap=True)
    for name in ("score", "loss", "luck", "skill"):
        grid.add_column(name, justify="right", no_wrap=True)
    for line in shown:
        record, measured = line.record, measures.get(line.number, UNKNOWN)
        grid.add_row(
            _date(record),
            _cut(str(record.board.game), 14),
            _cut(str(record.tags.get("against", "")), 12),
            result_of(record) or "",
            shown_number(record.board.score),
            _points(measured["loss"]),
            _points(measured["luck"], is_change=True).replace("-", "−"),
            _points(measured["skill"]),
        )
    screen.print(grid)


def _show_kind(records: list[Record], summary: "Summary", screen: "Console") -> None:
    """Games of one kind: their course, and their sum."""
    from rich.text import Text

    screen.print(f" {_cut(str(summary.game), 40)}, {counted(summary.games, 'game')}", style="bold")
    if summary.mean_score is not None:
        texts = [f"mean {fixed(summary.mean_score, Unit.points, 1)}"]
        if summary.mean_optimal is not None:
            texts.append(f"optimal {fixed(summary.mean_optimal, Unit.points, 1)} on the same rolls")
        _show_course("score", [part.mean_score for part in summary.progress], texts, screen)
    if summary.skill is not None:
        texts = [f"{_points(summary.skill)} points lost a choice"]
        _show_course("skill", [part.skill for part in summary.progress], texts, screen)
    screen.print(Text("  moves   ", style="dim").append_text(counted_classes(summary.classes)))
    results = Counter(result_of(record) for record in records)
    if any(results[result] for result in RESULTS):
        duels = ", ".join(f"{results[result]:,} {result}" for result in RESULTS)
        screen.print(Text("  duels   ", style="dim").append(duels, "not dim"))
    screen.print()


def _show_course(name: str, values: list[float | None], texts: list[str], screen: "Console") -> None:
    from rich.text import Text

    screen.print(Text(f"  {name:<8}", style="dim").append(", ".join(texts), "not dim"))
    if len(values) > 1:
        known = [value for value in values if value is not None]
        first, last = (fixed(value, Unit.points, 2 if name == "skill" else 0) for value in (known[0], known[-1]))
        screen.print(Text(f"{'':10}").append(sparkline(values), "cyan").append(f"  {first} → {last}", "dim"))


def _show_unfinished(records: list[Record], screen: "Console") -> None:
    if not records:
        return
    screen.print(" Not finished; `ten18 play` goes on with them", style="bold")
    for record in records:
        screen.print("  " + ", ".join([_cut(str(record.board.game), 30), *standing(record)]))


def _points(measured: float | None, *, is_change: bool = False) -> str:
    return "" if measured is None else fixed(measured, Unit.points, is_change=is_change)


def _date(record: Record) -> str:
    """The date to the minute; what is no date, as it stands."""
    text = str(record.tags.get("date", ""))
    try:
        return datetime.fromisoformat(text).strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return _cut(text, 16)


def _cut(text: str, length: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1] + "…"
