"""The strategy card."""
