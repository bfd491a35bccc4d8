"""Many requests on some connections, each with its answer, as fast as the service gives them.

What is refused because others wait (503) is asked again after a while, so often and no more.
"""

import selectors
from collections.abc import Iterable, Iterator
from time import sleep
from typing import Final

from tools.torture.wire import Answer, Wire

__all__ = ["answers_to"]

TRIES: Final = 100
PAUSE: Final = 0.1  # seconds


def answers_to(port: int, requests: Iterable[bytes], connections: int = 16) -> Iterator[tuple[int, Answer]]:
    """The number of each request and its answer, in the order in which answers come."""
    waiting = list(enumerate(requests))
    for attempt in range(1, TRIES + 1):
        again = []
        for (number, data), answer in _asked(port, waiting, connections):
            if answer.status == 503 and attempt < TRIES:
                again.append((number, data))
            else:
                yield number, answer
        if not again:
            return
        waiting = again
        sleep(PAUSE)


def _asked(
    port: int, numbered: Iterable[tuple[int, bytes]], connections: int
) -> Iterator[tuple[tuple[int, bytes], Answer]]:
    rest, wires = iter(numbered), [Wire(port) for _ in range(connections)]
    asked: dict[int, tuple[int, bytes]] = {}  # the request that each connection waits for
    with selectors.DefaultSelector() as selector:

        def ask(place: int) -> None:
            asked.pop(place, None)
            if (found := next(rest, None)) is None:
                return
            if wires[place].socket is None:
                selector.register(wires[place].open(), selectors.EVENT_READ, place)
            asked[place] = found
            wires[place].send(found[1])

        try:
            for place in range(connections):
                ask(place)
            while asked:
                for key, _ in selector.select():
                    answer = wires[key.data].receive()
                    if answer is not None:
                        yield asked[key.data], answer
                        ask(key.data)
        finally:
            for wire in wires:
                wire.close()
