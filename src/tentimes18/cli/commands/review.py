"""`ten18 review`: what each move of a played game gave up, and what was luck; or many games in sum."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tentimes18.cli.commands.pictures import plot, report_file
from tentimes18.cli.files import FileArgument, GamesFile, read_games
from tentimes18.cli.options import AimOption, JsonOption, OutputOption, verify_output
from tentimes18.cli.output import console, print_json, progress_bar
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.records.files import Line
from tentimes18.records.notation import VERSION

if TYPE_CHECKING:
    from tentimes18.coach.review import Review
    from tentimes18.coach.summary import Summary

__all__ = ["register", "review_json", "summary_json"]

SHOWN_TAGS: Final = ("name", "date", "comment")
SUMS: Final = (
    *("games", "finished", "moves", "choices", "mean_score", "mean_optimal", "mean_best", "value"),
    *("mean_loss", "mean_luck", "skill", "error_rate", "classes"),
)


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
        from tentimes18.show.plots.style import require_matplotlib

        verify_output(html, (".html",), "html")
        require_matplotlib()
    found = _read_for(file, aim)
    line = found.game(game) if game is not None else found.lines[0] if len(found.lines) == 1 else None
    if line is not None:
        reviewed = _measured_game(line, aim)
        found.tell_bad_lines()
        _show_game(found, reviewed, html, as_json)
    else:
        summaries = _measured_games(found, aim)
        found.tell_bad_lines()
        _show_games(found, summaries, html, as_json)


@plot.command("review")
def plot_review(file: FileArgument, output: OutputOption, aim: AimOption = "mean", as_json: JsonOption = False) -> None:
    """The course of a played game, or the progress over many."""
    from tentimes18.show.plots.review import plot_course, plot_progress
    from tentimes18.show.plots.style import ENDINGS, require_matplotlib, save

    verify_output(output, ENDINGS)
    require_matplotlib()
    found = _read_for(file, aim)
    if len(found.lines) == 1:
        figure = plot_course(_measured_game(found.lines[0], aim))
    else:
        figure = plot_progress(_measured_games(found, aim)[0])
    found.tell_bad_lines()
    save(figure, output)
    report_file(output, as_json)


def _read_for(file: Path, aim: str) -> GamesFile:
    """The games of a file, for a duel those with two boards; at least one."""
    found = read_games(file)
    if aim.partition(":")[0] == "duel":
        found.require_opponents(aim)
    found.verify()
    return found


def _measured_game(line: Line, aim: str) -> "Review":
    """The game of a line, move by move."""
    from tentimes18.coach.aims import aim_named
    from tentimes18.coach.review import review as measure

    try:
        return measure(line.record, aim_named(line.record.board.game, aim))
    except (InvalidGame, TooLarge) as error:
        raise type(error)(f"line {line.number}: {error}") from None


def _measured_games(found: GamesFile, aim: str) -> "list[Summary]":
    """The games of each kind in sum, the most frequent kind first; a kind that is too large is taken out."""
    from tentimes18.coach.aims import aim_named
    from tentimes18.coach.summary import summarise

    summaries = []
    for lines in found.kinds():
        records, numbers = [line.record for line in lines], [line.number for line in lines]
        try:
            with progress_bar("games") as progress:
                summaries.append(summarise(records, aim_named(records[0].board.game, aim), progress, numbers))
        except (InvalidGame, TooLarge) as error:
            found.refuse(lines, str(error))
    found.verify()
    return summaries


def _show_game(found: GamesFile, reviewed: "Review", html: Path | None, as_json: bool) -> None:
    if html is not None:
        from tentimes18.show.report.games import game_page

        _write_page(game_page(reviewed), html, as_json)
    if as_json:
        print_json(review_json(reviewed) | _bad_lines(found))
    elif html is None:
        from tentimes18.cli.terminal.review import show_review

        _show_title(reviewed)
        show_review(reviewed)


def _show_title(reviewed: "Review") -> None:
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
        print_json(
            {
                "games": sum(summary.games for summary in summaries),
                "finished": sum(summary.finished for summary in summaries),
                "aim": summaries[0].aim.name,
                **_bad_lines(found),
                "summaries": [summary_json(summary) for summary in summaries],
            }
        )
    elif html is None:
        from tentimes18.cli.terminal.summary import show_summary

        for summary in summaries:
            show_summary(summary)


def _write_page(page: str, html: Path, as_json: bool) -> None:
    from tentimes18.storage.files import write_whole

    write_whole(html, page.encode(errors="replace"))
    if not as_json:
        report_file(html, as_json=False)


def review_json(reviewed: "Review") -> dict[str, Any]:
    """A reviewed game for JSON; losses and luck are in points, or chances where the aim is one."""
    record = reviewed.record
    return {
        "version": VERSION,
        "dice": str(record.board.game.dice),
        "slots": record.board.game.slots,
        "moves": [
            {
                "round": number,
                "roll": move.roll,
                "slot": move.slot,
                "best": move.best_slots,
                "loss": move.loss,
                "class": move.move_class.name,
                "mark": move.move_class.mark,
                "luck": move.luck,
                "gift": move.gift,
                "before": move.before,
                "after": move.after,
                "choice": move.is_choice,
            }
            for number, move in enumerate(reviewed.moves, start=1)
        ],
        "score": record.board.score,
        "finished": record.finished,
        "aim": reviewed.aim.name,
        "value": reviewed.start,
        "luck": reviewed.luck,
        "loss": reviewed.loss,
        "gift": reviewed.gift,
        "skill": reviewed.skill,
        "classes": reviewed.counts,
        "percentile": reviewed.percentile,
        "optimal_score": reviewed.optimal_score,
        "best_score": reviewed.best_score,
        **{tag: record.tags[tag] for tag in SHOWN_TAGS if tag in record.tags},
    }


def summary_json(summary: "Summary") -> dict[str, Any]:
    """Games of one kind in sum for JSON."""
    return {
        "dice": str(summary.game.dice),
        "slots": summary.game.slots,
        **{name: getattr(summary, name) for name in SUMS},
        "rounds": [asdict(part) for part in summary.rounds],
        "costliest": [asdict(part) for part in summary.costliest],
        "progress": [asdict(part) for part in summary.progress],
    }


def _bad_lines(found: GamesFile) -> dict[str, Any]:
    return {"bad_lines": [{"line": number, "reason": reason} for number, reason in found.bad]}
