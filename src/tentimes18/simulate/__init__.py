"""Millions of games, counted.

`run` says what is played and draws the rolls of one game, `drawing` those of many, `players` turn rolls into scores,
`games` counts them, in the chunks of `work`, here or on many machines (`cluster`). `rollout` compares the moves of one
position, `tournament` judges who beats whom, `fit` tests how well counts follow a distribution. `duel_players` and
`group_games` are for players who look at other boards, and `gpu_games` plays on a GPU.
"""
