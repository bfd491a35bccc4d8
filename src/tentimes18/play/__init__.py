"""A game in play: its rolls, its opponent, and how it is kept."""
