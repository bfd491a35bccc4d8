"""E_j[i]: the polynomial strategy (the paper's section "Polynomial time and space").

Let X be a roll and E_j = (E_j[1] <= ... <= E_j[j]) the expected rolls in the j free slots under the best play, with
E_j[0] = -∞ and E_j[j+1] = +∞. With j+1 free slots, a roll x goes to the slot of rank i where E_j[i-1] <= x <= E_j[i]
(Derman, Lieberman and Ross 1972, Theorem 1), whatever the multipliers are. Seen from the slot of rank i, the roll x
either lands there, or lands below it (the slot becomes rank i-1 of j), or above it (it stays rank i): what the slot
can expect is x clamped to [E_j[i-1], E_j[i]], so

    E_{j+1}[i] = E[ clamp(X, E_j[i-1], E_j[i]) ] = φ(E_j[i]) + ψ(E_j[i-1]),
    φ(t) = E[min(X, t)],   ψ(t) = E[max(t - X, 0)] = t - φ(t),   φ(+∞) = E[X],   ψ(-∞) = 0.

That is O(1) a cell after one search for the place of E_j[i] among the rolls, and it uses nothing of X but φ.
The value of a free set with multipliers λ_1 <= ... <= λ_k is Σ λ_i E_k[i].

For dice with integer counts over a total T the rows are integers over T^j: with N_j[i] = T^j E_j[i], C(t) the count
and S(t) the sum of the rolls up to t,

    N_{j+1}[i] = T^j (S(E_j[i]) - S(E_j[i-1])) + (T - C(E_j[i])) N_j[i] + C(E_j[i-1]) N_j[i-1].
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar, overload

from tentimes18.dice import Dice
from tentimes18.errors import TooLarge
from tentimes18.game import Number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "ExactRow",
    "Law",
    "Progress",
    "decimal_thresholds",
    "exact_thresholds",
    "is_exact_sensible",
    "last_row",
    "law_arrays",
    "law_thresholds",
    "thresholds",
]

MAX_CELLS: Final = 50_000_000  # of a table of all rows: 400 MB of float64
MAX_LAST_ROW_SLOTS: Final = 400_000
ROWS_A_CALL: Final = 1_000  # between two reports of progress
KEPT_SLOTS: Final = 50  # tables up to this size are kept for the next call
MAX_DECIMAL_WORK: Final = 2e9  # cells times digits
MAX_EXACT_WORK: Final = 4e9  # cells times bits of the last denominator: about ten seconds

Progress: TypeAlias = Callable[[int, int], None]
Real = TypeVar("Real", float, Fraction)


class Law(Protocol[Real]):
    """All that the recurrence needs to know of a roll: its mean, and φ."""

    @property
    def mean(self) -> Real:
        """E[X]."""
        ...

    def phi(self, bound: Real, /) -> Real:
        """φ(t) = E[min(X, t)]."""
        ...


def law_thresholds(laws: Iterable[Law[Real]]) -> list[list[Real]]:
    """Rows E_1..E_n for any laws with a φ, continuous ones too; the j-th law is that of the roll with j slots free.

    A roll uniform on [0, 1] has φ(t) = t - t²/2:

    >>> class Uniform:
    ...     mean = Fraction(1, 2)
    ...     def phi(self, bound: Fraction) -> Fraction:
    ...         return bound - bound**2 / 2
    >>> [str(threshold) for threshold in law_thresholds([Uniform()] * 3)[-1]]
    ['39/128', '1/2', '89/128']
    """
    rows: list[list[Real]] = []
    E: list[Real] = []
    for law in laws:
        row = [law.phi(t) for t in E] + [law.mean]
        for i, t in enumerate(E):
            row[i + 1] += t - law.phi(t)
        rows.append(row)
        E = row
    return rows


@dataclass(frozen=True, slots=True)
class ExactRow(Sequence[Fraction]):
    """A row E_j as integers over one denominator, T^j; reads as a sequence of fractions.

    >>> row = exact_thresholds(Dice.parse("1d6"), 2)[1]
    >>> row.numerators, row.denominator, row[0]
    ((99, 153), 36, Fraction(11, 4))
    """

    numerators: tuple[int, ...]
    denominator: int

    @overload
    def __getitem__(self, i: int) -> Fraction: ...
    @overload
    def __getitem__(self, i: slice) -> list[Fraction]: ...
    def __getitem__(self, i: int | slice) -> Fraction | list[Fraction]:
        if isinstance(i, slice):
            return [Fraction(N, self.denominator) for N in self.numerators[i]]
        return Fraction(self.numerators[i], self.denominator)

    def __len__(self) -> int:
        return len(self.numerators)

    def floats(self) -> list[float]:
        """The row in float64, each number rounded correctly."""
        return [N / self.denominator for N in self.numerators]

    def rank(self, roll: int) -> int:
        """The rank, from 1, of the free slot that the roll goes to: 1 + the number of E_j[i] < roll.

        >>> exact_thresholds(Dice.parse("3d6"), 4)[-1].rank(9)
        2
        """
        return 1 + bisect_left(self.numerators, roll * self.denominator)

    def highest_rank(self, roll: int) -> int:
        """The highest rank that is as good as ``rank``: it differs where the roll equals a threshold exactly.

        >>> exact_thresholds(Dice.parse("1d3"), 1)[-1].highest_rank(2)
        2
        """
        return 1 + bisect_right(self.numerators, roll * self.denominator)

    def value(self, multipliers: Sequence[Number]) -> Fraction:
        """Σ λ_i E_j[i], the value of a free set with these multipliers, increasing.

        >>> float(exact_thresholds(Dice.parse("3d6"), 10)[-1].value(range(1, 11)))
        642.2393504256153
        """
        dot = sum(multiplier * N for multiplier, N in zip(multipliers, self.numerators, strict=True))
        return Fraction(dot, self.denominator)


def is_exact_sensible(dice: Dice, n: int, most: float = MAX_EXACT_WORK) -> bool:
    """Whether exact rows up to E_n take seconds and megabytes at most, or less where ``most`` is lower."""
    return n**3 / 2 * dice.total.bit_length() <= most


def exact_thresholds(dice: Dice, n: int) -> tuple[ExactRow, ...]:
    """Rows E_1..E_n, exact.

    >>> [str(threshold) for threshold in exact_thresholds(Dice.parse("3d6"), 2)[1]]
    ['223/24', '281/24']
    """
    if not is_exact_sensible(dice, n):
        raise TooLarge(
            f"exact numbers for {n} slots are {n * n // 2:,} fractions of up to "
            f"{n * dice.total.bit_length():,} bits; use fewer slots, or float64",
            field="slots",
        )
    return _kept_rows(dice, n) if n <= KEPT_SLOTS else tuple(_exact_rows(dice, n))


@lru_cache(maxsize=256)
def _kept_rows(dice: Dice, n: int) -> tuple[ExactRow, ...]:
    return tuple(_exact_rows(dice, n))


def _exact_rows(dice: Dice, n: int) -> Iterator[ExactRow]:
    T = dice.total
    denominator = 1
    N: list[int] = []
    for _ in range(n):
        rolls = [denominator * roll for roll in dice.support]
        N = _next_row(dice, rolls, denominator, N)
        denominator *= T
        yield ExactRow(tuple(N), denominator)


def _next_row(dice: Dice, rolls: list[int], unit: int, N: list[int]) -> list[int]:
    """T N_{j+1} from N_j, where a roll x stands as unit * x (the numbers of ``rolls``)."""
    T = dice.total
    row = []
    below = 0  # ψ(E_j[i-1])
    p = 0
    for t in N:
        p = bisect_right(rolls, t, p)
        C, S = dice.below(p)
        S *= unit
        row.append(S + (T - C) * t + below)
        below = C * t - S
    row.append(unit * dice.below(len(rolls))[1] + below)
    return row


def decimal_thresholds(dice: Dice, n: int, digits: int, progress: Progress | None = None) -> list[list[Decimal]]:
    """Rows E_1..E_n with any number of significant digits, the last one right to one unit.

    Integers over a power of ten with guard digits: every row loses less than one unit there, since the recurrence is
    an average and never enlarges an error.

    >>> print(decimal_thresholds(Dice.parse("3d6"), 10, 50)[-1][0])
    6.7200109753442607402536258953383896234642916069291
    """
    enough = digits + len(str(n)) + 4
    # A number that is not zero is at least 1 / T^n: with this many places the small ones are told from zero.
    most = enough + len(str(dice.total)) * n
    places = enough
    while True:
        if n * n / 2 * places > MAX_DECIMAL_WORK:
            raise TooLarge(
                f"{places} digits for {n} slots take {n * n / 2 * places:.1e} steps; use float64", field="slots"
            )
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
        N = [(numerator + dice.total // 2) // dice.total for numerator in _next_row(dice, rolls, unit, N)]
        rows.append(N)
        if progress:
            progress(j * j, n * n)
    return rows


def thresholds(dice: Dice, n: int) -> "list[NDArray[np.float64]]":
    """Rows E_1..E_n in float64.

    >>> [round(float(t), 3) for t in thresholds(Dice.parse("3d6"), 10)[4]]
    [7.765, 9.254, 10.5, 11.746, 13.235]
    """
    import numpy as np

    from tentimes18.kernels import thresholds as kernel

    cells = n * (n + 1) // 2
    if cells > MAX_CELLS:
        raise TooLarge(
            f"all rows for {n} slots are {cells:,} numbers ({cells * 8 / 1e9:.1f} GB), at most {MAX_CELLS:,}: "
            "take the last row only",
            field="slots",
        )
    table = np.empty(cells)
    kernel.all_rows(*law_arrays(dice), n, table)
    return [table[j * (j - 1) // 2 : j * (j + 1) // 2] for j in range(1, n + 1)]


def last_row(dice: Dice, n: int, progress: Progress | None = None) -> "NDArray[np.float64]":
    """The row E_n alone: n²/2 cells of work in O(n) memory; progress is told (cells done, cells).

    >>> row = last_row(Dice.parse("3d6"), 1000)
    >>> len(row), round(float(row[499] + row[500]), 9)
    (1000, 21.0)
    """
    import numpy as np

    from tentimes18.kernels import thresholds as kernel

    if n > MAX_LAST_ROW_SLOTS:
        raise TooLarge(
            f"{n} slots take {n * n / 2:.1e} steps; at most {MAX_LAST_ROW_SLOTS} slots are solved", field="slots"
        )
    law = law_arrays(dice)
    rows = np.empty((2, n))
    for first in range(0, n, ROWS_A_CALL):
        last = min(n, first + ROWS_A_CALL)
        kernel.last_row(*law, first, last, rows)
        if progress:
            progress(last * last, n * n)
    result: NDArray[np.float64] = rows[n & 1]
    return result


def law_arrays(dice: Dice) -> "tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]":
    """Rolls, C and S of the kernel: count and sum of the first p rolls over the total, each rounded once."""
    import numpy as np

    below = [dice.below(p) for p in range(len(dice.support) + 1)]
    return (
        np.array(dice.support, dtype=np.float64),
        np.array([C / dice.total for C, _ in below]),
        np.array([S / dice.total for _, S in below]),
    )
