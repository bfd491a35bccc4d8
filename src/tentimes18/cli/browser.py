"""The user's browser: opened at the page of a service, when that is ready."""

import os
import webbrowser
from http.client import HTTPException
from threading import Thread
from time import monotonic, sleep
from typing import Final
from urllib.request import ProxyHandler, build_opener

from tentimes18.cli.output import write

__all__ = ["is_ours", "open_page", "open_when_ready", "seen_from_here"]

EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
PATIENCE: Final = 60.0  # seconds, for a service to be ready
PAUSE: Final = 0.1
_DIRECT: Final = build_opener(ProxyHandler({}))  # what runs here is not asked for through a proxy


def seen_from_here(host: str) -> str:
    """The host by which this machine finds what listens at this one."""
    return EVERYWHERE.get(host, host)


def is_ours(address: str) -> bool:
    """Whether this game is served there, and ready."""
    try:
        with _DIRECT.open(f"{address}/health", timeout=2.0) as answer:
            return bool(answer.headers.get("server") == "ten18")
    except (OSError, HTTPException):
        return False


def open_page(address: str) -> None:
    """Open the browser there, or say that there is none."""
    if not _opened(address):
        write(f"No browser can be opened here: go to {address}\n")


def _opened(address: str) -> bool:
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser and "BROWSER" not in os.environ:
        return False  # one that would take the terminal
    return browser.open(address)


def open_when_ready(address: str) -> None:
    """Open the browser there as soon as somebody answers; returns at once."""

    def wait() -> None:
        end = monotonic() + PATIENCE
        while not is_ours(address) and monotonic() < end:
            sleep(PAUSE)
        open_page(address)

    Thread(target=wait, name="ten18 browser", daemon=True).start()
