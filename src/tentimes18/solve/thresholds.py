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

The recurrence is an average, so it never enlarges the rounding error of the row before. So decimal rows are integers
over a power of ten with a few guard digits. `solve.float_thresholds` has the rows in float64, and
`assignment.thresholds` for any distribution with a φ.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias, overload

from tentimes18.dice import Dice
from tentimes18.errors import IllegalMove
from tentimes18.game import Game, Number, slots_of
from tentimes18.limits import check_size
from tentimes18.solve.parallel import Progress

KEPT_BYTES = 1.5e6  # rows up to this size stay in memory for the next call

Rule: TypeAlias = Callable[[int, int], int]
"""A slot for (free set, roll)."""


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
        return [N / self.denominator for N in self.numerators]

    def rank(self, roll: int) -> int:
        return 1 + bisect_left(self.numerators, roll * self.denominator)

    def highest_rank(self, roll: int) -> int:
        """The highest rank that is as good as ``rank``: it differs where the roll equals a threshold exactly."""
        return 1 + bisect_right(self.numerators, roll * self.denominator)

    def value(self, multipliers: Sequence[Number]) -> Fraction:
        """Σ λ_i E_j[i], the value of a free set with these multipliers, increasing."""
        dot = sum(multiplier * N for multiplier, N in zip(multipliers, self.numerators, strict=True))
        return Fraction(dot, self.denominator)


def exact_thresholds(dice: Dice, n: int, progress: Progress | None = None) -> tuple[ExactRow, ...]:
    """Rows E_1..E_n, exact; ``progress`` gets the work done and the total work.

    >>> [str(threshold) for threshold in exact_thresholds(Dice.parse("3d6"), 2)[1]]
    ['223/24', '281/24']
    """
    cells, bits = n * (n + 1) / 2, n * dice.total.bit_length()
    size = cells * (60 + bits / 12)  # an integer has two thirds of these bits on average
    if size <= KEPT_BYTES:
        return _kept_rows(dice, n)
    check_size(f"the table of exact thresholds for {n:,} slots", bytes=size, operations=cells * (500 + bits / 3))
    rows = []
    for j, row in enumerate(_exact_rows(dice, n), start=1):
        rows.append(row)
        if progress:
            progress(j**3, n**3)
    return tuple(rows)


@lru_cache(maxsize=256)
def _kept_rows(dice: Dice, n: int) -> tuple[ExactRow, ...]:
    return tuple(_exact_rows(dice, n))


def _exact_rows(dice: Dice, n: int) -> Iterator[ExactRow]:
    T = dice.total
    denominator = 1
    N: list[int] = []
    for _ in range(n):
        rolls = [denominator * roll for roll in dice.support]
        N = next_row(dice, rolls, denominator, N)
        denominator *= T
        yield ExactRow(tuple(N), denominator)


def next_row(dice: Dice, rolls: list[int], unit: int, N: list[int]) -> list[int]:
    """T N_{j+1} from N_j, where a roll x is written unit * x (the numbers of ``rolls``)."""
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


def value_of(game: Game, free: int) -> Fraction:
    """The value of a free set: the points that the best play makes of it on average.

    >>> value_of(Game.parse("1d6", "1,2"), 3)
    Fraction(45, 4)
    """
    return exact_thresholds(game.dice, free.bit_count())[-1].value(game.multipliers_of(free)) if free else Fraction(0)


class OptimalRule:
    """The slot that `optimal` takes; of equally good ones the one with the smaller number."""

    def __init__(self, game: Game) -> None:
        rows = exact_thresholds(game.dice, game.size)
        self.ranks = [{x: row.rank(x) for x in game.dice.support} for row in rows]
        self.first_equal = [bisect_left(game.multipliers, multiplier) for multiplier in game.multipliers]

    def __call__(self, free: int, roll: int) -> int:
        slots = slots_of(free)
        if not slots:
            raise IllegalMove("the board is full")
        rank = self.ranks[len(slots) - 2][roll] if len(slots) > 1 else 1
        first = self.first_equal[slots[rank - 1] - 1]
        return next(slot for slot in slots if slot > first)


@lru_cache(maxsize=16)
def optimal_rule(game: Game) -> OptimalRule:
    """The rule of `optimal` for a game.

    >>> optimal_rule(Game.classic())(Game.classic().all_free, 9)
    4
    """
    return OptimalRule(game)


def decimal_thresholds(dice: Dice, n: int, digits: int, progress: Progress | None = None) -> list[list[Decimal]]:
    """Rows E_1..E_n with any number of significant digits, the last one right to one unit.

    >>> print(decimal_thresholds(Dice.parse("3d6"), 10, 50)[-1][0])
    6.7200109753442607402536258953383896234642916069291
    """
    enough = digits + len(str(n)) + 4
    # A number that is not zero is at least 1 / T^n: this many places keep small ones apart from zero.
    most = enough + len(str(dice.total)) * n
    places = enough
    while True:
        cells = n * (n + 1) / 2
        job = f"the table of thresholds with {places:,} digits for {n:,} slots"
        check_size(job, bytes=cells * (200 + places), operations=cells * (1000 + places**2 / 60))
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
