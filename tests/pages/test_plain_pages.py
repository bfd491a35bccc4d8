"""The pages that need no app: the check of a game, the days, the reference of the API."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import DESKTOP, PHONE, THEMES, OpenPage, resize, verify_axe


@pytest.mark.parametrize("path", ["/verify", "/commitments"])
def test_nothing_is_wrong_with_it(path: str, open_page: OpenPage) -> None:
    page = open_page(path, PHONE)
    assert page.title()
    verify_axe(page)
    resize(page, DESKTOP)
    page.emulate_media(color_scheme="dark")
    verify_axe(page)


def test_nothing_is_wrong_with_the_reference(open_page: OpenPage) -> None:
    """Operations are shown, by a viewer that asks nobody else."""
    page = open_page("/api/docs", PHONE)
    expect(page.locator("#operations .opblock").nth(30)).to_be_attached()
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for part in ("header", "#problems", "#limits", "#operations-tag-games"):
            verify_axe(page, part)
