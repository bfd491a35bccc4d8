"""What decisions are worth in Fractions: the regret and the luck of an environment before they are rounded.

They are the loss and the luck of the coach, from the same exact tables. Nothing is made before somebody asks.
"""

from fractions import Fraction

from tentimes18.coach.advice import advise
from tentimes18.coach.aims import Aim, Chance, Mean
from tentimes18.coach.losses import Worth
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Number, Position, slots_of
from tentimes18.solve.lattice import lattice_of

__all__ = ["ExactWorths"]


class ExactWorths:
    """By the mean, or by the chance of a target; raises ``Ten18Error`` where that is known in float64 only.

    >>> game = Game.parse("1d6", "1,2")
    >>> worths = ExactWorths(game, None)
    >>> worths.optimal, worths.luck(Board(game), 5), worths.regret(Board(game), 5, 1)
    (Fraction(45, 4), Fraction(9, 4), Fraction(3, 2))
    """

    def __init__(self, game: Game, target: Number | None) -> None:
        self.game = game
        self._aim: Aim = Mean() if target is None else Chance(game, target)

    @property
    def optimal(self) -> Fraction:
        """What the best play makes of the whole game, on average."""
        return _exact(self._aim.worth(Position(Board(self.game))))

    def luck(self, board: Board, roll: int) -> Fraction:
        """What a roll changes in the worth of a board."""
        return self._best(board, roll) - _exact(self._aim.worth(Position(board)))

    def regret(self, board: Board, roll: int, slot: int | None) -> Fraction:
        """What it gives up to place the roll of this board in a slot; without one, to end the game illegally."""
        if slot is not None:
            return _exact(advise(board, roll, self._aim).move(slot).loss)
        return self._best(board, roll) - (board.score if self._aim.target is None else 0) - self.illegal_reward(board)

    def illegal_reward(self, board: Board) -> Fraction:
        """The reward of an illegal action: for points the least that the free slots could get, but at most 0.

        >>> game = Game.parse("1d6-3", "1,2")
        >>> ExactWorths(game, None).illegal_reward(Board(game))
        Fraction(-6, 1)
        """
        if self._aim.target is not None:
            return Fraction(0)
        lows = lattice_of(self.game).lows
        return min(Fraction(0), sum((Fraction(lows[slot - 1]) for slot in slots_of(board.free)), Fraction(0)))

    def _best(self, board: Board, roll: int) -> Fraction:
        return _exact(advise(board, roll, self._aim).moves[0].worth)


def _exact(worth: Worth) -> Fraction:
    if isinstance(worth, Fraction):
        return worth
    raise Ten18Error("the chances of this game do not fit into exact numbers: regrets are known in float64 only", "aim")
