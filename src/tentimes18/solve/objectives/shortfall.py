"""Temporary: the old place of what has moved."""

from tentimes18.solve.aims import ShortfallTable, best_worst_share, shortfall_table

__all__ = ["ShortfallTable", "best_worst_share", "shortfall_table"]
