"""The documentation, and the scripts that make its numbers and pictures."""
