"""The documentation's site in a browser, where it was built: it keeps to the policy, and its search finds things."""

import pytest
from playwright.sync_api import expect

from tentimes18.server.settings import own_site
from tests.support.browser import PHONE, OpenPage, verify_axe

SITE = own_site()
BUILT = SITE is not None and (SITE / "index.html").exists()
pytestmark = pytest.mark.skipif(not BUILT, reason="the site is not built: make site")


def test_the_search_finds_pages_without_a_server(open_page: OpenPage) -> None:
    page = open_page("/docs/")
    expect(page.get_by_role("heading", name="Ten times eighteen")).to_be_visible()
    page.get_by_role("button", name="Search").click()
    page.get_by_role("combobox", name="Search").fill("thresholds")
    page.get_by_role("option", name="Thresholds").first.click()
    page.wait_for_url("**/docs/theory/thresholds/**")
    expect(page.get_by_role("heading", name="Thresholds").first).to_be_visible()


def test_a_page_of_the_reference_by_night_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/docs/reference/tentimes18/", PHONE, "dark")
    expect(page.get_by_role("heading", name="Board").first).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page: OpenPage, theme: str) -> None:
    verify_axe(open_page("/docs/tutorial/", theme=theme))
