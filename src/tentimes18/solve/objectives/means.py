"""Temporary: the old place of what has moved."""

from tentimes18.solve.aim_tables import MeanTable, rounding

__all__ = ["MeanTable", "rounding"]
