"""Without the network the app goes on by its own files, and what is played is kept and sent later."""

import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tentimes18.app.page_html import PAGES
from tentimes18.app.static_files import app_files, version_of
from tests.support.browser import PHONE, Guard, NewPlayer, play_to_the_end, with_worker
from tests.support.service import Server

KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    found[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  }
  return found;
}"""
RECORDS = "async (url) => (await fetch(url)).text()"


@pytest.fixture
def player(new_player: NewPlayer, guard: Guard) -> BrowserContext:
    """A player on a phone whose browser has workers; without a network requests fail, as is expected."""
    guard.allow("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    return new_player(PHONE, service_workers="allow")


def play(page: Page) -> None:
    page.get_by_role("button", name="Roll the dice").click()
    play_to_the_end(page)


def test_the_worker_keeps_the_app_and_nothing_else(player: BrowserContext) -> None:
    page = with_worker(player)
    play(page)
    version = version_of(app_files())
    (name, paths), *others = page.evaluate(KEPT).items()
    assert (name, others) == (f"ten18 / {version}", [])
    pages = {route for info in PAGES for route in info.paths if "{" not in route}
    assert {path for path in paths if not path.startswith(f"/static/{version}/")} == pages
    assert f"/static/{version}/app/main.js" in paths


def test_offline_and_back(player: BrowserContext, service: Server) -> None:
    page = with_worker(player)
    player.set_offline(True)
    page.goto("/about")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto("/")
    expect(page.get_by_text("You can play; the game will be sent later.")).to_be_visible()
    page.get_by_role("button", name="Roll the dice").click()
    expect(page.get_by_text("This game will be sent later and does not count for your rating.")).to_be_visible()
    play_to_the_end(page)
    expect(page.get_by_text("not sent", exact=False)).to_have_count(0)
    player.set_offline(False)
    expect(page.get_by_text("Your offline game was sent.")).to_be_visible()
    lines = page.evaluate(RECORDS, f"{service.url}/api/v1/me/games?source=imported").splitlines()
    assert len(lines) == 1
    record: dict[str, Any] = json.loads(lines[0])
    assert record["dice"] == "3d6"


def test_what_needs_the_service_says_so_and_the_rest_works(player: BrowserContext) -> None:
    page = with_worker(player)
    player.set_offline(True)
    for path in ("/daily", "/duel", "/history"):
        page.goto(path)
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        expect(page.locator(".note")).to_have_count(1)
        expect(page.locator(".note")).to_contain_text("You are offline.")
    for path in ("/drill", "/lab", "/review"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_attached()
        expect(page.get_by_text("Couldn’t load")).to_have_count(0)
