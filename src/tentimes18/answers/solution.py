"""The game solved: expected scores, and the thresholds that play it, as precise as asked for.

Up to some hundred slots plain numbers are exact ones, rounded once; beyond, they are computed in float64. Decimals are
exact as well where that is sensible, and else computed with guard digits.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias, TypedDict

from tentimes18.game import Game, Number
from tentimes18.plan import Limits, Plan, admit_game, fraction_seconds, kept_together
from tentimes18.queries.json_numbers import Written, plain, ratio_text, writer
from tentimes18.solve.decimal_thresholds import decimal_plan, decimal_thresholds
from tentimes18.solve.hindsight import exact_order_statistics, order_plan
from tentimes18.solve.layers import Progress, stages
from tentimes18.solve.subsets import INSTEAD, exact_subset_plan, exact_subset_values, subset_plan
from tentimes18.solve.thresholds import ExactRow, exact_plan, exact_thresholds

__all__ = ["Expected", "SolutionAnswer", "solution", "solution_plan"]

GUARD_DIGITS: Final = 10
ROUNDED_EXACT_SECONDS: Final = 0.1  # up to here (300 slots of 3d6) float64 results are exact ones, rounded once
DECIMAL_EXACT_SECONDS: Final = 10.0
SECONDS_A_NUMBER: Final = 1e-6  # written
BYTES_A_NUMBER: Final = 120
SECONDS_A_BIT_SQUARED: Final = 1.1e-12  # of an integer that is written in decimals

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
    limits: Limits | None = None,
) -> SolutionAnswer:
    """The game solved: every number as a float, or ``exact`` as p/q, or with so many ``digits``.

    ``by_subsets`` takes the value of the best play from the table over all free sets, not from thresholds.

    >>> solution(Game.parse("1d6", "1,2"), exact=True)["expected"]
    {'random': '21/2', 'optimal': '45/4', 'hindsight': '413/36'}
    """
    hints = (
        INSTEAD if by_subsets else "",
        "" if last_row or by_subsets else "the last row, E_n, alone needs less",
        "plain numbers need less" if exact or digits else "",
    )
    admit_game(
        game,
        lambda part: solution_plan(part, exact=exact, digits=digits, last_row=last_row, by_subsets=by_subsets),
        limits,
        instead="; ".join(hint for hint in hints if hint),
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
        "thresholds": [_written(row, write, digits) for row in (rows[-1:] if last_row else rows)],
    }


def _written(row: _Row, write: Callable[[Fraction | float], float | str], digits: int | None) -> list[float | str]:
    """The numbers of a row; those over one denominator are not brought to lowest terms first."""
    if isinstance(row, ExactRow):
        if digits is not None:
            return [ratio_text(numerator, row.denominator, digits) for numerator in row.numerators]
        if write is float:
            return list(row.floats())
    return [write(value) for value in row]


def solution_plan(
    game: Game, *, exact: bool = False, digits: int | None = None, last_row: bool = False, by_subsets: bool = False
) -> Plan:
    """What the answer takes: the rows, the expected rolls under hindsight, and to write all these numbers."""
    dice, n = game.dice, game.size
    numbers = float(n if last_row else n * (n + 1) / 2)
    bits = n * dice.total.bit_length()
    parts = []
    if exact or _is_exact_sensible(game, digits):
        parts += [exact_plan(dice, n), order_plan(dice, n)]
    elif digits:
        parts += [decimal_plan(n, digits + GUARD_DIGITS), order_plan(dice, n)]
    else:
        parts.append(_float_plan(game, last_row=last_row))
    if exact:  # as fractions of integers with two thirds of these bits on average
        seconds = fraction_seconds(2 / 3 * bits) + SECONDS_A_BIT_SQUARED * bits**2
        parts.append(Plan("the fractions", numbers * seconds, numbers * bits))
    if by_subsets:
        parts.append(exact_subset_plan(game) if exact or digits else subset_plan(game))
    parts.append(Plan("the numbers", SECONDS_A_NUMBER * numbers, (BYTES_A_NUMBER + 2 * (digits or 0)) * numbers))
    return kept_together(f"the solution for {n:,} slots", *parts)


def _is_exact_sensible(game: Game, digits: int | None) -> bool:
    """Whether numbers that will be rounded are computed exactly."""
    most = DECIMAL_EXACT_SECONDS if digits else ROUNDED_EXACT_SECONDS
    return exact_plan(game.dice, game.size).seconds <= most and order_plan(game.dice, game.size).seconds <= most


def _float_plan(game: Game, *, last_row: bool) -> Plan:
    from tentimes18.solve.float_hindsight import order_plan as float_order_plan
    from tentimes18.solve.float_thresholds import last_row_plan, thresholds_plan

    rows = (last_row_plan if last_row else thresholds_plan)(game.dice, game.size)
    return kept_together(rows.what, rows, float_order_plan(game.dice, game.size))


def _solve(
    game: Game, *, exact: bool, digits: int | None, last_row: bool, progress: Progress | None
) -> tuple[Sequence[_Row], _Row]:
    """The rows of thresholds, the last of them at least, and the expected rolls under hindsight."""
    dice, n = game.dice, game.size
    if exact or _is_exact_sensible(game, digits):
        first, second = stages(progress, exact_plan(dice, n), order_plan(dice, n))
        return exact_thresholds(dice, n, first), exact_order_statistics(dice, n, second)
    if digits:
        first, second = stages(progress, decimal_plan(n, digits + GUARD_DIGITS), order_plan(dice, n))
        decimals = decimal_thresholds(dice, n, digits + GUARD_DIGITS, first)
        rows = [[Fraction(value) for value in row] for row in (decimals[-1:] if last_row else decimals)]
        return rows, exact_order_statistics(dice, n, second)
    return _in_float64(game, last_row=last_row, progress=progress)


def _in_float64(game: Game, *, last_row: bool, progress: Progress | None) -> tuple[Sequence[_Row], _Row]:
    from tentimes18.solve.float_hindsight import order_plan, order_statistics
    from tentimes18.solve.float_thresholds import last_row as last_row_of
    from tentimes18.solve.float_thresholds import last_row_plan, thresholds, thresholds_plan

    dice, n = game.dice, game.size
    plans = (last_row_plan if last_row else thresholds_plan)(dice, n), order_plan(dice, n)
    first, second = stages(progress, *plans)
    rows = [last_row_of(dice, n, first)] if last_row else thresholds(dice, n)
    return [row.tolist() for row in rows], order_statistics(dice, n, second).tolist()


def _by_subsets(game: Game, *, is_exact: bool, progress: Progress | None) -> Fraction | float:
    if is_exact:
        return exact_subset_values(game, progress)[game.all_free]
    from tentimes18.solve.float_subsets import subset_values

    return float(subset_values(game, progress)[game.all_free])


def _dot(multipliers: Sequence[Number], row: _Row) -> Any:
    if row and isinstance(row[0], float):
        return sum(float(multiplier) * value for multiplier, value in zip(multipliers, row, strict=True))
    return sum(multiplier * value for multiplier, value in zip(multipliers, row, strict=True))
