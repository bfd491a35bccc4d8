"""Temporary: the old place of what has moved."""

from tentimes18.solve.closest_calls import ClosestCall, Tie, closest_calls, exact_ties

__all__ = ["ClosestCall", "Tie", "closest_calls", "exact_ties"]
