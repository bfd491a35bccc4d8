"""Temporary: the old place of what has moved."""

from tentimes18.simulate.run import GAMES, verify_number

__all__ = ["GAMES", "verify_number"]
