"""What the moves of a game lose by the mean, exactly, from the thresholds alone: for whoever has many games to measure.

With k free slots f_1 < f_2 < ... and E the row of k - 1 thresholds, the best rank of a roll x is 1 + #{i : E[i] < x}. A
move that is some ranks off the best loses Σ (λ_{f_{t+1}} - λ_{f_t}) |x - E[t]| over the ranks between, and a move was a
choice where some step costs something. The rows are integers over one denominator, so a game takes some ten
microseconds a move, without compiled code; `coach.review` tells the same numbers, and much more, in twenty times that.
"""

from fractions import Fraction
from typing import NamedTuple

from tentimes18.coach.classes import MoveClass, classify
from tentimes18.game import Board, Number
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["MoveCost", "costs_of"]


class MoveCost(NamedTuple):
    """What a move lost, and whether some other slot would have lost more or less."""

    loss: Fraction
    is_choice: bool

    @property
    def move_class(self) -> MoveClass:
        """From best to blunder."""
        return classify(self.loss)


def costs_of(board: Board) -> list[MoveCost]:
    """What each move on a board lost against the best one, in the order of play.

    >>> from tentimes18.game import Game
    >>> costs_of(Board.replay(Game.parse("1d6", "1,2"), [(5, 1), (4, 2)]))
    [MoveCost(loss=Fraction(3, 2), is_choice=True), MoveCost(loss=Fraction(0, 1), is_choice=False)]
    """
    game = board.game
    free = list(range(game.size))
    rows = exact_thresholds(game.dice, game.size)
    found = []
    for roll, slot in board.placements:
        rank = free.index(slot - 1)
        if len(free) == 1:
            found.append(MoveCost(Fraction(0), is_choice=False))
            break
        row = rows[len(free) - 2]
        scaled = roll * row.denominator
        best, equal = row.rank(roll) - 1, row.highest_rank(roll) - 1
        first, last = min(rank, best), max(rank, best)
        lost: Number = 0
        is_choice = False
        for t, numerator in enumerate(row.numerators):
            step = game.multipliers[free[t + 1]] - game.multipliers[free[t]]
            if step and not best <= t < equal:
                is_choice = True
                if first <= t < last:
                    lost += step * abs(scaled - numerator)
        found.append(MoveCost(Fraction(lost, row.denominator), is_choice))
        del free[rank]
    return found
