"""The game solved: expected scores, the thresholds that play it, and its closest calls.

For games of up to a few hundred slots plain numbers are exact ones, rounded once; beyond, they are computed in float64.
Decimals are exact as well where that is quick, and else computed with guard digits.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Struct

from tentimes18.errors import Ten18Error
from tentimes18.game import Game, Number
from tentimes18.queries import DiceText, Doc, Exact, SlotsText, query
from tentimes18.queries.json_numbers import Written, plain, ratio_text, writer
from tentimes18.solve.closest_calls import ClosestCall, Tie, closest_calls, exact_ties
from tentimes18.solve.hindsight import exact_order_statistics
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.solve.subsets import exact_subset_values
from tentimes18.solve.thresholds import ExactRow, decimal_thresholds, exact_thresholds

MAX_DIGITS = 100_000
MAX_LAB_DIGITS = 1000
GUARD_DIGITS = 10
MAX_EXACT_STEPS = 3e8  # bit operations below which numbers that will be rounded are computed exactly: 300 slots of 3d6
MAX_EXACT_STEPS_FOR_DIGITS = 3e10

_Row: TypeAlias = Sequence[Any]  # of fractions or floats


class Expected(Struct, frozen=True):
    """Expected scores by strategy."""

    random: float | str
    optimal: float | str
    hindsight: float | str


class SolutionAnswer(Struct, frozen=True):
    """Multipliers, expected scores, and the rows E_1 to E_n, or the last of them alone."""

    dice: str
    slots: list[Written]
    expected: Expected
    thresholds: list[list[float | str]]


@query(SolutionAnswer)
def solve(
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    exact: Exact = False,
    digits: Annotated[
        int | None,
        Doc("Show this many significant digits.", metavar="N", least=1, most=MAX_DIGITS, lab_most=MAX_LAB_DIGITS),
    ] = None,
    last_row: Annotated[bool, Doc("Compute only the row E_n, in little memory: for very many slots.")] = False,
    method: Annotated[
        Literal["thresholds", "subsets"], Doc("Compute the value from thresholds, or from the table of all subsets.")
    ] = "thresholds",
    progress: Progress | None = None,
) -> SolutionAnswer:
    """Expected scores, and the thresholds that play the game.

    With k + 1 free slots, use the row with k thresholds: count the thresholds below the roll, and skip that many free
    slots from the lowest.
    """
    game = Game.parse(dice, slots)
    if exact and digits is not None:
        raise Ten18Error("cannot be combined with `exact`; give one of them", field="digits")
    by_subsets = method == "subsets"
    first, second, third = split_progress(progress, 2, 1, 4 if by_subsets else 0)
    rows, orders = _solve(game, exact, digits, last_row, first, second)
    is_long = exact or digits is not None
    if not by_subsets:
        optimal = _dot(game.multipliers, rows[-1])
    elif is_long:
        optimal = exact_subset_values(game, third)[-1]
    else:
        from tentimes18.solve.float_subsets import subset_values

        optimal = float(subset_values(game, third)[-1])
    write = writer(exact, digits)
    return SolutionAnswer(
        str(game.dice),
        [write(multiplier) if is_long else plain(multiplier) for multiplier in game.multipliers],
        Expected(write(game.dice.mean * sum(game.multipliers)), write(optimal), write(_dot(game.multipliers, orders))),
        [_written(row, write, digits) for row in (rows[-1:] if last_row else rows)],
    )


def _written(row: _Row, write: Callable[[Fraction | float], float | str], digits: int | None) -> list[float | str]:
    """The numbers of a row; those over one denominator are not brought to lowest terms first."""
    if isinstance(row, ExactRow):
        if digits is not None:
            return [ratio_text(numerator, row.denominator, digits) for numerator in row.numerators]
        if write is float:
            return list(row.floats())
    return [write(value) for value in row]


def _solve(
    game: Game, exact: bool, digits: int | None, last_row: bool, first: Progress | None, second: Progress | None
) -> tuple[Sequence[_Row], _Row]:
    """The rows of thresholds, the last of them at least, and the expected rolls under hindsight."""
    dice, n = game.dice, game.size
    # Numbers that will be rounded are computed exactly where that is quick: n²/2 thresholds, n rolls for hindsight.
    bits = 2000 + n * dice.total.bit_length()
    limit = MAX_EXACT_STEPS_FOR_DIGITS if digits else MAX_EXACT_STEPS
    if exact or bits * n * (n / 2 + 2 * len(dice.support)) <= limit:
        return exact_thresholds(dice, n, first), exact_order_statistics(dice, n, second)
    if digits:
        decimals = decimal_thresholds(dice, n, digits + GUARD_DIGITS, first)
        rows = [[Fraction(value) for value in row] for row in (decimals[-1:] if last_row else decimals)]
        return rows, exact_order_statistics(dice, n, second)
    from tentimes18.solve import float_thresholds

    floats = [float_thresholds.last_row(dice, n, first)] if last_row else float_thresholds.thresholds(dice, n)
    return [row.tolist() for row in floats], float_thresholds.order_statistics(dice, n, second).tolist()


def _dot(multipliers: Sequence[Number], row: _Row) -> Any:
    as_number = float if row and isinstance(row[0], float) else Fraction
    return sum(as_number(multiplier) * value for multiplier, value in zip(multipliers, row, strict=True))


class ClosestAnswer(Struct, frozen=True):
    """The closest calls of the first move and of the whole game, and all exact ties."""

    first_move: Sequence[ClosestCall]
    game: Sequence[ClosestCall]
    ties: Sequence[Tie]


@query(ClosestAnswer)
def closest(dice: DiceText = "3d6", slots: SlotsText = "1-10", progress: Progress | None = None) -> ClosestAnswer:
    """The closest calls: the moves whose runner-up loses least, and exact ties."""
    game = Game.parse(dice, slots)
    return ClosestAnswer(closest_calls(game, first_move=True), closest_calls(game, progress=progress), exact_ties(game))
