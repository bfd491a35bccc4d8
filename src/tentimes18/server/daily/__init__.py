"""The daily game: its days, streaks, and what may be told of it."""
