"""Duels on a GPU: the same tables in the same order, made by the kernels of the `.cuh` files."""
