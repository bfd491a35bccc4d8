"""What moves are measured by, advice, the review of one game and of many, and the drill."""
