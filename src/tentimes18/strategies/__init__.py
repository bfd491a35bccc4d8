"""Who plays: what a strategy is, and the strategies by name.

`strategy` has the protocol and the kinds of strategies, `named` all that have a name. `solved` has the tables that some
of them play by, and `front` compares them in a game. `user_code` alone runs code of the user's own: only a caller who
trusts the name may use it.

>>> from tentimes18.game import Board, Game
>>> named("nearest").choose(Board(Game.classic()), 9)
4
"""

from tentimes18.strategies.named import UnknownStrategy, bands, greedy, named, nearest, rule_named
from tentimes18.strategies.strategy import (
    Hindsight,
    KnownStrategy,
    ObjectiveStrategy,
    RandomSlot,
    RuleStrategy,
    Strategy,
    play_game,
    score_distribution,
)

__all__ = [
    "Hindsight",
    "KnownStrategy",
    "ObjectiveStrategy",
    "RandomSlot",
    "RuleStrategy",
    "Strategy",
    "UnknownStrategy",
    "bands",
    "greedy",
    "named",
    "nearest",
    "play_game",
    "rule_named",
    "score_distribution",
]
