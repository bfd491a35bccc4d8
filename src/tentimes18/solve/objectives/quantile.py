"""Temporary: the old place of what has moved."""

from tentimes18.solve.aims import best_quantile

__all__ = ["best_quantile"]
