"""Pictures of the pages, taken in a browser from a real service: ``make pictures`` writes them into docs/pictures/.

They show one game, always the same: its rolls are written into the store of a service that lives for the pictures
alone, since a real one draws its own. ``python -m tools.page_pictures FOLDER [VIEW ...]`` takes every page, or these,
by day and by night, on a desktop and on a phone, to be looked at.
"""

import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from tentimes18.files import write_whole
from tentimes18.game import Game
from tentimes18.records.formats import Line, read_records
from tentimes18.records.notation import Record, format_moves
from tentimes18.server.identity import COOKIE
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game
from tests.support.browser import DESKTOP, PHONE, THEMES, Size, Theme, context_options
from tests.support.service import Server, serving
from tools.browser import find_browser
from tools.console import ROOT

FOLDER = ROOT / "docs" / "pictures"
GAMES = ROOT / "docs" / "games"
CLASSIC = Game.classic()
PLACED = 5
"""The number of moves made in a picture of a game in play."""
NAME = "Ada"
OTHERS = {
    "Mira": (1, 1),
    "Ren": (4, 9),
    "Tobi": (6, 8),
    "Ana": (5, 7),
    "Kim": (3, 9),
    "Joe": (4, 6),
    "Lena": (1, 6),
    "Omar": (8, 9),
    "Ida": (2, 5),
    "Max": (3, 4),
}
"""The other players of the day: like the perfect player, except for two rounds whose slots they swap."""
VIEWS = ("play", "daily", "duel", "review", "drill", "history", "lab", "about")
KEEP = """kept => Object.entries(kept).forEach(
  ([name, value]) => localStorage.setItem(`ten18.${name}`, JSON.stringify(value)))"""
SEEN = "text => document.body.innerText.includes(text) || document.querySelector(`[aria-label*='${text}']`)"
SETTLED = """() => {
  const isInView = element => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  const isWaiting = element => element.textContent.trim().endsWith("…");
  return [...document.querySelectorAll(".plot-frame")].filter(isInView).every(frame => frame.querySelector("canvas"))
    && ![...document.querySelectorAll("[role=status], .late, [aria-busy=true]")].some(isWaiting);
}"""

SQUARES = """() => {
  const colours = { "🟩": "#78b159", "🟨": "#fdcb58", "⬛": "#31373d" };
  for (const element of document.querySelectorAll(".ticket :not(:has(*))")) {
    element.replaceChildren(...[...element.textContent].map(sign => {
      if (!(sign in colours)) return sign;
      const square = document.createElement("span");
      square.style.cssText = `display: inline-block; width: 0.9em; height: 0.9em; margin: 0 0.05em`;
      square.style.background = colours[sign];
      return square;
    }));
  }
}"""
"""Draws the squares of a daily result, since a machine may have no font with them."""


@dataclass(frozen=True, slots=True)
class View:
    """A page: its address, a text by which one sees that it is whole, and what the player has chosen."""

    path: str
    seen: str
    kept: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a view, in a window and a theme."""

    view: str
    size: Size = DESKTOP
    theme: Theme = "light"

    @property
    def name(self) -> str:
        """Its file, without the ending.

        >>> Picture("play").name, Picture("play", PHONE, "dark").name
        ('page-play', 'page-play-phone-dark')
        """
        phone = "-phone" if self.size is PHONE else ""
        return f"page-{self.view}{phone}{'-dark' if self.theme == 'dark' else ''}"


SHOWN = (
    *(Picture(view) for view in ("play", "daily", "duel", "review", "lab")),
    Picture("play", PHONE, "dark"),
)
"""Those that README and docs show."""


def make_page_pictures(folder: Path = FOLDER, pictures: Sequence[Picture] = SHOWN) -> None:
    """Take the pictures, and write them as .png."""
    with TemporaryDirectory() as name:
        data = Path(name) / "data"
        with _service(data) as server:
            table = _begun(server)
        _set_rolls(data, [placement.roll for placement in _paper().board.placements])
        with _service(data) as server, sync_playwright() as driver:
            views = _played(server, table)
            browser = driver.chromium.launch(executable_path=str(find_browser()))
            with closing(browser):
                for picture in pictures:
                    taken = _taken(browser, server, table, views[picture.view], picture)
                    write_whole(folder / f"{picture.name}.png", taken)


@dataclass(frozen=True, slots=True)
class _Table:
    """What was begun: the cookie of the player, the games by kind, and the cookies and games of the others."""

    cookie: str
    games: Mapping[str, str]
    others: Mapping[str, tuple[str, str]]


@contextmanager
def _service(data: Path) -> Iterator[Server]:
    with serving(data, environment={"TEN18_TABLES": "off"}) as server:
        yield server


def _client(server: Server, cookie: str | None = None) -> httpx.Client:
    cookies = {} if cookie is None else {COOKIE: cookie}
    return httpx.Client(base_url=f"{server.url}/api/v1", cookies=cookies, timeout=60)


def _asked(answer: httpx.Response) -> Any:
    answer.raise_for_status()
    return answer.json()


def _begun(server: Server) -> _Table:
    with _client(server) as client:
        games = {
            "solo": _asked(client.post("/games", json={"coach": "full"}))["id"],
            "daily": _asked(client.post("/daily"))["id"],
            "duel": _asked(client.post("/duels", json={"against": "optimal"}))["id"],
        }
        records = (GAMES / "learner.txt").read_text(encoding="utf-8")
        _asked(client.post("/me/games", content=records, headers={"content-type": "text/plain"}))
        _asked(client.patch("/me", json={"name": NAME}))
        cookie = client.cookies[COOKIE]
    others = {}
    for name in OTHERS:
        with _client(server) as client:
            game = _asked(client.post("/daily"))["id"]
            _asked(client.patch("/me", json={"name": name}))
            others[name] = client.cookies[COOKIE], game
    return _Table(cookie, games, others)


def _set_rolls(data: Path, rolls: Sequence[int]) -> None:
    with closing(sqlite3.connect(data / "service.sqlite")) as store, store:
        store.execute("UPDATE deals SET rolls = ?", [",".join(map(str, rolls))])


def _paper() -> Record:
    lines = (GAMES / "paper.txt").read_text(encoding="utf-8").splitlines()
    (record,) = (line.record for line in read_records(lines) if isinstance(line, Line))
    return record


def _played(server: Server, table: _Table) -> Mapping[str, View]:
    """Play on from where the games were begun; where the pages are that show them."""
    moves = [placement.slot for placement in _paper().board.placements]
    with _client(server, table.cookie) as client:
        _place(client, table.games["solo"], moves[:PLACED])
        _place(client, table.games["duel"], moves[:PLACED])
        _place(client, table.games["daily"], moves)
    rolls = [placement.roll for placement in _paper().board.placements]
    best = [placement.slot for placement in play_game(CLASSIC, named("optimal"), rolls).placements]
    for name, (one, other) in OTHERS.items():
        cookie, game = table.others[name]
        slots = list(best)
        slots[one - 1], slots[other - 1] = best[other - 1], best[one - 1]
        with _client(server, cookie) as client:
            _place(client, game, slots)
    record = quote(f"{CLASSIC}: {format_moves(_paper().board.placements)}", safe="")
    return {
        "play": View(f"/game/{table.games['solo']}", "Worth now", {"coach": "full"}),
        "daily": View("/daily", "Copy"),
        "duel": View(f"/game/{table.games['duel']}", "Slot times"),
        "review": View(f"/review#{record}", "Par"),
        "lab": View("/lab", "goes in"),
        "drill": View("/drill", "Slot times"),
        "history": View("/history", "Skill"),
        "about": View("/about", "Keys"),
    }


def _place(client: httpx.Client, game: str, slots: Sequence[int]) -> None:
    for number, slot in enumerate(slots, start=1):
        _asked(client.post(f"/games/{game}/moves", json={"round": number, "slot": slot}))


def _taken(browser: Browser, server: Server, table: _Table, view: View, picture: Picture) -> bytes:
    scale = 2 if picture.size is PHONE else 1
    context = browser.new_context(**context_options(picture.size, picture.theme), device_scale_factor=scale)
    try:
        context.add_cookies([{"name": COOKIE, "value": table.cookie, "url": server.url}])
        page = context.new_page()
        page.goto(f"{server.url}/about")
        page.evaluate(KEEP, dict(view.kept))
        page.goto(server.url + view.path)
        _wait(page, view.seen)
        page.evaluate(SQUARES)
        return page.screenshot(animations="disabled")
    finally:
        context.close()


def _wait(page: Page, text: str) -> None:
    """Until the page shows this text, or has something of that name, all charts in view are drawn and nothing loads."""
    page.wait_for_function(SEEN, arg=text)
    page.wait_for_function(SETTLED)
    page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")


def main(arguments: Sequence[str]) -> None:
    """Pages in every window and theme into a folder, all or those that are named; or what is shown to where it is."""
    if not arguments:
        make_page_pictures()
        return
    folder, *names = arguments
    everything = product(names or VIEWS, (DESKTOP, PHONE), THEMES)
    make_page_pictures(Path(folder), [Picture(view, size, theme) for view, size, theme in everything])


if __name__ == "__main__":
    main(sys.argv[1:])
