"""Waiting for what another process or thread does: as long as it takes, and no test waits for ever."""

import time
from collections.abc import Callable

from tests.support.process import PATIENCE

__all__ = ["until"]


def until(is_so: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Wait until something is so; the test fails where that takes too long."""
    deadline = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < deadline, f"not after {patience:g} seconds: {what}"
        time.sleep(0.02)
