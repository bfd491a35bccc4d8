"""What was played.

`notation` has a game as a line of text and as JSON, `tags` what else is known of it; `files` reads and writes files of
many games. `history` keeps the player's own, and the unfinished ones.
"""
