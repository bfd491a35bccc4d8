"""Temporary: the old place of what has moved."""

from tentimes18.solve.thresholds import value_of

__all__ = ["value_of"]
