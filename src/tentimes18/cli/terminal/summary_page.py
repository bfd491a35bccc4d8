"""The report of many played games: the sums, where the points were lost, and whether it gets better."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tentimes18.cli.command import Part
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.cli.terminal.review_page import class_style, sparkline
from tentimes18.coach.losses import CLASSES, Unit
from tentimes18.coach.summary import MeasuredGames, Summary
from tentimes18.number_format import counted, share
from tentimes18.wording import fixed, kind_notes, summary_note, words_of

if TYPE_CHECKING:
    from rich.text import Text


def summary_page(games: MeasuredGames) -> Iterator[Part]:
    """Games of one kind in sum."""
    summary = games.summary
    yield _sums(games)
    notes = [*([note] if (note := summary_note(summary.aim)) else []), *kind_notes(games)]
    yield from notes
    if notes:
        yield ""
    yield _classes(summary)
    if summary.rounds:
        yield _rounds(summary)
    if summary.costliest:
        yield _costliest(summary)
    yield from _progress(summary)


def _sums(games: MeasuredGames) -> Grid:
    summary, level = games.summary, games.level
    finished = "" if summary.finished == summary.games else f", {summary.finished:,} finished"
    practice = ", practice" if games.is_practice else ""
    title = f"{counted(summary.games, 'game')} of {summary.game}{practice}{finished}"
    grid = table(title, "a game", label=Column("", left=True))
    for place, (name, value) in enumerate(summary.means.items()):
        grid.add_row(name, fixed(value, Unit.points), style="bold" if place == 0 else None)
    unit = summary.aim.unit
    in_percent = words_of(unit).in_percent
    grid.add_row(f"luck{in_percent}", fixed(summary.mean_luck, unit, is_change=True))
    grid.add_row(f"loss{in_percent}", fixed(summary.mean_loss, unit))
    if summary.skill is not None and summary.error_rate is not None:
        grid.add_row(f"skill: loss{in_percent} a choice", fixed(summary.skill, unit, 3))
        if level is not None:
            grid.add_row("level", level.name)
        grid.add_row("errors, of all choices", share(summary.error_rate))
    return grid


def _classes(summary: Summary) -> Grid:
    grid = table("Moves by class", Column("", left=True), "moves", "share", label="class")
    for found in CLASSES:
        count = summary.classes[found.name]
        part = share(count / summary.moves) if summary.moves else ""
        style = class_style(found) if count else None
        grid.add_row(found.name, found.mark, number(count, ","), part, style=style)
    return grid


def _rounds(summary: Summary) -> Grid:
    grid = table("Moves by round", "choices", "loss a choice", "errors", label="round")
    for part in summary.rounds:
        lost = Entry(part.mean_loss, fixed(part.mean_loss, summary.aim.unit, 3))
        grid.add_row(part.round, number(part.choices, ","), lost, Entry(part.error_rate, share(part.error_rate)))
    return grid


def _costliest(summary: Summary) -> Grid:
    heads = ("round", "roll", "slot", "best", "loss")
    grid = table("The costliest moves, the game by its line", *heads, label="game")
    for move in summary.costliest:
        grid.add_row(move.game, move.round, move.roll, move.slot, move.best, fixed(move.loss, summary.aim.unit))
    return grid


def _progress(summary: Summary) -> "Iterator[Text | str]":
    """Of each course the first and the last number as well."""
    from rich.text import Text

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
    yield Text(f"Progress from game {first.first:,} to {last.last:,}, {steps}", style="bold")
    for name, values, digits in courses:
        known = [value for value in values if value is not None]
        ends = " → ".join(f"{value:z.{digits}f}".replace("-", "−") for value in (known[0], known[-1]))
        yield f"  {name:<14}{sparkline(values)}  {ends}"
    yield ""
