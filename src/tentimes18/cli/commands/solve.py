"""`ten18 solve` and `closest`: the game solved, and the moves hardest to tell apart."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tentimes18.cli.options import DiceOption, SlotsOption
from tentimes18.cli.output import Verbatim, progress_bar
from tentimes18.cli.results import Part, Result, add_command
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.show.figures import counted, ordinal

if TYPE_CHECKING:
    from tentimes18.answers.closest import ClosestAnswer
    from tentimes18.answers.solution import SolutionAnswer

__all__ = ["register"]

MAX_DIGITS: Final = 100_000
SHOWN_SLOTS: Final = 12
SHOWN_TIES: Final = 20


class Method(StrEnum):
    """How to find the value of the best play."""

    thresholds = "thresholds"
    subsets = "subsets"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    add_command(app, solve, tables=["thresholds", "expected"])
    add_command(app, closest, tables=["calls", "ties"])


def solve(
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    exact: Annotated[bool, typer.Option("--exact", help="Every number as a fraction p/q.")] = False,
    digits: Annotated[
        int | None, typer.Option("--digits", metavar="N", min=1, max=MAX_DIGITS, help="Significant digits.")
    ] = None,
    last_row: Annotated[bool, typer.Option("--last-row", help="Only E_n, in memory that grows with n.")] = False,
    method: Annotated[
        Method, typer.Option("--method", help="Value of the best play by this table.")
    ] = Method.thresholds,
) -> Result:
    """Expected scores, and the thresholds that play the game.

    With one more free slot than a row has thresholds, a roll goes to the free slot whose rank is one more than the
    number of thresholds below the roll.
    """
    from tentimes18.answers.solution import solution

    game = Game.parse(dice, slots)
    if exact and digits is not None:
        raise Ten18Error("--exact and --digits exclude each other; give one of them")
    with progress_bar(method.value, late=True) as progress:
        by_subsets = method is Method.subsets
        answer = solution(game, exact=exact, digits=digits, last_row=last_row, by_subsets=by_subsets, progress=progress)
    is_long = exact or digits is not None
    return Result(answer, lambda: _numbers(answer) if is_long else _page(game, answer), lambda: _tables(answer))


def _numbered_rows(answer: "SolutionAnswer") -> list[tuple[int, Sequence[float | str]]]:
    """The rows that there are, each with its number of free slots."""
    rows = answer["thresholds"]
    return [(len(row), row) for row in rows]


def _numbers(answer: "SolutionAnswer") -> Iterator[Part]:
    """Each number on a line of its own, however long it is."""
    lines = [f"{name} = {points}" for name, points in _expected(answer)]
    lines += [
        f"E_{j}[{i}] = {threshold}" for j, row in _numbered_rows(answer) for i, threshold in enumerate(row, start=1)
    ]
    yield Verbatim("\n".join(lines))


def _page(game: Game, answer: "SolutionAnswer") -> Iterator[Part]:
    n, rows = game.size, answer["thresholds"]
    scores = table(f"Expected score, {game}", "points", label="strategy", name="expected")
    for name, points in _expected(answer):
        scores.add_row(name, number(float(points), ".10f"))
    yield scores
    if n > SHOWN_SLOTS or len(rows) < n:
        ends = [number(float(threshold), ".3f").text for threshold in rows[-1]]
        shown = ends if n <= SHOWN_SLOTS else [*ends[:4], "...", *ends[-4:]]
        yield f"E_{n}: {'  '.join(shown)}\nAll numbers: --json or --csv\n"
        return
    title = "Thresholds E_j[i]: the expected roll in the i-th of j free slots"
    grid = table(title, *map(str, range(1, n + 1)), label="j")
    for j, row in reversed(_numbered_rows(answer)):
        grid.add_row(j, *(number(float(threshold), ".3f") for threshold in row))
    yield grid
    if n > 1:
        yield f"With {n} free slots use row {n - 1}; row {n} only gives the expected score.\n"


def _tables(answer: "SolutionAnswer") -> Iterator[Grid]:
    """For programs: one line a threshold, and the expected scores, as exact as they were asked for."""
    grid = table("", "j", "i", "threshold", name="thresholds")
    for j, row in _numbered_rows(answer):
        for i, threshold in enumerate(row, start=1):
            grid.add_row(j, i, Entry(threshold, ""))
    yield grid
    expected = table("", "points", label="strategy", name="expected")
    for name, points in _expected(answer):
        expected.add_row(name, Entry(points, ""))
    yield expected


def _expected(answer: "SolutionAnswer") -> list[tuple[str, float | str]]:
    """The expected scores by strategy."""
    scores = answer["expected"]
    return [("random", scores["random"]), ("optimal", scores["optimal"]), ("hindsight", scores["hindsight"])]


def closest(dice: DiceOption = "3d6", slots: SlotsOption = "1-10") -> Result:
    """The closest calls: the moves whose runner-up loses least, and exact ties."""
    from tentimes18.answers.closest import closest as closest_of

    game = Game.parse(dice, slots)
    with progress_bar("closest calls", late=True) as progress:
        answer = closest_of(game, progress)
    return Result(answer, lambda: _closest_page(game, answer), lambda: [_ties(answer)])


def _closest_page(game: Game, answer: "ClosestAnswer") -> Iterator[Part]:
    columns = ("free slots", "roll", "best", "runner-up", "loss", "free sets")
    grid = table(f"Closest calls, {game}", *columns, label="where", name="calls")
    for where, calls in (("first move", answer["first_move"]), ("game", answer["game"])):
        for call in calls:
            grid.add_row(
                where,
                call["free_count"],
                number(call["roll"]),
                Entry(call["best"], ordinal(call["best"])),
                Entry(call["runner_up"], ordinal(call["runner_up"])),
                number(call["loss"], ".5f"),
                number(call["free_sets"], ","),
            )
    yield grid
    yield "best, runner-up: which of the free slots, counted from the smallest multiplier"
    if ties := answer["ties"]:
        yield f"\nExact ties, {len(ties)} in all:"
        for tie in ties[:SHOWN_TIES]:
            both = f"{ordinal(tie['rank'])} and {ordinal(tie['rank'] + 1)}"
            yield f"  {counted(tie['free_count'], 'free slot')}, roll {tie['roll']}: {both} are equally good"
    else:
        yield "No exact ties between slots with different multipliers."


def _ties(answer: "ClosestAnswer") -> Grid:
    grid = table("", "free slots", "roll", "rank", Column("next rank"), name="ties")
    for tie in answer["ties"]:
        grid.add_row(tie["free_count"], tie["roll"], tie["rank"], tie["rank"] + 1)
    return grid
