"""Who a player is: a random id in a signed cookie, and nothing else.

A cookie is made for the first request that needs one; the player is put down in the store with the first thing to keep.
Who holds the secret can make any cookie, who does not can make none.
"""

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from re import compile as pattern
from secrets import token_urlsafe
from typing import Final

from fastapi import Request, Response

from tentimes18.server.edge.visits import Visit

__all__ = ["COOKIE", "ID_PATTERN", "Caller", "Signer", "forget", "is_id", "new_id"]

COOKIE: Final = "ten18"
YEARS: Final = 5 * 365 * 24 * 3600
ID_BYTES: Final = 16
MOST_KNOWN: Final = 50_000
ID_PATTERN: Final = r"^[A-Za-z0-9_-]{22}$"

_ID: Final = pattern(ID_PATTERN)


def new_id() -> str:
    """An id that nobody can guess: 128 bits in 22 characters.

    >>> len(new_id())
    22
    """
    return token_urlsafe(ID_BYTES)


def is_id(text: str) -> bool:
    """Whether a text could be an id.

    >>> is_id(new_id()), is_id("optimal")
    (True, False)
    """
    return _ID.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent a request; ``is_new`` if it came without a cookie of ours."""

    player: str
    is_new: bool


class Signer:
    """Signs ids with the service's secret.

    >>> signer = Signer(b"x" * 32)
    >>> cookie = signer.cookie("A" * 22)
    >>> signer.player(cookie), signer.player(cookie[:-1] + "!"), signer.player(None)
    ('AAAAAAAAAAAAAAAAAAAAAA', None, None)
    """

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"ten18 player cookie", "sha256")
        self._known: dict[str, str] = {}  # players by cookies that were good: their marks are not computed again

    def cookie(self, player: str) -> str:
        """The cookie of a player."""
        return f"{player}.{self._mark(player)}"

    def player(self, cookie: str | None) -> str | None:
        """The player of a cookie that was signed here."""
        if cookie is None:
            return None
        if (known := self._known.get(cookie)) is not None:
            return known
        player, _, mark = cookie.partition(".")
        if not is_id(player) or not hmac.compare_digest(mark.encode(), self._mark(player).encode()):
            return None
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[cookie] = player
        return player

    def caller(self, request: Request) -> Caller:
        """Who sent this request: the player of its cookie, or a new one."""
        visit: Visit = request.scope["visit"]  # whose cookie was read at the edge, by `player`
        player = visit.player
        return Caller(new_id(), is_new=True) if player is None else Caller(player, is_new=False)

    def greet(self, response: Response, caller: Caller, *, is_secure: bool) -> None:
        """Give a new player the cookie."""
        if caller.is_new:
            self.set(response, caller.player, is_secure=is_secure)

    def set(self, response: Response, player: str, *, is_secure: bool) -> None:
        """Have the browser be this player from now on."""
        response.set_cookie(
            COOKIE, self.cookie(player), max_age=YEARS, path="/", secure=is_secure, httponly=True, samesite="lax"
        )

    def _mark(self, player: str) -> str:
        return urlsafe_b64encode(hmac.digest(self._key, player.encode(), "sha256")).rstrip(b"=").decode()


def forget(response: Response) -> None:
    """Have the browser forget who it was."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
