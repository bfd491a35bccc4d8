"""Temporary: the old place of what has moved."""
