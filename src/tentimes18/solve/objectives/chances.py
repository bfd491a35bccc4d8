"""Temporary: the old place of what has moved."""

from tentimes18.solve.aims import ChanceTable, chance_table

__all__ = ["ChanceTable", "chance_table"]
