"""The game solved: expected scores, and the thresholds that play it, as precise as asked for.

Up to some hundred slots plain numbers are exact ones, rounded once; beyond, they are computed in float64. Decimals are
exact as well where that is sensible, and else computed with guard digits.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias, TypedDict

from tentimes18.answers.numbers import Written, plain, writer
from tentimes18.errors import TooLarge
from tentimes18.game import Game, Number
from tentimes18.solve.decimal_thresholds import decimal_thresholds
from tentimes18.solve.hindsight import exact_order_statistics
from tentimes18.solve.hindsight import is_exact_sensible as are_exact_orders_sensible
from tentimes18.solve.layers import Progress
from tentimes18.solve.subsets import exact_subset_values, verify_subset_size
from tentimes18.solve.thresholds import ExactRow, exact_thresholds, is_exact_sensible

__all__ = ["Expected", "SolutionAnswer", "solution"]

MAX_NUMBERS: Final = 5_000_000
GUARD_DIGITS: Final = 10
ROUNDED_EXACT_WORK: Final = 1.5e8  # up to here (300 slots of 3d6) float64 results are exact ones, rounded once
DECIMAL_EXACT_WORK: Final = 4e9

_Row: TypeAlias = Sequence[Any]  # of fractions, or of numpy's floats


class Expected(TypedDict):
    """Expected scores by strategy."""

    random: float | str
    optimal: float | str
    hindsight: float | str


class SolutionAnswer(TypedDict):
    """Multipliers, expected scores, and the rows E_1 to E_n, or the last of them alone."""

    dice: str
    slots: list[Written]
    expected: Expected
    thresholds: list[list[float | str]]


def solution(
    game: Game,
    *,
    exact: bool = False,
    digits: int | None = None,
    last_row: bool = False,
    by_subsets: bool = False,
    progress: Progress | None = None,
) -> SolutionAnswer:
    """The game solved: every number as a float, or ``exact`` as p/q, or with so many ``digits``.

    ``by_subsets`` takes the value of the best play from the table over all free sets, not from thresholds.

    >>> solution(Game.parse("1d6", "1,2"), exact=True)["expected"]
    {'random': '21/2', 'optimal': '45/4', 'hindsight': '413/36'}
    """
    n = game.size
    if by_subsets:
        verify_subset_size(game)
    if not last_row and n * (n + 1) // 2 > MAX_NUMBERS:
        raise TooLarge(
            f"all rows for {n} slots are {n * (n + 1) // 2:,} numbers, at most {MAX_NUMBERS:,}: "
            "take the last row, E_n, alone",
            field="slots",
        )
    rows, orders = _solve(game, exact=exact, digits=digits, last_row=last_row, progress=progress)
    optimal = (
        _by_subsets(game, is_exact=exact or digits is not None, progress=progress)
        if by_subsets
        else _dot(game.multipliers, rows[-1])
    )
    write = writer(exact, digits)
    return {
        "dice": str(game.dice),
        "slots": [write(multiplier) if exact or digits else plain(multiplier) for multiplier in game.multipliers],
        "expected": {
            "random": write(game.dice.mean * sum(game.multipliers)),
            "optimal": write(optimal),
            "hindsight": write(_dot(game.multipliers, orders)),
        },
        "thresholds": [
            list(row.floats()) if isinstance(row, ExactRow) and write is float else [write(value) for value in row]
            for row in (rows[-1:] if last_row else rows)
        ],
    }


def _solve(
    game: Game, *, exact: bool, digits: int | None, last_row: bool, progress: Progress | None
) -> tuple[Sequence[_Row], _Row]:
    """The rows of thresholds, the last of them at least, and the expected rolls under hindsight."""
    dice, n = game.dice, game.size
    work = DECIMAL_EXACT_WORK if digits else ROUNDED_EXACT_WORK
    if exact or (are_exact_orders_sensible(dice, n) and is_exact_sensible(dice, n, work)):
        return exact_thresholds(dice, n), exact_order_statistics(dice, n)
    if digits:
        decimals = decimal_thresholds(dice, n, digits + GUARD_DIGITS, progress)
        rows = [[Fraction(value) for value in row] for row in (decimals[-1:] if last_row else decimals)]
        return rows, exact_order_statistics(dice, n)
    return _in_float64(game, last_row=last_row, progress=progress)


def _in_float64(game: Game, *, last_row: bool, progress: Progress | None) -> tuple[Sequence[_Row], _Row]:
    from tentimes18.solve.float_hindsight import order_statistics
    from tentimes18.solve.float_thresholds import last_row as last_row_of
    from tentimes18.solve.float_thresholds import thresholds

    dice, n = game.dice, game.size
    rows = [last_row_of(dice, n, progress)] if last_row else thresholds(dice, n)
    return [row.tolist() for row in rows], order_statistics(dice, n).tolist()


def _by_subsets(game: Game, *, is_exact: bool, progress: Progress | None) -> Fraction | float:
    if is_exact:
        return exact_subset_values(game)[game.all_free]
    from tentimes18.solve.float_subsets import subset_values

    return float(subset_values(game, progress)[game.all_free])


def _dot(multipliers: Sequence[Number], row: _Row) -> Any:
    if row and isinstance(row[0], float):
        return sum(float(multiplier) * value for multiplier, value in zip(multipliers, row, strict=True))
    return sum(multiplier * value for multiplier, value in zip(multipliers, row, strict=True))
