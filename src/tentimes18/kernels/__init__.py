"""Compiled inner loops: arrays in, arrays out. Each module imports numba, so it is itself imported only when called."""

import os

__all__ = ["thread_count"]


def thread_count() -> int:
    """Number of threads to use: the processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
