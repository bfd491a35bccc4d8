"""Temporary: the old place of what has moved."""

from tentimes18.solve.rule_distributions import Packing

__all__ = ["Packing"]
