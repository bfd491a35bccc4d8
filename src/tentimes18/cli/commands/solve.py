"""`ten18 solve` and `closest`: the game solved, and the moves hardest to tell apart."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Context, Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Final

import typer

from tentimes18.cli.options import DiceOption, JsonOption, SlotsOption
from tentimes18.cli.output import console, print_json, progress_bar, table
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game

__all__ = ["register"]

MAX_PRINTED: Final = 5_000_000
MAX_DIGITS: Final = 100_000
GUARD_DIGITS: Final = 10
SHOWN_SLOTS: Final = 12
ROUNDED_EXACT_WORK: Final = 1.5e8  # up to here (300 slots of 3d6) float64 results are exact ones, rounded once


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
    game = Game.parse(dice, slots)
    if exact and digits is not None:
        raise Ten18Error("--exact and --digits exclude each other; give one of them")
    n = game.size
    if method is Method.subsets:
        verify_subset_size(game)
    if not last_row and n * (n + 1) // 2 > MAX_PRINTED:
        raise TooLarge(
            f"all rows for {n} slots are {n * (n + 1) // 2:,} numbers; add --last-row for E_n alone", field="slots"
        )
    rows, expected = _solve(game, exact=exact, digits=digits, last_row=last_row)
    if method is Method.subsets:
        expected["optimal"] = _by_subsets(game, exact=exact, digits=digits)
    if as_json:
        write: Callable[[Any], Any] = _writer(exact, digits)
        print_json(
            {
                "dice": str(game.dice),
                "slots": [write(multiplier) if exact or digits else multiplier for multiplier in game.multipliers],
                "expected": {name: write(value) for name, value in expected.items()},
                "thresholds": [[write(value) for value in row] for row in rows],
            }
        )
    else:
        _show_solution(game, rows, expected, _writer(exact, digits) if exact or digits else None)


def _solve(game: Game, *, exact: bool, digits: int | None, last_row: bool) -> tuple[list[Any], dict[str, Any]]:
    """The rows to show, and the expected scores, as precise as asked for."""
    from tentimes18.solve import hindsight, thresholds

    n = game.size
    multipliers: Sequence[Any] = game.multipliers
    rows: list[Any]
    orders: Sequence[Any]
    sensible = hindsight.is_exact_sensible(game.dice, n)
    if exact or (sensible and thresholds.is_exact_sensible(game.dice, n, 4e9 if digits else ROUNDED_EXACT_WORK)):
        rows = list(thresholds.exact_thresholds(game.dice, n))
        orders = hindsight.exact_order_statistics(game.dice, n)
    elif digits:
        from tentimes18.solve.decimal_thresholds import decimal_thresholds

        with progress_bar("thresholds") as progress:
            rows = decimal_thresholds(game.dice, n, digits + GUARD_DIGITS, progress)
        rows = [[Fraction(value) for value in row] for row in (rows[-1:] if last_row else rows)]
        orders = hindsight.exact_order_statistics(game.dice, n)
    else:
        from tentimes18.solve import float_hindsight, float_thresholds

        with progress_bar("thresholds") as progress:
            if last_row:
                rows = [float_thresholds.last_row(game.dice, n, progress)]
            else:
                rows = list(float_thresholds.thresholds(game.dice, n))
        multipliers = [float(multiplier) for multiplier in multipliers]
        orders = list(float_hindsight.order_statistics(game.dice, n))
    expected = {
        "random": game.dice.mean * sum(game.multipliers),
        "optimal": _dot(multipliers, rows[-1]),
        "hindsight": _dot(multipliers, orders),
    }
    return (rows[-1:] if last_row else rows), expected


def verify_subset_size(game: Game) -> None:
    """Refuse a table that is too large before anything else is computed."""
    from tentimes18.solve.subsets import verify_subset_size as verify

    verify(game)


def _by_subsets(game: Game, *, exact: bool, digits: int | None) -> Any:
    from tentimes18.solve.subsets import exact_subset_values

    if exact or digits:
        return exact_subset_values(game)[game.all_free]
    from tentimes18.solve.float_subsets import subset_values

    with progress_bar("subsets") as progress:
        return subset_values(game, progress)[game.all_free]


def _dot(multipliers: Iterable[Any], row: Iterable[Any]) -> Any:
    return sum(multiplier * value for multiplier, value in zip(multipliers, row, strict=True))


def _writer(exact: bool, digits: int | None) -> Callable[[Any], Any]:
    if exact:
        return lambda value: f"{Fraction(value).numerator}/{Fraction(value).denominator}"
    if digits is not None:
        return lambda value: _decimal(Fraction(value), digits)
    return float


def _decimal(value: Fraction, digits: int) -> str:
    """The value with so many significant digits, without an exponent."""
    quotient = Context(prec=digits).divide(Decimal(value.numerator), Decimal(value.denominator))
    places = digits - 1 - quotient.adjusted() if quotient else digits - 1
    return f"{quotient:.{max(0, places)}f}"


def _show_solution(
    game: Game, rows: Sequence[Sequence[Any]], expected: dict[str, Any], write: Callable[[Any], str] | None
) -> None:
    screen = console()
    n = game.size
    if write:
        for name, value in expected.items():
            screen.print(f"{name} = {write(value)}", soft_wrap=True)
        for j, row in zip(range(n - len(rows) + 1, n + 1), rows, strict=True):
            for i, value in enumerate(row, start=1):
                screen.print(f"E_{j}[{i}] = {write(value)}", soft_wrap=True)
        return
    scores = table(f"Expected score, {game}", "points", label="strategy")
    for name, value in expected.items():
        scores.add_row(name, f"{float(value):.10f}")
    screen.print(scores)
    if n > SHOWN_SLOTS or len(rows) < n:
        ends = [f"{float(value):.3f}" for value in rows[-1]]
        shown = ends if n <= SHOWN_SLOTS else [*ends[:4], "...", *ends[-4:]]
        screen.print(f"E_{n}: {'  '.join(shown)}\nAll numbers: --json\n")
        return
    title = "Thresholds E_j[i]: the expected roll in the i-th of j free slots"
    texts = [[f"{float(value):.3f}" for value in row] for row in rows]
    if max(len(text) for row in texts for text in row) * n + 2 * n + 6 <= screen.width:
        grid = table(title, *map(str, range(1, n + 1)), label="j")
        for row in reversed(texts):
            grid.add_row(str(len(row)), *row)
        screen.print(grid)
    else:
        screen.print(title, style="bold")
        for row in reversed(texts):
            screen.print(f"{len(row):>3}  {' '.join(row)}")
    if n > 1:
        screen.print(f"With {n} free slots use row {n - 1}; row {n} only gives the expected score.\n")


def closest(dice: DiceOption = "3d6", slots: SlotsOption = "1-10", as_json: JsonOption = False) -> None:
    """The closest calls: the moves whose runner-up loses least, and exact ties."""
    from tentimes18.solve.closest import closest_calls, exact_ties

    game = Game.parse(dice, slots)
    calls = {"first_move": closest_calls(game, first_move=True), "game": closest_calls(game)}
    ties = exact_ties(game)
    if as_json:
        fields = ("loss", "free_count", "roll", "best", "runner_up", "free_sets", "example")
        print_json(
            {
                **{
                    where: [{name: getattr(call, name) for name in fields} for call in found]
                    for where, found in calls.items()
                },
                "ties": [{"free_count": tie.free_count, "roll": tie.roll, "rank": tie.rank} for tie in ties],
            }
        )
        return
    grid = table(
        f"Closest calls, {game}", "free slots", "roll", "best", "runner-up", "loss", "free sets", label="where"
    )
    for where, found in calls.items():
        for call in found:
            ranks = _ordinal(call.best), _ordinal(call.runner_up)
            grid.add_row(
                where.replace("_", " "),
                str(call.free_count),
                str(call.roll),
                *ranks,
                f"{float(call.loss):.5f}",
                f"{call.free_sets:,}",
            )
    screen = console()
    screen.print(grid)
    screen.print("best, runner-up: which of the free slots, counted from the smallest multiplier")
    if ties:
        screen.print(f"\nExact ties, {len(ties)} in all:")
        for tie in ties[:20]:
            both = f"{_ordinal(tie.rank)} and {_ordinal(tie.rank + 1)}"
            screen.print(f"  {tie.free_count} free slots, roll {tie.roll}: {both} are equally good")
    else:
        screen.print("No exact ties between slots with different multipliers.")


def _ordinal(rank: int) -> str:
    suffix = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{suffix}"
