"""Temporary: the old place of what has moved."""

from tentimes18.solve.move_arrays import optimal_ranks, rule_slots, same_everywhere

__all__ = ["optimal_ranks", "rule_slots", "same_everywhere"]
