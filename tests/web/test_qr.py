"""QR codes: pictures that load nothing, and that differ where the texts do."""

from xml.etree import ElementTree

import pytest

from tentimes18.errors import Ten18Error
from tentimes18.server.qr import LONGEST, qr_picture

ADDRESS = "https://play.example/duel/AAAAAAAAAAAAAAAAAAAAAA"


def test_paths_and_nothing_else() -> None:
    root = ElementTree.fromstring(qr_picture(ADDRESS))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {child.tag.partition("}")[2] for child in root.iter()} == {"svg", "path"}
    assert {name for child in root.iter() for name in child.attrib} == {"viewBox", "fill", "stroke", "d"}
    _, _, width, height = map(int, root.attrib["viewBox"].split())
    assert width == height == 33 + 8  # version 4, and four modules of quiet around


def test_each_text_has_a_picture_of_its_own() -> None:
    assert qr_picture(ADDRESS) == qr_picture(ADDRESS) != qr_picture(ADDRESS + "B")


def test_a_text_that_no_host_can_make_so_long_is_refused() -> None:
    assert qr_picture(ADDRESS.ljust(LONGEST, "A"))
    with pytest.raises(Ten18Error, match="an address of 3,000 characters; at most 400") as refused:
        qr_picture("A" * 3000)
    assert refused.value.field == "host"
