"""Temporary: the old place of what has moved."""

from tentimes18.solve.best_play import BestPlay

__all__ = ["BestPlay"]
