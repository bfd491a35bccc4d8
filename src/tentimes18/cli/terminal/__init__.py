"""Keys, the board, and reports in a terminal."""
