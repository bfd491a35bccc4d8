"""Metrics: counted by any thread, read at any time."""

from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.server.edge.metrics import Family, Registry


def samples(registry: Registry, name: str) -> dict[tuple[str, ...], list[float]]:
    (family,) = [family for family in registry.families() if family.name == name]
    return family.samples


def test_threads_lose_no_count() -> None:
    registry = Registry()
    counter = registry.counter("ten18_moves_total", "Moves.", ("kind",))
    histogram = registry.histogram("ten18_seconds", "Times.")

    def count() -> None:
        for _ in range(5000):
            counter.add(1, "solo")
            histogram.observe(0.5)

    threads = [Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert samples(registry, "ten18_moves_total") == {("solo",): [20_000]}
    assert sum(samples(registry, "ten18_seconds")[()][:-1]) == 20_000


def test_gauges_are_set_or_read() -> None:
    registry = Registry()
    waiting = [3]
    streams = registry.gauge("ten18_streams", "Streams.")
    registry.gauge("ten18_waiting", "Waiting.", read=lambda: waiting[0])
    streams.add(5)
    streams.add(-2)
    assert samples(registry, "ten18_streams") == {(): [3]}
    streams.set(7)
    waiting[0] = 9
    assert samples(registry, "ten18_streams") == {(): [7]}
    assert samples(registry, "ten18_waiting") == {(): [9]}


@given(st.lists(st.floats(0, 20)))
def test_an_observation_is_counted_at_the_first_bound_not_below_it(values: list[float]) -> None:
    registry = Registry()
    bounds = (1.0, 2.0, 5.0)
    histogram = registry.histogram("ten18_sizes", "Sizes.", bounds=bounds)
    for value in values:
        histogram.observe(value)
    *counts, total = samples(registry, "ten18_sizes")[()]
    assert total == pytest.approx(sum(values))
    assert len(counts) == len(bounds) + 1
    assert [sum(counts[: place + 1]) for place in range(3)] == [sum(v <= bound for v in values) for bound in bounds]
    assert sum(counts) == len(values)


def test_mistakes_of_ours_are_seen() -> None:
    registry = Registry()
    counter = registry.counter("ten18_moves_total", "Moves.", ("kind",))
    for wrong in (
        lambda: registry.counter("ten18_moves_total", "Again."),
        lambda: registry.counter("ten18_moves", "No ending."),
        lambda: counter.add(-1, "solo"),
        lambda: counter.add(1),
        lambda: registry.histogram("ten18_sizes", "Sizes.", bounds=(2, 1)),
    ):
        with pytest.raises(AssertionError):
            wrong()


def test_families_add_up() -> None:
    one = Family("ten18_a_total", "counter", "A.", ("kind",), samples={("x",): [1], ("y",): [2]})
    one.add(Family("ten18_a_total", "counter", "A.", ("kind",), samples={("y",): [10], ("z",): [20]}))
    assert one.samples == {("x",): [1], ("y",): [12], ("z",): [20]}
    assert Family.from_json(one.to_json()) == one
