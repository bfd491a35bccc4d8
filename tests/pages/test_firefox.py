"""The app in Firefox, where there is one that can be driven: playwright's own build, or the system's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, Page, Playwright, expect

from tentimes18.app.page_html import PAGES, TITLES
from tests.support.browser import Guard, context_options, play_to_the_end
from tools.browser import find_firefox


@pytest.fixture
def firefox(playwright: Playwright, guard: Guard, base_url: str) -> Iterator[BrowserContext]:
    """A player with Firefox; the test is left out where there is none, and it is said why."""
    system = find_firefox()
    if Path(playwright.firefox.executable_path).exists():
        browser = playwright.firefox.launch()
    elif system is not None:
        browser = playwright.firefox.launch(channel="moz-firefox", executable_path=system)
    else:
        pytest.skip("no Firefox: neither the system's, nor playwright's own")
    try:
        try:
            context = browser.new_context(base_url=base_url, **context_options())
        except Error as error:
            pytest.skip(f"this Firefox does not speak playwright's protocol: {str(error).splitlines()[0]}")
        guard.watch(context)
        yield context
    finally:
        browser.close()


def test_a_game_is_played_and_every_page_opens(firefox: BrowserContext) -> None:
    page: Page = firefox.new_page()
    page.goto("/")
    page.get_by_role("button", name="Roll the dice").click()
    assert len(play_to_the_end(page)) == 10
    for info in PAGES:
        if "{" not in info.paths[0]:
            page.goto(info.paths[0])
            expect(page).to_have_title(f"{TITLES['en'][info.name][0]} · Ten times eighteen")
            expect(page.get_by_role("heading", level=1)).to_have_count(1)
