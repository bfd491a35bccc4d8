"""What holds for every page of the app: nothing is wrong with it, and everybody can use it, by day and by night."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tentimes18.app.page_html import PAGES
from tests.support.browser import (
    DESKTOP,
    PHONE,
    SMALL_PHONE,
    TABLET,
    OpenPage,
    ask,
    play_by_request,
    resize,
    settle,
    verify_axe,
)

GAME: Final = {"dice": "3d6", "slots": "1-10", "coach": "off"}
# Where a path leads to something of the player's own, what that is.
OWN: Final[dict[str, Callable[[Page], str]]] = {
    "{day}": lambda page: str(ask(page, "/daily/archive?limit=1")["days"][0]["day"]),
    "{code}": lambda page: str(page.request.post("/api/v1/duels", data={"against": "friend"}).json()["invite"]),
    "{id}": lambda page: str(page.request.post("/api/v1/games", data=GAME).json()["id"]),
}
PATHS: Final = [path for page in PAGES for path in page.paths]
LOOKS: Final = (Path(__file__).parents[1] / "support" / "looks.js").read_text(encoding="utf-8")
MAX_KEYS: Final = 400


def open_path(open_page: OpenPage, path: str) -> Page:
    """Open the page at a path, with something of the player's own where the path names it."""
    page = open_page("/about", PHONE)
    if path == "/review/{id}":
        path = f"/review/{play_by_request(page, '/games', GAME)['id']}"
    if path == "/g/{code}":
        path = f"/g/{page.request.post('/api/v1/groups', data={'lobby': True}).json()['code']}"
    for part, made in OWN.items():
        if part in path:
            path = path.replace(part, made(page))
    resize(page, DESKTOP)
    page.goto(path)
    settle(page)
    return page


def problems(page: Page, function: str, argument: Any = None) -> list[str]:
    """Return what a function of looks.js says is wrong with the page."""
    page.evaluate(LOOKS)
    texts: list[str] = page.evaluate(f"(argument) => looks.{function}(argument)", argument)
    return texts


def unreached(page: Page) -> list[str]:
    """Return what the Tab key does not reach, from the beginning of the page to its end."""
    names = problems(page, "numberTargets")
    page.evaluate("document.activeElement?.blur(); window.scrollTo(0, 0)")
    reached: set[int] = set()
    for _ in range(min(MAX_KEYS, 2 * len(names) + 10)):
        page.keyboard.press("Tab")
        if (number := page.evaluate("looks.focused()")) is not None:
            reached.add(number)
        if len(reached) == len(names):
            break
    return [name for number, name in enumerate(names) if number not in reached]


@pytest.mark.parametrize("path", PATHS)
def test_everybody_can_use_it_at_every_size_in_both_themes(path: str, open_page: OpenPage) -> None:
    page = open_path(open_page, path)
    assert problems(page, "shifts", 0.02) == []  # as browsers measure it
    assert problems(page, "forbidden", page.request.get(page.url).text()) == []
    assert unreached(page) == []
    assert problems(page, "smallTexts", 12) == []
    page.emulate_media(color_scheme="dark")
    verify_axe(page)
    page.emulate_media(color_scheme="light")
    for size in (DESKTOP, TABLET, SMALL_PHONE, PHONE):
        resize(page, size)
        assert (size.name, problems(page, "overflow")) == (size.name, [])
    verify_axe(page)
    assert problems(page, "smallTexts", 12) == []
    assert problems(page, "smallTargets", 44) == []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert ("text of twice the size", problems(page, "overflow")) == ("text of twice the size", [])
