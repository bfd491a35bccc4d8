"""The user's browser: asked for where it can be, and never one that takes the terminal."""

import webbrowser
from pathlib import Path

import pytest

from tentimes18.cli.serve_commands import is_ours, open_page, open_when_ready
from tests.support.process import until
from tests.support.service import free_port, serving


class Watched(webbrowser.BaseBrowser):
    def __init__(self) -> None:
        super().__init__("watched")
        self.seen: list[str] = []

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:  # noqa: ARG002
        self.seen.append(url)
        return True


def test_the_page_is_opened(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    browser = Watched()
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    open_page("http://127.0.0.1:1")
    assert browser.seen == ["http://127.0.0.1:1"]
    assert capsys.readouterr().out == ""


def test_without_a_browser_the_address_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing() -> None:
        raise webbrowser.Error

    monkeypatch.delenv("BROWSER", raising=False)
    for get in (nothing, lambda: webbrowser.GenericBrowser("lynx")):
        monkeypatch.setattr(webbrowser, "get", get)
        open_page("http://127.0.0.1:1")
        assert capsys.readouterr().out == "Cannot open a browser here: go to http://127.0.0.1:1\n"


def test_it_waits_until_the_service_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Watched()
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    assert not is_ours(f"http://127.0.0.1:{free_port()}")
    with serving(tmp_path) as server:
        open_when_ready(server.url)
        until(lambda: browser.seen == [server.url], "the page is opened")
        assert is_ours(server.url)
