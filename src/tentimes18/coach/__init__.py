"""The coach: what a move is worth, what it loses, and how a player gets on.

`losses` has the one implementation of a loss in points, `aims` what else moves can be measured by. `advice` is about
one roll, `review` about one played game, `summary` about many, `skill` about the player; `drill` asks about positions.
"""
