"""`ten18 review`: what each move of a played game gave up, and what was luck; or many games in sum."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tentimes18.answers.review import SHOWN_TAGS, many_reviews, one_review, summaries_of
from tentimes18.cli.commands.pictures import plot, report_file
from tentimes18.cli.games_file import FileArgument, GamesFile, read_games, tell_bad_lines
from tentimes18.cli.options import AimOption, JsonOption, OutputOption, verify_output
from tentimes18.cli.output import console, print_json, progress_bar
from tentimes18.cli.terminal.review import show_review
from tentimes18.coach.aims import aim_named, is_of_duels
from tentimes18.coach.review import Review
from tentimes18.coach.review import review as measure
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.records.files import Line
from tentimes18.storage.atomic import write_whole

if TYPE_CHECKING:
    from tentimes18.coach.summary import Summary

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(review)


def review(
    file: FileArgument,
    aim: AimOption = "mean",
    game: Annotated[
        int | None, typer.Option("--game", metavar="N", help="The game in line N alone, move by move.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page with pictures, for a browser.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
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
        tell_bad_lines(found.bad)
        _show_game(found, reviewed, html, as_json)
    else:
        summaries = _measured_games(found, aim)
        tell_bad_lines(found.bad)
        _show_games(found, summaries, html, as_json)


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


def _show_game(found: GamesFile, reviewed: Review, html: Path | None, as_json: bool) -> None:
    if html is not None:
        from tentimes18.show.report.game import game_page

        _write_page(game_page(reviewed), html, as_json)
    if as_json:
        print_json(one_review(reviewed, found.bad))
    elif html is None:
        _show_title(reviewed)
        show_review(reviewed)


def _show_title(reviewed: Review) -> None:
    """The game and what is known of it; what a terminal would obey is left out."""
    record = reviewed.record
    parts = [str(record.board.game), *(str(record.tags[tag]) for tag in SHOWN_TAGS if record.tags.get(tag))]
    title = ", ".join(parts)
    console().print("".join(letter if letter.isprintable() else " " for letter in title), style="bold")


def _show_games(found: GamesFile, summaries: "list[Summary]", html: Path | None, as_json: bool) -> None:
    if html is not None:
        from tentimes18.show.report.games import games_page

        _write_page(games_page(summaries), html, as_json)
    if as_json:
        print_json(many_reviews(summaries, found.bad))
    elif html is None:
        from tentimes18.cli.terminal.summary import show_summary

        for summary in summaries:
            show_summary(summary)


def _write_page(page: str, html: Path, as_json: bool) -> None:
    write_whole(html, page.encode(errors="replace"))
    if not as_json:
        report_file(html, as_json=False)
