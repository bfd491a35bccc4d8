"""What a terminal shows and reads: a game in play, and reports of played games.

`keys` reads single keys, `board_screen` draws a game, `screen` shows it and asks, by keys or lines, and `game_screen`
plays a game that way. `review_page` reports on one played game or many, `history_page` on a player's.
"""
