"""Temporary: the old place of what has moved."""

from tentimes18.solve.move_arrays import moves_of

__all__ = ["moves_of"]
