"""The rows E_1..E_n of `solve.thresholds` with any number of digits.

Integers over a power of ten with guard digits: every row loses less than one unit there, since the recurrence is an
average and never enlarges an error.
"""

from decimal import Context, Decimal
from typing import Final

from tentimes18.dice import Dice
from tentimes18.plan import Plan, admit
from tentimes18.solve.layers import Progress
from tentimes18.solve.thresholds import next_row

__all__ = ["decimal_plan", "decimal_thresholds"]

SECONDS_A_CELL: Final = 1e-6
SECONDS_A_DIGIT_SQUARED: Final = 1.6e-11  # of a cell, as a decimal


def decimal_plan(n: int, places: int) -> Plan:
    """What rows up to E_n with so many places take."""
    cells = n * (n + 1) / 2
    return Plan(
        f"the table of thresholds with {places:,} digits for {n:,} slots",
        seconds=cells * (SECONDS_A_CELL + SECONDS_A_DIGIT_SQUARED * places**2),
        memory=cells * (200 + places),
    )


def decimal_thresholds(dice: Dice, n: int, digits: int, progress: Progress | None = None) -> list[list[Decimal]]:
    """Rows E_1..E_n with any number of significant digits, the last one right to one unit.

    >>> print(decimal_thresholds(Dice.parse("3d6"), 10, 50)[-1][0])
    6.7200109753442607402536258953383896234642916069291
    """
    enough = digits + len(str(n)) + 4
    # A number that is not zero is at least 1 / T^n: with this many places the small ones are told from zero.
    most = enough + len(str(dice.total)) * n
    places = enough
    while True:
        admit(decimal_plan(n, places), instead="float64 needs no such numbers")
        rows = _decimal_rows(dice, n, places, progress)
        least = min(abs(N) for row in rows for N in row)
        if least >= 10**enough or places >= most:
            break
        places = min(most, 2 * places)
    context = Context(prec=digits)
    wide = Context(prec=places + len(str(max(map(abs, dice.support)))))
    return [[context.plus(Decimal(N if abs(N) > n else 0).scaleb(-places, wide)) for N in row] for row in rows]


def _decimal_rows(dice: Dice, n: int, places: int, progress: Progress | None) -> list[list[int]]:
    unit = 10**places
    rolls = [unit * roll for roll in dice.support]
    rows: list[list[int]] = []
    N: list[int] = []
    for j in range(1, n + 1):
        N = [(numerator + dice.total // 2) // dice.total for numerator in next_row(dice, rolls, unit, N)]
        rows.append(N)
        if progress:
            progress(j * j, n * n)
    return rows
