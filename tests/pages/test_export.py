"""The app as plain files on a static host, in a folder of it: it plays, and asks nobody for anything."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tentimes18.app import site
from tentimes18.app.site import write_site
from tentimes18.app.static_files import AppFile, app_files
from tests.support.browser import PHONE, Guard, NewPlayer, play_to_the_end, with_worker

VERSION = "document.documentElement.dataset.version"


@dataclass
class Host:
    """A static host; ``asked`` are the paths that were asked for."""

    folder: Path
    url: str
    asked: list[str] = field(default_factory=list)


class Quiet(SimpleHTTPRequestHandler):
    def __init__(self, *args: Any, host: list[str], **more: Any) -> None:
        self.host = host
        super().__init__(*args, **more)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ARG002
        self.host.append(self.path)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host on which the app lies in a folder of a folder."""
    asked: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path), host=asked))
    thread = Thread(target=server.serve_forever)
    thread.start()
    write_site(tmp_path / "games" / "ten18")
    try:
        yield Host(tmp_path / "games" / "ten18", f"http://127.0.0.1:{server.server_port}/games/ten18", asked)
    finally:
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
    newer = {**app_files(), "style/frame.css": AppFile("style/frame.css", app_files()["style/frame.css"].data + b"\n")}
    monkeypatch.setattr(site, "app_files", lambda: newer)
    after = write_site(host.folder)["version"]
    assert before != after
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update()).then(() => null)")
    expect(page.get_by_text("A new version is ready.")).to_be_visible()
    assert page.evaluate(VERSION) == before
    page.get_by_role("button", name="Reload").click()
    expect(page.locator(f"html[data-version='{after}']")).to_be_attached()
    expect(page).to_have_title("About · Ten times eighteen")
    kept = page.evaluate("navigator.serviceWorker.ready.then(() => caches.keys())")
    assert kept == ["ten18 /another/ 000000000000", f"ten18 /games/ten18/ {after}"]
