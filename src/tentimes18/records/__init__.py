"""What was played.

`notation` has a game as a line of text and as JSON, `formats` reads and writes files of many games, and `history` keeps
the player's own, and the unfinished ones.
"""
