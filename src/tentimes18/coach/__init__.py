"""The coach: what a move is worth, what it gives up, and how a player gets on.

`units` says what worths are counted in, `classes` from best to blunder what a loss is called, `aims` what moves are
measured by. `advice` is about one roll, `review` about one played game, `summary` about many. `drill` asks positions,
`past_errors` finds those where a player erred, and `schedule` says when one comes back.

What every coach needs stands here as well, and loads nothing heavy:

>>> from tentimes18.coach import advise, classify
>>> from tentimes18.game import Board, Game
>>> board = Board(Game.parse("1d6", "1-3"))
>>> [classify(move.loss).name for move in advise(board, 5).moves]
['best', 'good', 'mistake']
"""

from tentimes18.coach.advice import Advice, Move, advise, advise_slots, reason
from tentimes18.coach.aims import Aim, aim_named
from tentimes18.coach.classes import CLASSES, MoveClass, classify
from tentimes18.coach.units import Unit, Worth

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
