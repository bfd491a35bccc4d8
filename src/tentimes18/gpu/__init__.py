"""Duels on a GPU: the same tables in the same order, made by the kernels of the `.cuh` files."""

from tentimes18.files import modules_of

__getattr__, __dir__ = modules_of(__name__, __path__)
