"""Temporary: the old place of what has moved."""

from tentimes18.solve.aim_tables import FloatTable, IntegerTable, NeededTable, ObjectiveTable, verify_share

__all__ = ["FloatTable", "IntegerTable", "NeededTable", "ObjectiveTable", "verify_share"]
