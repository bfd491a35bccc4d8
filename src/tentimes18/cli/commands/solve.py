"""`ten18 solve` and `closest`: the game solved, and the moves hardest to tell apart."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tentimes18.cli.options import DiceOption, JsonOption, SlotsOption
from tentimes18.cli.output import console, print_json, progress_bar, table
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.show.figures import ordinal

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
    app.command()(solve)
    app.command()(closest)


def solve(
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    exact: Annotated[bool, typer.Option("--exact", help="Every number as a fraction p/q.")] = False,
    digits: Annotated[int | None, typer.Option("--digits", min=1, max=MAX_DIGITS, help="Significant digits.")] = None,
    last_row: Annotated[bool, typer.Option("--last-row", help="Only E_n, in memory that grows with n.")] = False,
    method: Annotated[
        Method, typer.Option("--method", help="Value of the best play by this table.")
    ] = Method.thresholds,
    as_json: JsonOption = False,
) -> None:
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
    if as_json:
        print_json(answer)
    elif exact or digits:
        _show_numbers(game, answer)
    else:
        _show_solution(game, answer)


def _show_numbers(game: Game, answer: "SolutionAnswer") -> None:
    """Each number on a line of its own, however long it is."""
    screen = console()
    n, rows = game.size, answer["thresholds"]
    for name, value in answer["expected"].items():
        screen.print(f"{name} = {value}", soft_wrap=True)
    for j, row in zip(range(n - len(rows) + 1, n + 1), rows, strict=True):
        for i, number in enumerate(row, start=1):
            screen.print(f"E_{j}[{i}] = {number}", soft_wrap=True)


def _show_solution(game: Game, answer: "SolutionAnswer") -> None:
    screen = console()
    n, rows = game.size, answer["thresholds"]
    scores = table(f"Expected score, {game}", "points", label="strategy")
    for name, value in answer["expected"].items():
        scores.add_row(name, f"{value:.10f}")
    screen.print(scores)
    if n > SHOWN_SLOTS or len(rows) < n:
        ends = [f"{threshold:.3f}" for threshold in rows[-1]]
        shown = ends if n <= SHOWN_SLOTS else [*ends[:4], "...", *ends[-4:]]
        screen.print(f"E_{n}: {'  '.join(shown)}\nAll numbers: --json\n")
        return
    title = "Thresholds E_j[i]: the expected roll in the i-th of j free slots"
    texts = [[f"{threshold:.3f}" for threshold in row] for row in rows]
    if max(len(text) for row in texts for text in row) * n + 2 * n + 6 <= screen.width:
        grid = table(title, *map(str, range(1, n + 1)), label="j")
        for texts_of_row in reversed(texts):
            grid.add_row(str(len(texts_of_row)), *texts_of_row)
        screen.print(grid)
    else:
        screen.print(title, style="bold")
        for texts_of_row in reversed(texts):
            screen.print(f"{len(texts_of_row):>3}  {' '.join(texts_of_row)}")
    if n > 1:
        screen.print(f"With {n} free slots use row {n - 1}; row {n} only gives the expected score.\n")


def closest(dice: DiceOption = "3d6", slots: SlotsOption = "1-10", as_json: JsonOption = False) -> None:
    """The closest calls: the moves whose runner-up loses least, and exact ties."""
    from tentimes18.answers.closest import closest as closest_of

    game = Game.parse(dice, slots)
    answer = closest_of(game)
    if as_json:
        print_json(answer)
    else:
        _show_closest(game, answer)


def _show_closest(game: Game, answer: "ClosestAnswer") -> None:
    screen = console()
    grid = table(
        f"Closest calls, {game}", "free slots", "roll", "best", "runner-up", "loss", "free sets", label="where"
    )
    for where, calls in (("first move", answer["first_move"]), ("game", answer["game"])):
        for call in calls:
            grid.add_row(
                where,
                str(call["free_count"]),
                str(call["roll"]),
                ordinal(call["best"]),
                ordinal(call["runner_up"]),
                f"{call['loss']:.5f}",
                f"{call['free_sets']:,}",
            )
    screen.print(grid)
    screen.print("best, runner-up: which of the free slots, counted from the smallest multiplier")
    if ties := answer["ties"]:
        screen.print(f"\nExact ties, {len(ties)} in all:")
        for tie in ties[:SHOWN_TIES]:
            both = f"{ordinal(tie['rank'])} and {ordinal(tie['rank'] + 1)}"
            screen.print(f"  {tie['free_count']} free slots, roll {tie['roll']}: {both} are equally good")
    else:
        screen.print("No exact ties between slots with different multipliers.")
