"""Temporary: the old place of what has moved."""

from tentimes18.solve.utilities import Utility, exponential, power

__all__ = ["Utility", "exponential", "power"]
