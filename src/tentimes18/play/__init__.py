"""A game in play: its settings, its rolls, its opponent, and who keeps it.

`settings` says how a game is played, `game` plays it, `opponents` sit across the table, `faces` are what its dice show.
`store` is what a game needs of whoever keeps it.
"""
