"""What a terminal shows and reads: a game in play, and reports of played games.

`board_screen` draws a game, `screen` shows it and asks, by keys or lines, and `games_pages` reports on played games.
"""
