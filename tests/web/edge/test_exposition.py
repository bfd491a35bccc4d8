"""The exposition: read by a strict reader, whatever is in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.server.edge.exposition import exposition
from tentimes18.server.edge.metrics import Family, Registry
from tests.support.prometheus import read_exposition


@given(st.dictionaries(st.tuples(st.text(), st.text()), st.integers(0, 10**18)), st.lists(st.floats(0, 1e6)), st.text())
def test_whatever_is_counted_can_be_read(counts: dict[tuple[str, str], int], seen: list[float], what: str) -> None:
    registry = Registry()
    counter = registry.counter("ten18_requests_total", what, ("route", "status"))
    histogram = registry.histogram("ten18_seconds", "Times.", ("route",))
    registry.gauge("ten18_temperature", "May be below zero.").set(-1.5)
    for labels, count in counts.items():
        counter.add(count, *labels)
    for value in seen:
        histogram.observe(value, "/")
    found = read_exposition(exposition(registry.families()))
    assert found["ten18_requests_total"].total() == pytest.approx(sum(counts.values()))
    assert found["ten18_temperature"].total() == -1.5
    if seen:
        route = (("route", "/"),)
        assert found["ten18_seconds"].samples["ten18_seconds_count", route] == len(seen)
        assert found["ten18_seconds"].samples["ten18_seconds_sum", route] == pytest.approx(sum(seen))
        inside = found["ten18_seconds"].samples["ten18_seconds_bucket", (*route, ("le", "0.5"))]
        assert inside == sum(value <= 0.5 for value in seen)


@pytest.mark.parametrize(
    "text",
    [
        "ten18_moves_total 3\n",
        "# HELP ten18_moves_total M.\n# TYPE ten18_moves_total counter\nten18_moves_total 3",
        "# HELP ten18_moves_total M.\n# TYPE ten18_moves_total counter\nten18_moves_total -3\n",
        "# HELP ten18_a_total M.\n# TYPE ten18_a_total counter\nten18_a_total 3\nten18_a_total 3\n",
        '# HELP ten18_a_total M.\n# TYPE ten18_a_total counter\nten18_a_total{a="x""} 3\n',
        '# HELP a M.\n# TYPE a histogram\na_bucket{le="1"} 3\na_bucket{le="+Inf"} 2\na_sum 1\na_count 2\n',
    ],
)
def test_the_reader_is_strict(text: str) -> None:
    with pytest.raises((AssertionError, KeyError)):
        read_exposition(text)


def test_nothing_is_nothing() -> None:
    assert exposition([]) == ""
    assert read_exposition(exposition([Family("ten18_a_total", "counter", "A.")])).keys() == {"ten18_a_total"}
