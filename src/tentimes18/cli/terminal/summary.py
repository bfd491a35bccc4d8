"""The report of many played games: the sums, where the points were lost, and whether it gets better."""

from typing import TYPE_CHECKING

from tentimes18.cli.output import console, table
from tentimes18.cli.terminal.review import class_style
from tentimes18.cli.terminal.sparkline import sparkline
from tentimes18.coach.classes import CLASSES
from tentimes18.coach.summary import Summary
from tentimes18.coach.units import Unit
from tentimes18.show.figures import counted, share
from tentimes18.show.words import fixed, summary_note, words_of

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["show_summary"]


def show_summary(summary: Summary, screen: "Console | None" = None) -> None:
    """Print games of one kind in sum."""
    screen = screen or console()
    _show_sums(summary, screen)
    _show_classes(summary, screen)
    _show_rounds(summary, screen)
    _show_costliest(summary, screen)
    _show_progress(summary, screen)


def _show_sums(summary: Summary, screen: "Console") -> None:
    finished = "" if summary.finished == summary.games else f", {summary.finished:,} finished"
    grid = table(f"{counted(summary.games, 'game')} of {summary.game}{finished}", "a game", label="")
    for place, (name, value) in enumerate(summary.means.items()):
        grid.add_row(name, fixed(value, Unit.points), style="bold" if place == 0 else None)
    unit = summary.aim.unit
    in_percent = words_of(unit).in_percent
    grid.add_row(f"luck{in_percent}", fixed(summary.mean_luck, unit, is_change=True))
    grid.add_row(f"loss{in_percent}", fixed(summary.mean_loss, unit))
    if summary.skill is not None and summary.error_rate is not None:
        grid.add_row(f"skill: loss{in_percent} a choice", fixed(summary.skill, unit, 3))
        grid.add_row("errors, of all choices", share(summary.error_rate))
    screen.print(grid)
    if note := summary_note(summary.aim):
        screen.print(f"{note}\n")


def _show_classes(summary: Summary, screen: "Console") -> None:
    grid = table("Moves by class", "", "moves", "share", label="class")
    grid.table.columns[1].justify = "left"
    for found in CLASSES:
        count = summary.classes[found.name]
        part = share(count / summary.moves) if summary.moves else ""
        grid.add_row(found.name, found.mark, f"{count:,}", part, style=class_style(found) if count else None)
    screen.print(grid)


def _show_rounds(summary: Summary, screen: "Console") -> None:
    if not summary.rounds:
        return
    grid = table("Moves by round", "choices", "loss a choice", "errors", label="round")
    for part in summary.rounds:
        lost = fixed(part.mean_loss, summary.aim.unit, 3)
        grid.add_row(str(part.round), f"{part.choices:,}", lost, share(part.error_rate))
    screen.print(grid)


def _show_costliest(summary: Summary, screen: "Console") -> None:
    if not summary.costliest:
        return
    grid = table("The costliest moves, the game by its line", "round", "roll", "slot", "best", "loss", label="game")
    for move in summary.costliest:
        numbers = (move.round, move.roll, move.slot, move.best)
        grid.add_row(str(move.game), *map(str, numbers), fixed(move.loss, summary.aim.unit))
    screen.print(grid)


def _show_progress(summary: Summary, screen: "Console") -> None:
    """Of each course the first and the last number as well."""
    skills = [None if part.skill is None else summary.aim.unit.counted(part.skill) for part in summary.progress]
    courses = [
        (name, values, digits)
        for name, values, digits in (
            ("loss a choice", skills, 2),
            ("mean score", [part.mean_score for part in summary.progress], 0),
        )
        if sum(value is not None for value in values) > 1
    ]
    if not courses:
        return
    first, last = summary.progress[0], summary.progress[-1]
    longest = max(part.last - part.first + 1 for part in summary.progress)
    steps = "game by game" if longest == 1 else f"by {longest:,} games"
    screen.print(f"Progress from game {first.first:,} to {last.last:,}, {steps}", style="bold")
    for name, values, digits in courses:
        known = [value for value in values if value is not None]
        ends = f"{known[0]:.{digits}f} → {known[-1]:.{digits}f}"
        screen.print(f"  {name:<14}{sparkline(values)}  {ends}")
    screen.print()
