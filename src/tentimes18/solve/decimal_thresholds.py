"""Temporary: the old place of what has moved."""

from tentimes18.solve.old_plans import decimal_plan as decimal_plan
from tentimes18.solve.thresholds import decimal_thresholds

__all__ = ["decimal_plan", "decimal_thresholds"]
