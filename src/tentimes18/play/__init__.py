"""A game in play: its settings, its rolls and its opponent.

`game_in_play` plays it, `opponents` are whom it is played against, `faces` are what its dice show. `fairness` commits
to rolls, and `verification` checks finished games.
"""
