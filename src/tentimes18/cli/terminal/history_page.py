"""The games of a player as a page: the last ones in a table, and those of each kind in sum."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tentimes18.cli.command import Part
from tentimes18.cli.grid import GAPS, Column, Grid, table
from tentimes18.cli.output import printable, styled
from tentimes18.cli.terminal.review_page import counted_classes, labelled, sparkline
from tentimes18.coach.aims import played_for, takebacks_of
from tentimes18.coach.losses import Unit
from tentimes18.number_format import counted, shown_number
from tentimes18.queries.games import UNKNOWN, GameMeasures, measures_of
from tentimes18.records.formats import Line
from tentimes18.records.notation import Record
from tentimes18.wording import RESULTS, fixed, kind_notes, result_of, shown_date, skill_text, words_of

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from tentimes18.coach.summary import MeasuredGames

SHOWN = 10
BY_THE_MEAN = "*"
PRACTICE = "p"
MEANINGS = {
    BY_THE_MEAN: "played for another aim, measured by the expected final score",
    PRACTICE: "moves were taken back: practice, which is counted separately",
}
# What is left out where there is no room, the least important first; numbers never are.
DISPENSABLE = ("level", "name", "time", "against", "date", "game", "for", "result")
MAX_LETTERS = 14  # letters of a text on a terminal that is too narrow for all of it


def games_page(lines: Sequence[Line], kinds: "Sequence[MeasuredGames]", *, is_all: bool) -> Iterator[Part]:
    shown = lines[-SHOWN:]
    title = "Your games"
    if len(shown) < len(lines):
        title = f"Your last {len(shown)} games of {len(lines):,}"
    elif not is_all:
        title = f"Your last {len(shown)} games" if len(shown) > 1 else "Your last game"
    rows = _rows(shown, kinds)
    yield _FirstThatFits(
        [
            _games(title, rows, without, longest)
            for without, longest in (
                ((), None),
                *((DISPENSABLE[:count], MAX_LETTERS) for count in range(len(DISPENSABLE) + 1)),
            )
        ]
    )
    marks = set("".join(row.mark for row in rows))
    for mark, meaning in MEANINGS.items():
        if mark in marks:
            yield labelled(f" {mark}", styled(meaning, "dim"), 3)
    if marks:
        yield ""
    for games in kinds:
        yield from _kind(games)


class _FirstThatFits:
    """The first of several forms of a table that fits the width."""

    def __init__(self, grids: Sequence[Grid]) -> None:
        self.grids = grids

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        yield next((grid for grid in self.grids if grid.width(GAPS[-1]) <= options.max_width), self.grids[-1])


class _Row(NamedTuple):
    line: Line
    measured: GameMeasures
    unit: Unit
    mark: str


def _rows(lines: Sequence[Line], kinds: "Sequence[MeasuredGames]") -> list[_Row]:
    numbers = {line.number for line in lines}
    measures = measures_of(kinds, numbers)
    units = {line.number: games.summary.aim.unit for games in kinds for line in games.lines if line.number in numbers}
    rows = []
    for line in lines:
        measured = measures.get(line.number, UNKNOWN)
        mark = PRACTICE if takebacks_of(line.record) else ""
        if measured.measured_by not in (None, played_for(line.record)):
            mark += BY_THE_MEAN
        rows.append(_Row(line, measured, units.get(line.number, Unit.points), mark))
    return rows


def _games(title: str, rows: Sequence[_Row], without: Sequence[str], longest: int | None) -> Grid:
    """Games, one per row; a column that is empty or the same in every row is left out."""
    names = [_tag(row.line.record, "name") for row in rows]
    games = [str(row.line.record.board.game) for row in rows]
    aims = [played_for(row.line.record) for row in rows]
    words = {
        "": [row.mark for row in rows],
        "date": [shown_date(row.line.record)[: 10 if "time" in without else None] for row in rows],
        "name": names if len(set(names)) > 1 else [],
        "game": games if len(set(games)) > 1 else [],
        "for": [] if set(aims) == {"mean"} else aims,
        "against": [_tag(row.line.record, "against") for row in rows],
        "result": [result_of(row.line.record) or "" for row in rows],
    }
    numbers = {
        "score": [shown_number(row.line.record.board.score) for row in rows],
        "loss": [_measure(row, row.measured.loss) for row in rows],
        "luck": [_measure(row, row.measured.luck, is_change=True) for row in rows],
        "skill": [_measure(row, row.measured.skill) for row in rows],
    }
    last = {"level": [row.measured.level or "" for row in rows]}

    def cut(text: str) -> str:
        return text if longest is None or len(text) <= longest else f"{text[: longest - 1]}…"

    kept = {
        head: list(map(cut, column)) if head in words else column
        for head, column in (words | numbers | last).items()
        if head not in without and (any(column) or head in numbers)
    }
    columns = (Column(head, left=head not in numbers) for head in kept)
    lines = zip((row.line.number for row in rows), *kept.values(), strict=True)
    grid = table(title, *columns, label=Column("no."), rows=lines)
    grid.head_style = "dim"
    return grid


def _tag(record: Record, name: str) -> str:
    """A tag on one line, without control characters."""
    return " ".join(printable(str(record.tags.get(name, "")), " ").split())


def _measure(row: _Row, measured: float | None, *, is_change: bool = False) -> str:
    if measured is None:
        return ""
    return fixed(measured, row.unit, is_change=is_change) + words_of(row.unit).sign


def _kind(games: "MeasuredGames") -> Iterator[Part]:
    summary, unit = games.summary, games.summary.aim.unit
    aim = [] if games.played_for == "mean" else [f"for {games.played_for[:60]}"]
    practice = ["practice"] if games.is_practice else []
    name = ", ".join([str(summary.game), *aim, *practice, counted(summary.games, "game")])
    yield styled(f" {name}", "bold")
    if summary.mean_score is not None:
        texts = [f"mean {fixed(summary.mean_score, Unit.points, 1)}"]
        if summary.mean_optimal is not None:
            texts.append(f"optimal {fixed(summary.mean_optimal, Unit.points, 1)} on the same rolls")
        yield from _course("score", [part.mean_score for part in summary.progress], ", ".join(texts), Unit.points)
    if summary.skill is not None:
        description = skill_text(summary.skill, unit, games.level)
        yield from _course("skill", [part.skill for part in summary.progress], description, unit)
    yield labelled("  moves", counted_classes(summary.classes), 10)
    results = Counter(result_of(line.record) for line in games.lines)
    if any(results[result] for result in RESULTS):
        duels = ", ".join(f"{results[result]:,} {result}" for result in RESULTS)
        yield labelled("  duels", styled(duels), 10)
    for note in kind_notes(games):
        yield labelled("", styled(note, "dim"), 2)
    yield ""


def _course(name: str, values: Sequence[float | None], description: str, unit: Unit) -> Iterator[Part]:
    yield labelled(f"  {name}", styled(description), 10)
    known = [value for value in values if value is not None]
    if len(values) > 1 and known:
        first, last = (fixed(value, unit, 2 if name == "skill" else 0) for value in (known[0], known[-1]))
        yield styled(f"{'':10}").append(sparkline(list(values)), "cyan").append(f"  {first} → {last}", "dim")
