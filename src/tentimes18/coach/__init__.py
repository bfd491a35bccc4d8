"""The coach: what a move is worth, what it loses, and how a player gets on.

`losses` has the one implementation of a loss in points, `aims` what else moves can be measured by. `advice` is about
one roll, `review` about one played game, `summary` about many, `skill` about the player; `drill` asks positions.

>>> from tentimes18.coach import advise, classify
>>> from tentimes18.game import Board, Game
>>> board = Board(Game.parse("1d6", "1-3"))
>>> [classify(move.loss).name for move in advise(board, 5).moves]
['best', 'good', 'mistake']
"""

from tentimes18.coach.advice import Advice, Move, advise, advise_slots, reason
from tentimes18.coach.aims import Aim, aim_named
from tentimes18.coach.losses import CLASSES, MoveClass, Unit, Worth, classify

__all__ = [
    "CLASSES",
    "Advice",
    "Aim",
    "Move",
    "MoveClass",
    "Unit",
    "Worth",
    "advise",
    "advise_slots",
    "aim_named",
    "classify",
    "reason",
]
