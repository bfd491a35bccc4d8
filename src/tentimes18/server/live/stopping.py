"""The word to stop, heard when it comes: a server waits for its open answers first, and some of them have no end."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Final

__all__ = ["told_to_stop"]

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def told_to_stop(call: Callable[[], None]) -> Iterator[None]:
    """Inside, ``call`` is called in the running event loop when a signal says to stop, beside what it does else.

    Signals come to the main thread: a loop of another one hears nothing.
    """
    if current_thread() is not main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def hear(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(call)
        known = before[signal.Signals(number)]
        if callable(known):  # an event loop hears of signals in another way, and leaves a function that does nothing
            known(number, frame)

    for number, known in before.items():
        if callable(known):
            signal.signal(number, hear)
    try:
        yield
    finally:
        for number, known in before.items():
            if callable(known):
                signal.signal(number, known)
