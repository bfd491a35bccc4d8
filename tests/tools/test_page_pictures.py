"""The pictures of pages: those that texts show are those that are taken."""

import re

from tools.console import ROOT, pages
from tools.page_pictures import SHOWN, VIEWS


def test_every_picture_of_a_page_is_taken_and_shown() -> None:
    named = {name for page in pages() for name in re.findall(r"pictures/(page-[\w-]+)\.png", page.read_text())}
    taken = [picture.name for picture in SHOWN]
    assert named == set(taken)
    assert len(taken) == len(named)
    assert {picture.view for picture in SHOWN} <= set(VIEWS)


def test_they_are_there() -> None:
    assert [picture.name for picture in SHOWN if not (ROOT / "docs/pictures" / f"{picture.name}.png").exists()] == []
