"""Ten times eighteen, solved: exact play for the dice game and for sequential stochastic assignment.

>>> from tentimes18 import Game, advise
>>> game = Game.classic()
>>> advise(game, game.all_free, roll=9).best
4
"""

from tentimes18.coach import Advice, Move, advise
from tentimes18.dice import Dice
from tentimes18.errors import IllegalMove, InvalidDice, InvalidGame, Ten18Error, TooLarge
from tentimes18.game import Board, Game, Placement, mask_of, slots_of
from tentimes18.solve.closest import ClosestCall, Tie, closest_calls, exact_ties
from tentimes18.solve.hindsight import exact_order_statistics, order_statistics
from tentimes18.solve.subsets import exact_subset_values, subset_values
from tentimes18.solve.thresholds import (
    ExactRow,
    Law,
    decimal_thresholds,
    exact_thresholds,
    last_row,
    law_thresholds,
    thresholds,
)
from tentimes18.strategies import Strategy, named, play

__all__ = [
    "Advice",
    "Board",
    "ClosestCall",
    "Dice",
    "ExactRow",
    "Game",
    "IllegalMove",
    "InvalidDice",
    "InvalidGame",
    "Law",
    "Move",
    "Placement",
    "Strategy",
    "Ten18Error",
    "Tie",
    "TooLarge",
    "advise",
    "closest_calls",
    "decimal_thresholds",
    "exact_order_statistics",
    "exact_subset_values",
    "exact_thresholds",
    "exact_ties",
    "last_row",
    "law_thresholds",
    "mask_of",
    "named",
    "order_statistics",
    "play",
    "slots_of",
    "subset_values",
    "thresholds",
]
