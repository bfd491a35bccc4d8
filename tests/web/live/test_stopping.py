"""The signal to stop is heard by us and by whoever heard it before."""

import asyncio
import os
import signal
from threading import Thread

import pytest

from tentimes18.server.live.stopping import told_to_stop


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_both_hear_it_and_all_is_as_it_was(number: signal.Signals) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        theirs, ours = asyncio.Event(), asyncio.Event()
        loop.add_signal_handler(number, theirs.set)  # as the server does
        before = signal.getsignal(number)
        try:
            with told_to_stop(ours.set):
                os.kill(os.getpid(), number)
                async with asyncio.timeout(10):
                    await asyncio.gather(theirs.wait(), ours.wait())
            assert signal.getsignal(number) == before
        finally:
            loop.remove_signal_handler(number)

    asyncio.run(scenario())


def test_another_thread_hears_nothing_and_works() -> None:
    async def scenario() -> None:
        with told_to_stop(lambda: None):
            done.append(signal.getsignal(signal.SIGTERM))

    done: list[object] = []
    before = signal.getsignal(signal.SIGTERM)
    thread = Thread(target=lambda: asyncio.run(scenario()))
    thread.start()
    thread.join()
    assert done == [before]
