"""`ten18 history`: the games that were played, and how one gets on."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tentimes18.answers.history import UNKNOWN, GameMeasures, chosen_games, measures_of
from tentimes18.answers.history import history as answer
from tentimes18.answers.review import summaries_of
from tentimes18.cli.games_file import tell_bad_lines
from tentimes18.cli.options import verify_output
from tentimes18.cli.output import tell
from tentimes18.cli.results import Form, Part, Result, add_command, written
from tentimes18.cli.tables import Column, Entry, Grid, Value, table
from tentimes18.cli.terminal.review import counted_classes
from tentimes18.cli.terminal.sparkline import sparkline
from tentimes18.coach.units import Unit
from tentimes18.errors import Ten18Error
from tentimes18.game import Number
from tentimes18.play.game import unfinished_games
from tentimes18.records.files import ENDINGS, Line, written_lines
from tentimes18.records.history import History
from tentimes18.records.notation import Record
from tentimes18.show.figures import counted, shown_number
from tentimes18.show.verdict import RESULTS, result_of, standing
from tentimes18.show.words import fixed
from tentimes18.storage.atomic import write_whole

if TYPE_CHECKING:
    from rich.text import Text

    from tentimes18.coach.summary import Summary

__all__ = ["register"]

SHOWN: Final = 10


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, history, tables=["games"])


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
    form: Form = Form.text,
) -> Result:
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
    if form is Form.text:
        tell_bad_lines(bad)
        for path in kept.unreadable():
            tell(f"the unfinished game in {path} cannot be read; it is left as it is")
    if export is not None:
        records = [line.record for line in lines]
        text = "".join(f"{line}\n" for line in written_lines(records, export.suffix.lower()))
        write_whole(export, text.encode(errors="replace"))
        return Result({"output": str(export)}, lambda: [written(export)])
    summaries, _ = summaries_of(lines)

    def page() -> Iterator[Part]:
        if lines:
            yield _games(lines, measures_of(summaries), is_all=last is None)
            for of_kind, summary in summaries:
                yield from _kind([line.record for line in of_kind], summary)
        elif dice or slots:
            yield "No such games yet; without --dice and --slots all are shown."
        elif not unfinished:
            yield "No games yet: `ten18 play` starts one."
        yield from _unfinished(unfinished)

    found = answer(lines, bad, unfinished, summaries)
    return Result(found, page, lambda: [_games_table("", lines, measures_of(summaries), "games")])


def _games(lines: list[Line], measures: dict[int, GameMeasures], *, is_all: bool) -> Grid:
    shown = lines[-SHOWN:]
    title = "Your games"
    if len(shown) < len(lines):
        title = f"Your last {len(shown)} games of {len(lines):,}"
    elif not is_all:
        title = f"Your last {len(shown)} games" if len(shown) > 1 else "Your last game"
    return _games_table(title, shown, measures)


def _games_table(title: str, lines: list[Line], measures: dict[int, GameMeasures], name: str = "") -> Grid:
    """Games, each in a line."""
    words = [Column(head, key, left=True) for head, key in (("game", ""), ("against", ""), ("", "result"))]
    grid = table(title, *words, "score", "loss", "luck", "skill", label="date", name=name)
    grid.head_style = "dim"
    for line in lines:
        record, measured = line.record, measures.get(line.number, UNKNOWN)
        against = str(record.tags.get("against", ""))
        grid.add_row(
            Entry(str(record.tags.get("date", "")), _date(record)),
            Entry(str(record.board.game), _cut(str(record.board.game), 14)),
            Entry(against, _cut(against, 12)),
            result_of(record) or "",
            Entry(_plain(record.board.score), shown_number(record.board.score)),
            Entry(measured["loss"], _points(measured["loss"])),
            Entry(measured["luck"], _points(measured["luck"], is_change=True).replace("-", "−")),
            Entry(measured["skill"], _points(measured["skill"])),
        )
    return grid


def _plain(score: Number) -> Value:
    return score if isinstance(score, int) else float(score)


def _kind(records: list[Record], summary: "Summary") -> "Iterator[Text | str]":
    """Games of one kind: their course, and their sum."""
    from rich.text import Text

    yield Text(f" {_cut(str(summary.game), 40)}, {counted(summary.games, 'game')}", style="bold")
    if summary.mean_score is not None:
        texts = [f"mean {fixed(summary.mean_score, Unit.points, 1)}"]
        if summary.mean_optimal is not None:
            texts.append(f"optimal {fixed(summary.mean_optimal, Unit.points, 1)} on the same rolls")
        yield from _course("score", [part.mean_score for part in summary.progress], texts)
    if summary.skill is not None:
        texts = [f"{_points(summary.skill)} points lost a choice"]
        yield from _course("skill", [part.skill for part in summary.progress], texts)
    yield Text("  moves   ", style="dim").append_text(counted_classes(summary.classes))
    results = Counter(result_of(record) for record in records)
    if any(results[result] for result in RESULTS):
        duels = ", ".join(f"{results[result]:,} {result}" for result in RESULTS)
        yield Text("  duels   ", style="dim").append(duels, "not dim")
    yield ""


def _course(name: str, values: list[float | None], texts: list[str]) -> "Iterator[Text]":
    from rich.text import Text

    yield Text(f"  {name:<8}", style="dim").append(", ".join(texts), "not dim")
    if len(values) > 1:
        known = [value for value in values if value is not None]
        first, last = (fixed(value, Unit.points, 2 if name == "skill" else 0) for value in (known[0], known[-1]))
        yield Text(f"{'':10}").append(sparkline(values), "cyan").append(f"  {first} → {last}", "dim")


def _unfinished(records: list[Record]) -> "Iterator[Text | str]":
    from rich.text import Text

    if not records:
        return
    yield Text(" Not finished; `ten18 play` goes on with them", style="bold")
    for record in records:
        yield "  " + ", ".join([_cut(str(record.board.game), 30), *standing(record)])


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
