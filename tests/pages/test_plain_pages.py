"""The pages that need no app: the check of a game, the days, the reference of the API."""

import pytest

from tests.support.browser import DESKTOP, PHONE, THEMES, OpenPage, Size, Theme, verify_axe

LONG = "/api/docs"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
@pytest.mark.parametrize("path", ["/verify", "/commitments"])
def test_nothing_is_wrong_with_it(path: str, size: Size, theme: Theme, open_page: OpenPage) -> None:
    page = open_page(path, size, theme)
    assert page.title()
    verify_axe(page)


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_is_wrong_with_the_reference(theme: Theme, open_page: OpenPage) -> None:
    """It is long: one operation and one model of each theme say it for all."""
    page = open_page(LONG, PHONE, theme)
    assert page.title()
    verify_axe(page, "header")
    verify_axe(page, "#get-api-v1-daily-day")
    verify_axe(page, "#model-GameModel")
