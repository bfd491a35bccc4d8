"""`ten18 review`: what each move of a played game gave up, and what was luck; or many games in sum."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from tentimes18.answers.history import GameMeasures, measures_of
from tentimes18.answers.review import SHOWN_TAGS, ReviewAnswer, many_reviews, moves_of, one_review
from tentimes18.cli.commands.pictures import plot
from tentimes18.cli.games_file import (
    FileArgument,
    GameOption,
    GamesFile,
    LastOption,
    NumberOption,
    chosen_file,
    tell_bad_lines,
)
from tentimes18.cli.options import JsonOption, OutputOption, verify_output
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Part, Result, add_command, report_file, written
from tentimes18.cli.tables import Grid
from tentimes18.cli.terminal.game_tables import games_table, moves_table, review_moves, summary_tables
from tentimes18.cli.terminal.review import boards_grid, review_page
from tentimes18.coach.aims import Mean, aim_named, is_of_duels, own_aim
from tentimes18.coach.review import Review
from tentimes18.coach.review import review as measure
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.files import write_whole
from tentimes18.records.files import Line
from tentimes18.wording import opponent_name

if TYPE_CHECKING:
    from rich.text import Text

    from tentimes18.coach.summary import MeasuredGames

__all__ = ["register"]

MAX_MOVES: Final = 2_000_000  # in a table of CSV: some gigabytes in memory
TABLES: Final = ("moves", "games", "sums", "classes", "rounds", "costliest")

OwnAimOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--aim",
        metavar="AIM",
        help="What counts: mean, target:700, duel, duel:optimal, duel:nearest, ...",
        show_default="what a game was played for",
    ),
]


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, review, tables=TABLES)


def review(
    file: FileArgument = None,
    aim: OwnAimOption = None,
    game: GameOption = None,
    last: LastOption = False,
    number: NumberOption = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page with pictures, for a browser.")
    ] = None,
) -> Result:
    """What the moves of played games gave up, and what was luck.

    One game, of a file or of your history, is shown move by move; several are summed up, those
    of each kind by themselves. A line that is no game is told with its number, and the others
    are read.
    """
    if html is not None:
        verify_output(html, (".html",), "html")
    found = _chosen(file, aim, last=last, number=number, game=game)
    if len(found.lines) == 1:
        line = found.lines[0]
        reviewed = _measured_game(line, aim)
        title = _title(reviewed, f"Game {line.number}" if file is None else None)
        answer = one_review(reviewed, found.bad)
        result = Result(answer, lambda: [title, *review_page(reviewed), *_boards(reviewed)])
        result = replace(result, tables=lambda: _game_tables(line, reviewed, answer))
    else:
        kinds = _measured_games(found, aim)
        result = Result(many_reviews(kinds, found.bad), lambda: _games_page(kinds), lambda: _games_tables(kinds))
    tell_bad_lines(found.bad)
    if html is not None:
        from tentimes18.app.review_file import review_of_game, review_of_games

        page = review_of_game(reviewed, line.number) if len(found.lines) == 1 else review_of_games(kinds)
        write_whole(html, page.encode(errors="replace"))
        result = replace(result, page=lambda: [written(html)])
    return result


@plot.command("review")
def plot_review(
    output: OutputOption,
    file: FileArgument = None,
    aim: OwnAimOption = None,
    game: GameOption = None,
    last: LastOption = False,
    number: NumberOption = None,
    as_json: JsonOption = False,
) -> None:
    """The course of a played game, of a file or of your history, or the progress over many."""
    from tentimes18.pictures import ENDINGS, require_matplotlib

    verify_output(output, ENDINGS)
    require_matplotlib()
    from tentimes18.pictures.plot_games import plot_course, plot_progress
    from tentimes18.pictures.plot_style import save

    found = _chosen(file, aim, last=last, number=number, game=game)
    if len(found.lines) == 1:
        figure = plot_course(_measured_game(found.lines[0], aim))
    else:
        figure = plot_progress(_measured_games(found, aim)[0].summary)
    tell_bad_lines(found.bad)
    save(figure, output)
    report_file(output, as_json)


def _chosen(file: Path | None, aim: str | None, *, last: bool, number: int | None, game: int | None) -> GamesFile:
    """The games that are asked for, for a duel those with two boards; at least one."""
    found = chosen_file(file, last=last, number=number, game=game)
    if aim is not None and is_of_duels(aim):
        found.require_opponents(aim)
    found.verify()
    return found


def _measured_game(line: Line, aim: str | None) -> Review:
    """The game of a line, move by move; by its own aim where none is given and that can be had."""
    record = line.record
    try:
        return measure(record, (own_aim(record) or Mean()) if aim is None else aim_named(record.board.game, aim))
    except (InvalidGame, TooLarge) as error:
        if error.field == "aim":
            raise
        raise type(error)(f"line {line.number}: {error}") from None


def _measured_games(found: GamesFile, aim: str | None) -> "list[MeasuredGames]":
    """The games of each kind in sum, the most frequent kind first; a kind that is too large is taken out."""
    from tentimes18.coach.summary import measured_kinds

    with progress_bar("games") as progress:
        kinds, bad = measured_kinds(found.lines, aim, progress)
    found.refuse(bad)
    found.verify()
    return kinds


def _title(reviewed: Review, number: str | None) -> "Text":
    """The game and what is known of it; what a terminal would obey is left out."""
    from rich.text import Text

    record = reviewed.record
    parts = [*([number] if number else []), str(record.board.game)]
    if record.opponent is not None and "against" in record.tags:
        parts.append(f"against {opponent_name(record)}")
    title = ", ".join([*parts, *(str(record.tags[tag]) for tag in SHOWN_TAGS if record.tags.get(tag))])
    return Text("".join(letter if letter.isprintable() else " " for letter in title), style="bold")


def _boards(reviewed: Review) -> Iterator[Part]:
    """In a duel, what stood on both boards in the end."""
    if grid := boards_grid(reviewed.record):
        yield grid


def _game_tables(line: Line, reviewed: Review, answer: ReviewAnswer) -> Iterator[Grid]:
    opponent = reviewed.record.opponent
    theirs = [None] * len(reviewed.moves) if opponent is None else [slot for _, slot in opponent.placements]
    yield review_moves(answer, line.number, theirs)
    measured: GameMeasures = {
        "loss": float(reviewed.loss),
        "luck": float(reviewed.luck),
        "skill": None if reviewed.skill is None else float(reviewed.skill),
        "level": answer["level"],
        "measured_by": reviewed.aim.name,
    }
    yield games_table([line], {line.number: measured})
    yield from _tables_of([line], reviewed.aim.name)


def _tables_of(lines: list[Line], aim: str) -> list[Grid]:
    """The sums of few games, which are one kind, by this aim."""
    from tentimes18.coach.summary import measured_kinds

    return summary_tables(many_reviews(measured_kinds(lines, aim)[0], [])["summaries"])


def _games_page(kinds: "list[MeasuredGames]") -> Iterator[Part]:
    from tentimes18.cli.terminal.summary import summary_page

    for games in kinds:
        yield from summary_page(games)


def _games_tables(kinds: "list[MeasuredGames]") -> Iterator[Grid]:
    """Those that take little first: a table that is not asked for is not made."""
    yield from summary_tables(many_reviews(kinds, [])["summaries"])
    lines = sorted(line for games in kinds for line in games.lines)
    yield games_table(lines, measures_of(kinds))
    moves = sum(games.summary.moves for games in kinds)
    if moves > MAX_MOVES:
        raise TooLarge(
            f"{moves:,} moves; at most {MAX_MOVES:,} in a table: give the games in several files", field="csv"
        )
    yield moves_table(moves_of(kinds))
