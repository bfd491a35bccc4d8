"""`ten18 review`: what each move of a played game gave up, and what was luck; or many games in sum."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tentimes18.answers.review import SHOWN_TAGS, many_reviews, one_review, summaries_of
from tentimes18.cli.commands.pictures import plot
from tentimes18.cli.games_file import FileArgument, GamesFile, read_games, tell_bad_lines
from tentimes18.cli.options import AimOption, JsonOption, OutputOption, verify_output
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Part, Result, add_command, report_file, written
from tentimes18.cli.terminal.review import review_page
from tentimes18.coach.aims import aim_named, is_of_duels
from tentimes18.coach.review import Review
from tentimes18.coach.review import review as measure
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.records.files import Line
from tentimes18.storage.atomic import write_whole

if TYPE_CHECKING:
    from rich.text import Text

    from tentimes18.coach.summary import Summary

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, review, tables=["moves", "sums", "classes", "rounds", "costliest"])


def review(
    file: FileArgument,
    aim: AimOption = "mean",
    game: Annotated[
        int | None, typer.Option("--game", metavar="N", help="The game in line N alone, move by move.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page with pictures, for a browser.")
    ] = None,
) -> Result:
    """What the moves of played games gave up, and what was luck.

    One game is shown move by move; several are summed up, those of each kind by themselves. A line that is no game is
    told with its number, and the others are read.
    """
    if html is not None:
        from tentimes18.show.pictures import require_matplotlib

        verify_output(html, (".html",), "html")
        require_matplotlib()
    found = _read_for(file, aim)
    line = found.game(game) if game is not None else found.lines[0] if len(found.lines) == 1 else None
    if line is not None:
        reviewed = _measured_game(line, aim)
        result = Result(one_review(reviewed, found.bad), lambda: [_title(reviewed), *review_page(reviewed)])
    else:
        summaries = _measured_games(found, aim)
        result = Result(many_reviews(summaries, found.bad), lambda: _games_page(summaries))
    tell_bad_lines(found.bad)
    if html is not None:
        page = _games_html(summaries) if line is None else _game_html(reviewed)
        write_whole(html, page.encode(errors="replace"))
        result = replace(result, page=lambda: [written(html)])
    return result


@plot.command("review")
def plot_review(file: FileArgument, output: OutputOption, aim: AimOption = "mean", as_json: JsonOption = False) -> None:
    """The course of a played game, or the progress over many."""
    from tentimes18.show.pictures import ENDINGS, require_matplotlib

    verify_output(output, ENDINGS)
    require_matplotlib()
    from tentimes18.show.plots.review import plot_course
    from tentimes18.show.plots.style import save
    from tentimes18.show.plots.summary import plot_progress

    found = _read_for(file, aim)
    if len(found.lines) == 1:
        figure = plot_course(_measured_game(found.lines[0], aim))
    else:
        figure = plot_progress(_measured_games(found, aim)[0])
    tell_bad_lines(found.bad)
    save(figure, output)
    report_file(output, as_json)


def _read_for(file: Path, aim: str) -> GamesFile:
    """The games of a file, for a duel those with two boards; at least one."""
    found = read_games(file)
    if is_of_duels(aim):
        found.require_opponents(aim)
    found.verify()
    return found


def _measured_game(line: Line, aim: str) -> Review:
    """The game of a line, move by move."""
    try:
        return measure(line.record, aim_named(line.record.board.game, aim))
    except (InvalidGame, TooLarge) as error:
        if error.field == "aim":
            raise
        raise type(error)(f"line {line.number}: {error}") from None


def _measured_games(found: GamesFile, aim: str) -> "list[Summary]":
    """The games of each kind in sum, the most frequent kind first; a kind that is too large is taken out."""
    with progress_bar("games") as progress:
        summaries, bad = summaries_of(found.lines, aim, progress)
    found.refuse(bad)
    found.verify()
    return [summary for _, summary in summaries]


def _title(reviewed: Review) -> "Text":
    """The game and what is known of it; what a terminal would obey is left out."""
    from rich.text import Text

    record = reviewed.record
    parts = [str(record.board.game), *(str(record.tags[tag]) for tag in SHOWN_TAGS if record.tags.get(tag))]
    title = ", ".join(parts)
    return Text("".join(letter if letter.isprintable() else " " for letter in title), style="bold")


def _games_page(summaries: "list[Summary]") -> Iterator[Part]:
    from tentimes18.cli.terminal.summary import summary_page

    for summary in summaries:
        yield from summary_page(summary)


def _game_html(reviewed: Review) -> str:
    from tentimes18.show.report.game import game_page

    return game_page(reviewed)


def _games_html(summaries: "list[Summary]") -> str:
    from tentimes18.show.report.games import games_page

    return games_page(summaries)
