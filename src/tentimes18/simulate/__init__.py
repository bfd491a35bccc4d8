"""Millions of games, counted.

`run` says what is played and draws the rolls of one game, `drawing` those of many, `players` turn rolls into scores,
also those who look at other boards, and `games` counts them, on this machine or a `cluster`. `rollout` compares the
moves of one position, `tournament` judges who beats whom, and `gpu_games` plays on a GPU.
"""

from tentimes18.files import modules_of

__getattr__, __dir__ = modules_of(__name__, __path__)
