"""Millions of games, counted.

`run` says what is played and draws the rolls of one game, `drawing` those of many, `players` turn rolls into scores,
`games` counts them, and tests how well the counts follow a distribution. `work` cuts them into chunks, for this machine
or a `cluster`. `rollout` compares the moves of one position, and `tournament` judges who beats whom. `duel_players` is
for players who look at other boards, and `gpu_games` plays on a GPU.
"""

from tentimes18.files import modules_of

__getattr__, __dir__ = modules_of(__name__, __path__)
