"""The access log: one JSON object a line, one line a request, by the logger `tentimes18.access`.

A line has no path, query, cookie or body, so no id, no invite and no roll: the template of the route stands for the
path, a keyed hash for the player (the same player has the same, and without the service's secret nobody can tell who it
is), and the address lacks its last part.

Lines are handed to `logging` together a few times a second: a record of many lines costs as much as one of one.
"""

import asyncio
import hmac
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from time import time

from tentimes18.server.addresses import shortened
from tentimes18.server.request import RequestInfo

LOGGER = logging.getLogger("tentimes18.access")
SECONDS = 0.25
MAX_LINES = 500
HASH_LENGTH = 12  # hex digits


class AccessLog:
    """Writes a line about every request."""

    def __init__(self, secret: bytes, clock: Callable[[], float] = time) -> None:
        key = hmac.digest(secret, b"ten18 access log", "sha256")
        self._clock = clock
        self._lines: list[str] = []
        self._second = -1
        self._date = ""
        self._hash_of = lru_cache(4096)(lambda player: hmac.digest(key, player.encode(), "sha256").hex()[:HASH_LENGTH])

    def write(self, info: RequestInfo) -> None:
        """Write a line about a request that has ended."""
        if not LOGGER.isEnabledFor(logging.INFO):
            return
        self._lines.append(self.line(info))
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(SECONDS, self.flush)
        elif len(self._lines) >= MAX_LINES:
            self.flush()

    def line(self, info: RequestInfo) -> str:
        """The line about a request."""
        seconds = info.end - info.start
        began = self._clock() - seconds
        second, part = divmod(int(began * 1000), 1000)
        if second != self._second:
            self._second = second
            self._date = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        player = "null" if info.player is None else f'"{self._hash_of(info.player)}"'
        return (
            f'{{"time": "{self._date}.{part:03d}Z", "method": "{info.known_method}", '
            f'"route": "{info.route}", "status": {info.status}, "ms": {seconds * 1000:.2f}, '
            f'"bytes": {info.sent}, "player": {player}, "address": "{shortened(info.address)}"}}'
        )

    def flush(self) -> None:
        """Hand on what has been written; once more at the end of the service."""
        if self._lines:
            lines, self._lines = self._lines, []
            LOGGER.info("%s", "\n".join(lines))
