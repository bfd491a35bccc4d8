"""What holds for every page of the app: nothing is wrong with it, and everybody can use it, by day and by night."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page

from tentimes18.app.page_html import PAGES
from tests.support.browser import (
    DESKTOP,
    PHONE,
    SMALL_PHONE,
    TABLET,
    OpenPage,
    Size,
    ask,
    play_by_request,
    resize,
    settle,
    verify_axe,
)
from tests.support.looks import forbidden, overflow, shifts, small_targets, small_texts, unreached

GAME: Final = {"dice": "3d6", "slots": "1-10", "coach": "off"}
# Where a path leads to something of the player's own, what that is.
OWN: Final[dict[str, Callable[[Page], str]]] = {
    "{day}": lambda page: str(ask(page, "/daily/archive?limit=1")["days"][0]["day"]),
    "{code}": lambda page: str(page.request.post("/api/v1/duels", data={"against": "friend"}).json()["invite"]),
    "{id}": lambda page: str(page.request.post("/api/v1/games", data=GAME).json()["id"]),
}
PATHS: Final = [path for page in PAGES for path in page.paths]
EACH_PAGE: Final = pytest.mark.parametrize("path", PATHS)


def open_path(open_page: OpenPage, path: str, size: Size) -> Page:
    """The page at a path, with something of the player's own where the path names it, when it has come to rest."""
    page = open_page("/about", size)
    if path == "/review/{id}":
        path = f"/review/{play_by_request(page, '/games', GAME)['id']}"
    for part, made in OWN.items():
        if part in path:
            path = path.replace(part, made(page))
    page.goto(path)
    settle(page)
    return page


@EACH_PAGE
def test_it_is_fit_for_everybody_at_every_size_by_day_and_night(path: str, open_page: OpenPage) -> None:
    page = open_path(open_page, path, PHONE)
    assert forbidden(page, page.request.get(page.url).text()) == []
    verify_axe(page)
    assert small_texts(page) == []
    assert small_targets(page) == []
    page.emulate_media(color_scheme="dark")
    verify_axe(page)
    for size in (SMALL_PHONE, PHONE, TABLET, DESKTOP):
        resize(page, size)
        assert (size.name, overflow(page)) == (size.name, [])
    verify_axe(page)
    page.emulate_media(color_scheme="light")
    verify_axe(page)
    assert small_texts(page) == []
    resize(page, PHONE)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert ("text of twice the size", overflow(page)) == ("text of twice the size", [])


@EACH_PAGE
def test_nothing_moves_while_it_loads_and_the_keyboard_reaches_everything(path: str, open_page: OpenPage) -> None:
    page = open_path(open_page, path, DESKTOP)
    assert shifts(page) == []
    assert unreached(page) == []
