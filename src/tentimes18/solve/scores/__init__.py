"""The law of a strategy's score, its moments, and what can be read off it."""
