"""Work in threads: results in order, errors raised, progress, and nothing starts after a stop."""

import threading
import time

import pytest

from tentimes18.solve.parallel import LayerPool, thread_count


def test_results_come_in_the_order_of_the_parts() -> None:
    def slow_first(part: int) -> int:
        time.sleep(0.01 * (3 - part))
        return 10 * part

    with LayerPool(total=7) as pool:
        assert pool.run(slow_first, [0, 1, 2], work=3) == [0, 10, 20]
        assert pool.run(slow_first, [3], work=4) == [30]


def test_progress() -> None:
    """After each part its share of the layer, rounded down; after each layer all of it."""
    seen: list[tuple[int, int]] = []
    with LayerPool(13, lambda done, total: seen.append((done, total))) as pool:
        pool.run(abs, [1, 2, 3], work=10)
        pool.run(abs, [1], work=3)
    assert seen == [(3, 13), (6, 13), (10, 13), (13, 13)]


def test_an_error_in_a_thread_is_raised() -> None:
    with pytest.raises(ZeroDivisionError), LayerPool(total=1) as pool:
        pool.run(lambda part: 1 // part, [1, 0, 1], work=1)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ValueError])
def test_after_a_stop_nothing_more_begins(stop: type[BaseException]) -> None:
    """The first report stops the loop, as Ctrl-C does; parts that run end, the many that wait never begin."""
    begun: list[int] = []
    gate = threading.Event()

    def fill(part: int) -> None:
        begun.append(part)
        if part:
            gate.wait(10)

    def report(_done: int, _total: int) -> None:
        threading.Timer(0.5, gate.set).start()  # those that run end after the stop has been raised
        raise stop

    with pytest.raises(stop), LayerPool(1000, report) as pool:
        pool.run(fill, range(1000), work=1000)
    count = len(begun)
    assert count <= 1 + thread_count()
    time.sleep(0.05)
    assert len(begun) == count
