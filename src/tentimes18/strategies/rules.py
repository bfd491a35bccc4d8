"""Temporary: the old place of what has moved."""

from tentimes18.strategies.named import bands, greedy, nearest

__all__ = ["bands", "greedy", "nearest"]
