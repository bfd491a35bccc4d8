"""The access log: one JSON object a line, one line a request, by the logger `tentimes18.access`.

A line has no path, query, cookie or body, so no id, no invite and no roll: the template of the route stands for the
path, a keyed hash for the player (the same player has the same, and without the service's secret nobody can tell who it
is), and the address lacks its last part.

Lines are handed to `logging` in one piece a few times a second: a record of many lines costs as much as one of one.
"""

import asyncio
import hmac
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from time import time
from typing import Any, Final

from tentimes18.server.edge.addresses import shortened
from tentimes18.server.edge.visits import Visit

__all__ = ["LOGGER", "LOGGING", "AccessLog"]

LOGGER: Final = logging.getLogger("tentimes18.access")
LOGGING: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"bare": {"format": "%(message)s"}, "plain": {"format": "%(asctime)s %(levelname)s %(message)s"}},
    "handlers": {
        "bare": {"class": "logging.StreamHandler", "formatter": "bare", "stream": "ext://sys.stderr"},
        "plain": {"class": "logging.StreamHandler", "formatter": "plain", "stream": "ext://sys.stderr"},
    },
    "loggers": {
        "_granian": {"handlers": ["plain"], "propagate": False},
        "tentimes18": {"handlers": ["plain"], "level": "INFO", "propagate": False},
        "tentimes18.access": {"handlers": ["bare"], "level": "INFO", "propagate": False},
    },
}
"""What a process of the service logs, and where to: for `logging.config`."""
SECONDS: Final = 0.25
MOST_LINES: Final = 500
_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_HASH_LENGTH: Final = 12  # hex digits


class AccessLog:
    """Writes a line about every visit.

    >>> log = AccessLog(b"secret", clock=lambda: 1_800_000_000.25)
    >>> visit = Visit("GET", "/health", {}, "192.0.2.7", began=0.0)
    >>> visit.status, visit.sent, visit.ended = 200, 15, 0.01
    >>> log.line(visit)[:50]
    '{"time": "2027-01-15T08:00:00.240Z", "method": "GE'
    """

    def __init__(self, secret: bytes, clock: Callable[[], float] = time) -> None:
        key = hmac.digest(secret, b"ten18 access log", "sha256")
        self._clock = clock
        self._lines: list[str] = []
        self._second = -1
        self._date = ""
        self._hash_of = lru_cache(4096)(lambda player: hmac.digest(key, player.encode(), "sha256").hex()[:_HASH_LENGTH])

    def __call__(self, visit: Visit) -> None:
        """Write a line about a visit that has ended."""
        if not LOGGER.isEnabledFor(logging.INFO):
            return
        self._lines.append(self.line(visit))
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(SECONDS, self.flush)
        elif len(self._lines) >= MOST_LINES:
            self.flush()

    def line(self, visit: Visit) -> str:
        """The line about a visit."""
        seconds = visit.ended - visit.began
        began = self._clock() - seconds
        second, part = divmod(int(began * 1000), 1000)
        if second != self._second:
            self._second = second
            self._date = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        method = visit.method if visit.method in _METHODS else "other"
        player = "null" if visit.player is None else f'"{self._hash_of(visit.player)}"'
        return (
            f'{{"time": "{self._date}.{part:03d}Z", "method": "{method}", '
            f'"route": "{visit.template}", "status": {visit.status}, "ms": {seconds * 1000:.2f}, '
            f'"bytes": {visit.sent}, "player": {player}, "address": "{shortened(visit.address)}"}}'
        )

    def flush(self) -> None:
        """Hand on what has been written; once more at the end of the service."""
        if self._lines:
            lines, self._lines = self._lines, []
            LOGGER.info("%s", "\n".join(lines))
