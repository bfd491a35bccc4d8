"""The pages that need no app: the check of a game, the days, the reference of the API."""

import pytest

from tests.support.browser import DESKTOP, PHONE, THEMES, OpenPage, resize, verify_axe

LONG = "/api/docs"


@pytest.mark.parametrize("path", ["/verify", "/commitments"])
def test_nothing_is_wrong_with_it(path: str, open_page: OpenPage) -> None:
    page = open_page(path, PHONE)
    assert page.title()
    for size in (PHONE, DESKTOP):
        resize(page, size)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            verify_axe(page)


def test_nothing_is_wrong_with_the_reference(open_page: OpenPage) -> None:
    """It is long: one operation and one model of each theme say it for all."""
    page = open_page(LONG, PHONE)
    assert page.title()
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for part in ("header", "#get-api-v1-daily-day", "#model-GameModel"):
            verify_axe(page, part)
