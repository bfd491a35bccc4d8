"""How much a call does, counted in lines of Python that run: the same number whatever else the machine has to do."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Steps:
    """The lines that ran so far."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, _frame: FrameType, event: str, _detail: object) -> Any:
        self.count += event == "line"
        return self


@contextmanager
def counted() -> Iterator[Steps]:
    """Count the lines of all functions that are called inside; work inside of compiled code is not seen."""
    steps, before = Steps(), sys.gettrace()
    sys.settrace(steps)
    try:
        yield steps
    finally:
        sys.settrace(before)
