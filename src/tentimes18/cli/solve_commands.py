"""`ten18 solve` and `closest`: the game solved, and the moves hardest to tell apart."""

from collections.abc import Iterator

import typer

from tentimes18.cli.command import Arguments, Part, add_query
from tentimes18.cli.output import Verbatim
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.game import Game
from tentimes18.number_format import counted, ordinal
from tentimes18.queries.solutions import ClosestAnswer, SolutionAnswer

MAX_SHOWN_SLOTS = 12
MAX_SHOWN_TIES = 20


def register(app: typer.Typer) -> None:
    """Add these commands."""
    add_query(app, "solve", _solution_page, ["thresholds", "expected"], csv=_solution_tables, bar="thresholds")
    add_query(app, "closest", _closest_page, ["calls", "ties"], csv=_ties, bar="closest calls")


def _solution_page(solution: SolutionAnswer, asked: Arguments) -> Iterator[Part]:
    if asked["exact"] or asked["digits"] is not None:
        yield Verbatim("\n".join(_numbers(solution)))
        return
    game, rows = Game.parse(asked["dice"], asked["slots"]), solution.thresholds
    n = game.size
    scores = table(f"Expected score, {game}", "points", label="strategy", name="expected")
    for name, points in _expected(solution):
        scores.add_row(name, number(float(points), ".10f"))
    yield scores
    if n > MAX_SHOWN_SLOTS or len(rows) < n:
        ends = [number(float(threshold), ".3f").text for threshold in rows[-1]]
        shown = ends if n <= MAX_SHOWN_SLOTS else [*ends[:4], "...", *ends[-4:]]
        yield f"E_{n}: {'  '.join(shown)}\nAll numbers: --json or --csv\n"
        return
    title = "Thresholds E_j[i]: the expected roll in the i-th of j free slots"
    grid = table(title, *map(str, range(1, n + 1)), label="j")
    for row in reversed(rows):
        grid.add_row(len(row), *(number(float(threshold), ".3f") for threshold in row))
    yield grid
    if n > 1:
        yield f"With {n} free slots use row {n - 1}; row {n} only gives the expected score.\n"


def _numbers(solution: SolutionAnswer) -> Iterator[str]:
    """Each number on a line of its own, however long it is."""
    yield from (f"{name} = {points}" for name, points in _expected(solution))
    for row in solution.thresholds:
        yield from (f"E_{len(row)}[{i}] = {threshold}" for i, threshold in enumerate(row, start=1))


def _solution_tables(solution: SolutionAnswer, _: Arguments) -> Iterator[Grid]:
    """For programs: a line per threshold, and the expected scores, as exact as they were asked for."""
    grid = table("", "j", "i", "threshold", name="thresholds")
    for row in solution.thresholds:
        for i, threshold in enumerate(row, start=1):
            grid.add_row(len(row), i, Entry(threshold, ""))
    yield grid
    expected = table("", "points", label="strategy", name="expected")
    for name, points in _expected(solution):
        expected.add_row(name, Entry(points, ""))
    yield expected


def _expected(solution: SolutionAnswer) -> list[tuple[str, float | str]]:
    scores = solution.expected
    return [("random", scores.random), ("optimal", scores.optimal), ("hindsight", scores.hindsight)]


def _closest_page(closest: ClosestAnswer, asked: Arguments) -> Iterator[Part]:
    columns = ("free slots", "roll", "best", "runner-up", "loss", "free sets")
    title = f"Closest calls, {Game.parse(asked['dice'], asked['slots'])}"
    grid = table(title, *columns, label="where", name="calls")
    for where, calls in (("first move", closest.first_move), ("game", closest.game)):
        for call in calls:
            grid.add_row(
                where,
                call.free_count,
                number(call.roll),
                Entry(call.best, ordinal(call.best)),
                Entry(call.runner_up, ordinal(call.runner_up)),
                number(call.loss, ".5f"),
                number(call.free_sets, ","),
            )
    yield grid
    yield "best, runner-up: which of the free slots, counted from the smallest multiplier"
    if not closest.ties:
        yield "No exact ties between slots with different multipliers."
        return
    yield f"\nExact ties, {len(closest.ties)} in all:"
    for tie in closest.ties[:MAX_SHOWN_TIES]:
        both = f"{ordinal(tie.rank)} and {ordinal(tie.rank + 1)}"
        yield f"  {counted(tie.free_count, 'free slot')}, roll {tie.roll}: {both} are equally good"


def _ties(closest: ClosestAnswer, _: Arguments) -> Iterator[Grid]:
    grid = table("", "free slots", "roll", "rank", Column("next rank"), name="ties")
    for tie in closest.ties:
        grid.add_row(tie.free_count, tie.roll, tie.rank, tie.rank + 1)
    yield grid
