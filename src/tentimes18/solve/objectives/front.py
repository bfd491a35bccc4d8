"""Temporary: the old place of what has moved."""

from tentimes18.strategies.front import FrontPoint, front, front_names

__all__ = ["FrontPoint", "front", "front_names"]
