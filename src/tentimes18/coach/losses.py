"""What a move loses, exactly: the one implementation, from the thresholds alone.

With k free slots of multipliers λ_1 <= ... <= λ_k and E the row of k - 1 thresholds (`solve.thresholds`), placing the
roll x in the slot of rank r is worth

    w(1) = λ_1 x + Σ_{t >= 2} λ_t E[t - 1],    w(r + 1) = w(r) + (λ_{r+1} - λ_r)(x - E[r]),

and loses max w - w(r). The row is integers over one denominator, and so are the worths. A loss is counted in points, or
as a chance where moves are measured by one (`coach.aims`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import NamedTuple, TypeAlias

from tentimes18.game import Board, Game, Number, slots_of
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import ExactRow, exact_thresholds

ROUNDING = 1e-12  # of worths in float64

Worth: TypeAlias = Fraction | float
"""What a position or a move is worth, and differences of that: points, or a chance from 0 to 1."""


class Unit(Enum):
    """Points or a chance; the value is what a worth is multiplied by where people read it.

    >>> Unit.chance.counted(0.031), Unit.points.counted(Fraction(16, 5))
    (3.1, 3.2)
    """

    points = 1
    chance = 100

    @classmethod
    def of(cls, target: object) -> "Unit":
        """What is counted where there is a target, or none."""
        return cls.points if target is None else cls.chance

    def counted(self, worth: Worth) -> float:
        """The number that people read: points, or percent."""
        return float(self.value * worth)


class MoveClass(NamedTuple):
    """A class of moves: its name, its mark, and the least that a move of it loses, in points or in percent."""

    name: str
    mark: str
    least: Fraction


CLASSES = (
    MoveClass("best", "", Fraction(0)),
    MoveClass("fine", "", Fraction(0)),
    MoveClass("good", "", Fraction(1, 4)),
    MoveClass("inaccuracy", "?!", Fraction(1)),
    MoveClass("mistake", "?", Fraction(3)),
    MoveClass("blunder", "??", Fraction(8)),
)
"""The one table of classes: a best move loses nothing, a fine one anything above."""

ERROR = next(place for place, move_class in enumerate(CLASSES) if move_class.mark)
"""The place in CLASSES of the first class that is an error: those with a mark."""


def classify(loss: Worth, unit: Unit = Unit.points) -> MoveClass:
    """The class of a move with this loss; a chance is counted in percent.

    >>> classify(Fraction(0)).name, classify(1).mark, classify(0.031, Unit.chance).mark
    ('best', '?!', '?')
    """
    if not loss:
        return CLASSES[0]
    counted = unit.value * loss
    rounding = 0 if isinstance(loss, int | Fraction) else 100 * ROUNDING
    return next(move_class for move_class in reversed(CLASSES) if counted >= move_class.least - rounding)


def difference(worth: Worth, other: Worth) -> Worth:
    """One worth minus another; in float64, 0 where it is no more than rounding."""
    result = worth - other
    return result if isinstance(result, Fraction) or abs(result) > ROUNDING else 0.0


@dataclass(frozen=True, slots=True)
class MoveValues:
    """The points of placing a roll in each free slot and of the best play after it, as numerators over one denominator.

    >>> values = move_values(Game.parse("1d6", "1,2"), 0b11, 5)
    >>> values.slots, values.numerators, values.denominator, values.loss(1)
    ((1, 2), (72, 81), 6, Fraction(3, 2))
    """

    slots: tuple[int, ...]
    numerators: tuple[Number, ...]
    denominator: int

    @property
    def best(self) -> Number:
        """The largest numerator."""
        return max(self.numerators)

    @property
    def best_slots(self) -> list[int]:
        """Every slot that loses nothing."""
        best = self.best
        return [slot for slot, numerator in zip(self.slots, self.numerators, strict=True) if numerator == best]

    @property
    def is_choice(self) -> bool:
        """Whether some slot loses something."""
        return min(self.numerators) != self.best

    def points(self) -> dict[int, Fraction]:
        """The points by slot."""
        fractions = (Fraction(numerator, self.denominator) for numerator in self.numerators)
        return dict(zip(self.slots, fractions, strict=True))

    def loss(self, slot: int) -> Fraction:
        """What a slot loses against the best one."""
        return Fraction(self.best - self.numerators[self.slots.index(slot)], self.denominator)


def move_values(game: Game, free: int, roll: int, progress: Progress | None = None) -> MoveValues:
    """The value of every move for a roll when these slots are free."""
    game.verify_mask(free)
    game.verify_roll(roll)
    k = free.bit_count()
    rows = exact_thresholds(game.dice, k - 1, progress) if k > 1 else ()
    return values_by_rows(game, free, roll, rows)


def values_by_rows(game: Game, free: int, roll: int, rows: Sequence[ExactRow]) -> MoveValues:
    """The same, where the rows of thresholds E_1, E_2, ... are at hand, at least for one slot less."""
    multipliers, slots = game.multipliers_of(free), slots_of(free)
    if len(slots) == 1:
        return MoveValues(slots, (multipliers[0] * roll,), 1)
    row = rows[len(slots) - 2]
    value = multipliers[0] * roll * row.denominator + sum(map(mul, multipliers[1:], row.numerators))
    numerators = tuple(value + numerator for numerator in _against_the_first(multipliers, roll, row))
    return MoveValues(slots, numerators, row.denominator)


def _against_the_first(multipliers: Sequence[Number], roll: int, row: ExactRow) -> list[Number]:
    """By how much each free slot is better than the first one for a roll, as numerators."""
    scaled = roll * row.denominator
    steps = (
        (high - low) * (scaled - E) for low, high, E in zip(multipliers, multipliers[1:], row.numerators, strict=False)
    )
    return list(accumulate(steps, initial=0))


class MoveLoss(NamedTuple):
    """What a move lost, and whether some other slot would have lost more or less."""

    loss: Fraction
    is_choice: bool

    @property
    def move_class(self) -> MoveClass:
        """From best to blunder."""
        return classify(self.loss)


def board_losses(board: Board) -> list[MoveLoss]:
    """What each move on a board lost in points against the best one, in the order of play.

    >>> board_losses(Board.replay(Game.parse("1d6", "1,2"), [(5, 1), (4, 2)]))
    [MoveLoss(loss=Fraction(3, 2), is_choice=True), MoveLoss(loss=Fraction(0, 1), is_choice=False)]
    """
    multipliers, free = list(board.game.multipliers), list(range(1, board.game.size + 1))
    rows = exact_thresholds(board.game.dice, board.game.size)
    losses = []
    for roll, slot in board.placements:
        loss, is_choice, place = _NOTHING, False, free.index(slot)
        if len(free) > 1:
            row = rows[len(free) - 2]
            values = _against_the_first(multipliers, roll, row)
            best = max(values)
            is_choice = min(values) != best
            if values[place] != best:
                loss = Fraction(best - values[place], row.denominator)
        losses.append(MoveLoss(loss, is_choice))
        del free[place], multipliers[place]
    return losses


_NOTHING = Fraction(0)
