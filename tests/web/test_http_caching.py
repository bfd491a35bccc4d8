"""Bodies that many ask for: packed where it is worth it and always to the same bytes, and If-None-Match."""

import gzip

import pytest

from tentimes18.server.http_caching import QUICK, accepts_gzip, is_known, pack


@pytest.mark.parametrize(
    ("header", "takes"),
    [
        ("gzip", True),
        ("deflate, GZIP;q=0.2", True),
        ("br, gzip;q=0.000", False),
        ("gzip ; q=0", False),
        ("x-gzip", False),
        ("*", False),
        ("", False),
    ],
)
def test_who_takes_gzip(header: str, takes: bool) -> None:
    assert accepts_gzip(header) is takes


def test_a_form_that_is_not_smaller_is_none() -> None:
    assert pack(b"x") is None
    assert pack(bytes(range(256)) * 3) is not None
    assert pack(bytes(range(256))) is None


@pytest.mark.parametrize("level", [9, QUICK])
def test_the_same_data_gives_the_same_bytes(level: int) -> None:
    data = b"roll" * 1000
    packed = pack(data, level)
    assert packed is not None
    assert gzip.decompress(packed) == data
    assert pack(data, level) == packed


@pytest.mark.parametrize("tags", [['"a"'], ['W/"a"'], ['"b", "a"'], ['"b"', ' "a" '], ["*"]])
def test_what_is_known(tags: list[str]) -> None:
    assert is_known(tags, '"a"')


@pytest.mark.parametrize("tags", [[], [""], ["a"], ['"aa"'], ['"b", "c"']])
def test_what_is_not(tags: list[str]) -> None:
    assert not is_known(tags, '"a"')
