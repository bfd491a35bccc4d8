"""Millions of games, counted.

`run` says what is played, `drawing` draws its rolls (`rolls` those of a single game), `players` turn rolls into scores,
`games` counts them, in the chunks of `work`, here or on many machines (`cluster`). `rollout` compares the moves of one
position, `tournament` judges who beats whom, `fit` tests how well counts follow a distribution. `duel_players`,
`group_games` and `pairs` are for players who look at other boards, and `gpu_games` plays on a GPU.
"""
