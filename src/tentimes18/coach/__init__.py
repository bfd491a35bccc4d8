"""The coach: what a move is worth, what it gives up, and how a player gets on.

`units` says what worths are counted in, `classes` from best to blunder what a loss is called, `aims` what moves are
measured by. `advice` is about one roll, `review` about one played game, `summary` about many. `drill` asks positions,
and `schedule` says when one comes back.
"""
