"""A game in play: its settings, its rolls, its opponent, and who keeps it."""
