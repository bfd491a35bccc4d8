"""Programs that write the documentation: its numbers, its console blocks and its pictures."""
