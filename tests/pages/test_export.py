"""The app as plain files on a static host, in a folder of it: it plays, and asks nobody for anything."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tentimes18.app import page_html
from tentimes18.app.page_html import write_site
from tentimes18.app.static_files import AppFile, app_files
from tests.support.browser import PHONE, Guard, NewPlayer, play_to_the_end, with_worker

VERSION = "document.documentElement.dataset.version"
UPDATE = "navigator.serviceWorker.ready.then((found) => found.update()).then(() => null)"
DAY = 86_400


@dataclass
class Host:
    """A static host; ``asked`` are the paths that were asked for. It does not send the lab while that is withheld."""

    folder: Path
    url: str = ""
    asked: list[str] = field(default_factory=list)
    sends_lab: Event = field(default_factory=Event)

    def publish_newer(self, monkeypatch: pytest.MonkeyPatch) -> str:
        """Replace the app by a version that differs in a style sheet; the new version."""
        frame = app_files()["style/frame.css"]
        newer = {**app_files(), frame.path: AppFile(frame.path, frame.data + b"\n")}
        monkeypatch.setattr(page_html, "app_files", lambda: newer)
        return write_site(self.folder)["version"]


class Handler(SimpleHTTPRequestHandler):
    def __init__(self, *args: Any, host: Host, **more: Any) -> None:
        self.host = host
        super().__init__(*args, **more)

    def do_GET(self) -> None:
        if self.path.endswith("/pages/lab.js"):
            self.host.sends_lab.wait()
        super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=600")  # as on GitHub Pages
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ARG002
        self.host.asked.append(self.path)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host on which the app lies in a folder of a folder, since yesterday.

    HTTP dates have whole seconds: two versions of the same second would be the same to a browser.
    """
    host = Host(tmp_path / "games" / "ten18")
    host.sends_lab.set()
    write_site(host.folder)
    yesterday = time.time() - DAY
    for path in host.folder.rglob("*"):
        os.utime(path, (yesterday, yesterday))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(tmp_path), host=host))
    host.url = f"http://127.0.0.1:{server.server_port}/games/ten18"
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield host
    finally:
        host.sends_lab.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def player(new_player: NewPlayer, guard: Guard, host: Host) -> BrowserContext:
    """A player of the host; whatever else is asked for is foreign."""
    guard.base_url = host.url
    return new_player(PHONE)


def test_a_game_is_played_in_a_subfolder(player: BrowserContext, host: Host) -> None:
    page = player.new_page()
    page.goto(f"{host.url}/")
    page.get_by_role("button", name="Roll the dice").click()
    assert len(play_to_the_end(page)) == 10
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("navigation", name="All pages").get_by_role("link")).to_have_count(5)
    page.get_by_role("dialog").get_by_role("link", name="About").click()
    expect(page).to_have_url(f"{host.url}/about/")
    page.reload()
    expect(page).to_have_title("About · Ten times eighteen")
    assert [path for path in host.asked if not path.startswith("/games/ten18/")] == []
    assert [path for path in host.asked if "/api/" in path.removesuffix(".js")] == []


def test_without_the_network_it_plays_on(new_player: NewPlayer, guard: Guard, host: Host) -> None:
    guard.base_url = host.url
    guard.allow("ERR_INTERNET_DISCONNECTED")
    player = new_player(PHONE, service_workers="allow")
    page = with_worker(player, f"{host.url}/")
    player.set_offline(True)
    before = len(host.asked)
    for name in ("about", "lab", "drill", "review"):
        page.goto(f"{host.url}/{name}/")
        expect(page.get_by_role("heading", level=1)).to_be_attached()
    page.goto(f"{host.url}/")
    page.get_by_role("button", name="Roll the dice").click()
    assert len(play_to_the_end(page)) == 10
    # A browser looks for a new worker on a line of its own, which is not cut.
    assert [path for path in host.asked[before:] if not path.endswith("/worker.js")] == []


def test_a_new_version_is_announced_and_loaded_when_the_player_agrees(
    new_player: NewPlayer, guard: Guard, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard.base_url = host.url
    page = new_player(PHONE, service_workers="allow").new_page()
    page.goto(f"{host.url}/about/")
    page.evaluate("navigator.serviceWorker.ready")
    page.evaluate("caches.open('ten18 /another/ 000000000000').then(() => null)")  # of the same host
    before = page.evaluate(VERSION)
    after = host.publish_newer(monkeypatch)
    assert before != after
    page.evaluate(UPDATE)
    expect(page.get_by_text("A new version is ready.")).to_be_visible()
    assert page.evaluate(VERSION) == before
    page.get_by_role("button", name="Reload").click()
    expect(page.locator(f"html[data-version='{after}']")).to_be_attached()
    expect(page).to_have_title("About · Ten times eighteen")
    kept = page.evaluate("navigator.serviceWorker.ready.then(() => caches.keys())")
    assert kept == ["ten18 /another/ 000000000000", f"ten18 /games/ten18/ {after}"]


def test_a_tab_opened_while_a_new_version_is_fetched_hears_of_it_and_follows_the_other_tab(
    new_player: NewPlayer, guard: Guard, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard.base_url = host.url
    player = new_player(PHONE, service_workers="allow")
    first = with_worker(player, f"{host.url}/about/")
    host.sends_lab.clear()
    after = host.publish_newer(monkeypatch)
    first.evaluate(UPDATE)
    second = with_worker(player, f"{host.url}/about/")
    expect(second.get_by_role("heading", level=1)).to_be_visible()
    host.sends_lab.set()
    for page in (first, second):
        expect(page.get_by_text("A new version is ready.")).to_be_visible()
    for page in (first, second):
        page.get_by_role("button", name="Reload").click()
        expect(page.locator(f"html[data-version='{after}']")).to_be_attached()
