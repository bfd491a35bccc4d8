"""Temporary: the old place of what has moved."""

from tentimes18.solve.hindsight import order_statistics
from tentimes18.solve.old_plans import float_order_plan as order_plan

__all__ = ["order_plan", "order_statistics"]
