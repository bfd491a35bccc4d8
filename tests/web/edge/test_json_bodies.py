"""JSON of two meanings, and JSON that is too much."""

import pytest

from tentimes18.server.edge.json_bodies import MOST_LEVELS, verify_json
from tentimes18.server.problems import Problem

DEEP = MOST_LEVELS + 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"round": 1, "slot": 1, "round": 2}', "'round' is given twice"),
        (b'{"round": 1, "r\\u006fund": 1}', "'round' is given twice"),
        (b'[{"a": {"b": 1, "b": 1}}]', "'b' is given twice"),
        ('{"a": 1, "a": 1}'.encode("utf-16"), "'a' is given twice"),
        (b'{"slot": ' + b"9" * 5000 + b"}", "too large a number"),
        (b"[" * DEEP + b"]" * DEEP, "too deep"),
        (b'{"a":' * DEEP + b"1" + b"}" * DEEP, "too deep"),
        (b"[" * 30_000, "too deep"),
    ],
)
def test_what_is_refused_says_why(body: bytes, told: str) -> None:
    with pytest.raises(Problem) as found:
        verify_json(body)
    assert found.value.kind.status == 400
    assert told in found.value.detail


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"null", b"{}", b"{", b"\xff", b"x", b'{"a": 1} {', b"NaN", b'"\\ud800"'),
        b'{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}',
        b"[" * MOST_LEVELS + b"]" * MOST_LEVELS,
        b"[" + b"[], " * 100 + b"[]]",
        b"9" * 4000,
    ],
)
def test_the_rest_is_for_its_reader(body: bytes) -> None:
    verify_json(body)
