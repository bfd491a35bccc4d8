"""Answers packed: for whoever takes them so, where it is worth it, and always to the same bytes."""

import gzip

import pytest

from tentimes18.server.packing import QUICK, accepts_gzip, pack, packed_etag


@pytest.mark.parametrize(
    ("given", "takes"),
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
def test_who_takes_gzip(given: str, takes: bool) -> None:
    assert accepts_gzip(given) is takes


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


def test_the_packed_form_has_an_etag_of_its_own() -> None:
    assert packed_etag('"a"') != '"a"'
