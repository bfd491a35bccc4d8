"""Temporary: the old place of what has moved."""

from tentimes18.solve.move_arrays import slot_order

__all__ = ["slot_order"]
