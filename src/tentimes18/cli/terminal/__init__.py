"""What a terminal shows and reads: a game in play, and reports of played games.

`keys` reads single keys, `actions` says what they may mean, `board` draws a game, `dialogue` shows and asks, by keys or
by lines, and `game` plays one through it. `review` reports one played game, with `account` and `mixes`,
`summary` many, with `sparkline`.
"""
