"""What a move loses, exactly: the one implementation, from the thresholds alone.

Advice, reviews, summaries of many games, drills and environments all take it from here.

With k free slots of multipliers λ_1 <= ... <= λ_k and E the row of k - 1 thresholds (`solve.thresholds`), placing the
roll x in the slot of rank r is worth

    w(1) = λ_1 x + Σ_{t >= 2} λ_t E[t - 1],    w(r + 1) = w(r) + (λ_{r+1} - λ_r)(x - E[r]),

and loses max w - w(r). The row is integers over one denominator, and so are the worths. A loss is counted in points, or
as a chance where moves are measured by one (`coach.aims`).
"""

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from itertools import accumulate
from operator import mul, sub
from typing import NamedTuple, TypeAlias

from tentimes18.game import Board, Game, Number, slots_of
from tentimes18.solve.thresholds import ExactRow, exact_thresholds

ROUNDING = 1e-12  # of worths in float64

Worth: TypeAlias = Fraction | float
"""What a position or a move is worth, and differences of that: points, or a chance from 0 to 1."""


class Unit(Enum):
    """Points or a chance; the value is what a worth is multiplied by where people read it."""

    points = 1
    chance = 100

    def counted(self, worth: Worth) -> float:
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
    """The class of a move with this loss; a chance is counted in percent."""
    if not loss:
        return CLASSES[0]
    counted = unit.value * loss
    rounding = 0 if isinstance(loss, int | Fraction) else 100 * ROUNDING
    return next(move_class for move_class in reversed(CLASSES) if counted >= move_class.least - rounding)


def difference(worth: Worth, other: Worth) -> Worth:
    """One worth minus another; in float64, 0 where it is no more than rounding."""
    result = worth - other
    return result if isinstance(result, Fraction) or abs(result) > ROUNDING else 0.0


def values_by_rows(game: Game, free: int, roll: int, rows: Sequence[ExactRow]) -> dict[int, Fraction]:
    """The points of placing the roll in each slot of the free set and playing on best.

    ``rows`` are the thresholds E_1, E_2, ... for at least one slot less.
    """
    slots = slots_of(free)
    numerators, denominator = _numerators(game.multipliers_of(free), roll, rows)
    return {slot: Fraction(value, denominator) for slot, value in zip(slots, numerators, strict=True)}


def _numerators(multipliers: Sequence[Number], roll: int, rows: Sequence[ExactRow]) -> tuple[list[Number], int]:
    """The values of placing the roll in each free slot, over one denominator."""
    if len(multipliers) == 1:
        return [multipliers[0] * roll], 1
    row = rows[len(multipliers) - 2]
    scaled = roll * row.denominator
    first = multipliers[0] * scaled + sum(map(mul, multipliers[1:], row.numerators))
    steps = map(mul, map(sub, multipliers[1:], multipliers), [scaled - threshold for threshold in row.numerators])
    return list(accumulate(steps, initial=first)), row.denominator


class Decision(NamedTuple):
    """A roll to place: the loss of each free slot, the first best slot, and the luck of the roll, all in points.

    Losses are integers, or fractions where multipliers are, over ``denominator``.
    """

    losses: dict[int, Number]
    denominator: int
    best: int
    luck: Fraction

    def loss(self, slot: int) -> Fraction:
        return Fraction(self.losses[slot], self.denominator)

    @property
    def is_choice(self) -> bool:
        """Whether some slot would lose something."""
        return any(self.losses.values())


def decide(game: Game, free: int, roll: int, rows: Sequence[ExactRow]) -> Decision:
    """The decision for a roll with these free slots, from the rows of thresholds for all of them."""
    slots, multipliers = slots_of(free), game.multipliers_of(free)
    values, denominator = _numerators(multipliers, roll, rows)
    best = max(values)
    losses = {slot: best - value for slot, value in zip(slots, values, strict=True)}
    row = rows[len(slots) - 1]  # its denominator is that of the values, times the total of the dice
    before = sum(map(mul, multipliers, row.numerators))
    luck = Fraction(best * game.dice.total - before, row.denominator)
    return Decision(losses, denominator, slots[values.index(best)], luck)


class MoveLoss(NamedTuple):
    """What a move lost, and whether some other slot would have lost more or less."""

    loss: Fraction
    is_choice: bool

    @property
    def move_class(self) -> MoveClass:
        return classify(self.loss)


def board_losses(board: Board) -> list[MoveLoss]:
    """What each move on a board lost in points against the best one, in the order of play."""
    game, free, losses = board.game, board.game.all_free, []
    rows = exact_thresholds(game.dice, game.size)
    for roll, slot in board.placements:
        decision = decide(game, free, roll, rows)
        losses.append(MoveLoss(decision.loss(slot), decision.is_choice))
        free ^= 1 << slot - 1
    return losses
