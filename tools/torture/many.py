"""Many requests on some connections, each with its answer, as fast as the service gives them."""

import selectors
from collections.abc import Iterable, Iterator

from tools.torture.wire import Answer, Wire

__all__ = ["answers_to"]


def answers_to(port: int, requests: Iterable[bytes], connections: int = 16) -> Iterator[tuple[int, Answer]]:
    """The number of each request and its answer, in the order in which answers come."""
    numbered = enumerate(requests)
    wires = [Wire(port) for _ in range(connections)]
    asked: dict[int, int] = {}  # the request that each connection waits for
    with selectors.DefaultSelector() as selector:

        def ask(place: int) -> None:
            found = next(numbered, None)
            asked.pop(place, None)
            if found is None:
                return
            if wires[place].socket is None:
                selector.register(wires[place].open(), selectors.EVENT_READ, place)
            asked[place] = found[0]
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
