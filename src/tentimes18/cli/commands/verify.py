"""`ten18 verify`: whether finished games are fair, from what is public of them."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import typer

from tentimes18.answers.fairness import CheckedGameAnswer, VerificationAnswer, verification
from tentimes18.cli.games_file import STANDARD_INPUT, name_of, opened_text
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Part, Result, add_command
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.number_format import counted, shown_number
from tentimes18.play.public_game import PublicGame, read_public_game
from tentimes18.play.starts import Starts
from tentimes18.play.verification import check_public_game
from tentimes18.records.files import BadLine
from tentimes18.records.json_lines import JsonValue, read_values
from tentimes18.wording import fairness_verdict

__all__ = ["register"]

MAX_GAMES: Final = 100_000  # about a gigabyte in memory
MAX_JUNK: Final = 10_000  # bad lines before the first game
TABLES: Final = ("rounds", "games")


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, verify, tables=TABLES)


def verify(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Games as the service gives them, or records; - for standard input."),
    ],
    start: Annotated[
        Path | None,
        typer.Option(
            "--start", metavar="FILE", help="What was published before: the same games at their start, or the days."
        ),
    ] = None,
) -> Result:
    """Check finished games of the service: the rolls against what was published before the first move, and the scores.

    FILE holds one JSON object, an array of them, or one a line (docs/fairness.md). Exit code 1 if something does not
    verify, also because a game is not finished.
    """
    if start is not None and str(start) == str(file) == STANDARD_INPUT:
        raise Ten18Error("standard input holds one of both; give the other in a file", field="start")
    starts = None if start is None else _starts(start)
    games, bad = _read(file)
    answer = verification(((line, check_public_game(public, starts)) for line, public in games), bad)
    is_right = answer["verified"] == answer["games"] and not bad
    return Result(answer, lambda: _page(answer), lambda: _tables(answer), code=0 if is_right else 1)


def _read(file: Path) -> tuple[list[tuple[int, PublicGame]], list[BadLine]]:
    """The games of a file with their lines, at least one, and the lines that are none."""
    name = name_of(file)
    games: list[tuple[int, PublicGame]] = []
    bad: list[BadLine] = []
    with opened_text(file, name) as text, progress_bar("reading", late=True) as progress:
        size = os.fstat(text.fileno()).st_size
        for line in read_values(text):
            if isinstance(line, BadLine):
                bad.append(line)
            else:
                try:
                    games.append((line.number, read_public_game(line.value)))
                except Ten18Error as error:
                    bad.append(BadLine(line.number, str(error)))
            if len(games) > MAX_GAMES:
                raise TooLarge(f"{name}: more than {MAX_GAMES:,} games; give them in several files")
            if not games and len(bad) >= MAX_JUNK:
                break
            if progress and size and line.number % 1000 == 0:
                progress(os.lseek(text.fileno(), 0, os.SEEK_CUR), size)
    if not games:
        _refuse(name, bad)
    return games, bad


def _starts(file: Path) -> Starts:
    """What was published before the games."""
    name = name_of(file)
    with opened_text(file, name) as text:
        found = list(islice(read_values(text), MAX_GAMES + 1))
    if len(found) > MAX_GAMES:
        raise TooLarge(f"{name}: more than {MAX_GAMES:,} games; give them in several files", field="start")
    for line in found:
        if isinstance(line, BadLine):
            raise Ten18Error(f"{name}: line {line.number}: {line.reason}", field="start")
    try:
        return Starts.read(line.value for line in found if isinstance(line, JsonValue))
    except Ten18Error as error:
        raise Ten18Error(f"{name}: {error}", field="start") from None


def _refuse(name: str, bad: list[BadLine]) -> None:
    if not bad:
        raise Ten18Error(f"{name}: no game in it; accepted: JSON objects as the service gives them")
    others = f"; and {counted(len(bad) - 1, 'more bad line')}" if len(bad) > 1 else ""
    raise Ten18Error(f"{name}: no game in it; line {bad[0].number}: {bad[0].reason}{others}")


def _tables(answer: VerificationAnswer) -> Iterator[Grid]:
    """For programs: a row a round, or a game; of a line that is no game, why."""
    rounds = table("", "game", "round", "roll", "commitment", "verified", "problem", name="rounds")
    for result in answer["results"]:
        for part in result["rounds"]:
            cells = (part["round"], part["roll"], part["commitment"], part["verified"], part["problem"])
            rounds.add_row(result["line"], *(Entry(cell, "") for cell in cells))
    yield rounds
    games = table("", "game", "id", "dice", "slots", "score", "finished", "verified", "problem", name="games")
    for result in answer["results"]:
        told = (result["id"], result["dice"], result["slots"], result["score"], result["finished"], result["verified"])
        games.add_row(result["line"], *(Entry(cell, "") for cell in told), "; ".join(_problems(result)))
    for line in answer["bad_lines"]:
        games.add_row(line["line"], *[Entry(None, "")] * 5, Entry(False, ""), line["reason"])
    yield games


def _page(answer: VerificationAnswer) -> Iterator[Part]:
    from rich.text import Text

    is_one = len(answer["results"]) == 1
    if not is_one:
        yield _games(answer)
    for result in answer["results"]:
        if is_one or not result["verified"]:
            title = _title(result) if is_one else f"Line {result['line']}: {_title(result)}"
            yield _rounds(title, result) if result["rounds"] else Text(f"{title}\n", style="bold")
            if result["problems"]:
                yield Text("".join(f" {problem}\n" for problem in result["problems"]))
    if answer["bad_lines"]:
        yield Text("".join(f" line {line['line']} is no game: {line['reason']}\n" for line in answer["bad_lines"]))
    yield Text(fairness_verdict(answer["games"], answer["verified"], len(answer["bad_lines"])), style="bold")


def _games(answer: VerificationAnswer) -> Grid:
    columns = (Column("id", left=True), Column("game", left=True), Column("score"), Column("", left=True))
    grid = table("Games", *columns, label=Column("line"))
    for result in answer["results"]:
        told = "verified" if result["verified"] else "not verified"
        game = f"{result['dice']} {result['slots']}"
        grid.add_row(result["line"], _printable(result["id"] or ""), game, shown_number(result["score"]), told)
    return grid


def _title(result: CheckedGameAnswer) -> str:
    parts = [f"{result['dice']} {result['slots']}", *([_printable(result["id"])] if result["id"] else [])]
    return ", ".join([*parts, f"{shown_number(result['score'])} points" if result["finished"] else "not finished"])


def _rounds(title: str, result: CheckedGameAnswer) -> Grid:
    """Every round of a game, and what is wrong with it."""
    grid = table(title, "round", "roll", Column("commitment", left=True), Column("", left=True))
    for part in result["rounds"]:
        told = "verified" if part["verified"] else part["problem"] or ""
        grid.add_row(part["round"], number(part["roll"]), part["commitment"] or "", told)
    return grid


def _problems(result: CheckedGameAnswer) -> list[str]:
    of_rounds = [f"round {part['round']}: {part['problem']}" for part in result["rounds"] if part["problem"]]
    return [*of_rounds, *result["problems"]]


def _printable(text: str) -> str:
    """A name that others gave: it may hold what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
