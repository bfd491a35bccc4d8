"""Millions of games, counted.

`run` says what is played, `games` plays and counts it: `drawing` gives the rolls, `players` and `duel_player` the
scores that strategies make of them. `cluster` does the same on many machines. `tournament` judges who beats whom, `fit`
how well counts follow a law.
"""
