"""What was played: its notation, files of games, and the player's history."""
