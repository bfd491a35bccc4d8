"""Live games: who watches one, how changes become known to all processes, and how streams end."""
