"""Temporary: the old place of what has moved."""

from tentimes18.solve.aims import UtilityTable

__all__ = ["UtilityTable"]
