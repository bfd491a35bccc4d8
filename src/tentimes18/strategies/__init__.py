"""Who plays: what a strategy is, and the strategies by name.

`strategy` has the protocol and the kinds of strategies, `named` all that have a name. `solved` has the tables that some
of them play by, and `front` compares them in a game. `user_code` alone runs code of the user's own: only a caller who
trusts the name may use it.

>>> from tentimes18 import Board, Game, named
>>> named("nearest").choose(Board(Game.classic()), 9)
4
"""
