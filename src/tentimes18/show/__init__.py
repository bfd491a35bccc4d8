"""How things look: words, colours, plots, the strategy card, the report, and models for other programs."""
