"""Who a player is: a random id in a signed cookie, and nothing else.

A cookie is made for the first request that needs one; the player is put down in the store with the first thing to keep.
Who holds the secret can make any cookie, who does not can make none.
"""

import hmac
from base64 import urlsafe_b64encode
from re import compile as pattern
from secrets import token_urlsafe

from litestar.datastructures import Cookie

COOKIE = "ten18"
COOKIE_SECONDS = 5 * 365 * 24 * 3600
ID_BYTES = 16
MAX_KNOWN = 50_000
ID_PATTERN = r"^[A-Za-z0-9_-]{22}$"
_ID = pattern(ID_PATTERN)


def new_id() -> str:
    """An id that nobody can guess: 128 bits in 22 characters."""
    return token_urlsafe(ID_BYTES)


def is_id(text: str) -> bool:
    """Whether a text could be an id."""
    return _ID.fullmatch(text) is not None


class Signer:
    """Signs ids with the service's secret."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"ten18 player cookie", "sha256")
        self._known: dict[str, str] = {}  # players by cookies that were good: their marks are not computed again

    def sign(self, player: str) -> str:
        """What the cookie of a player holds."""
        return f"{player}.{self._mark(player)}"

    def player(self, signed: str) -> str | None:
        """The player of a cookie that was signed here."""
        if (known := self._known.get(signed)) is not None:
            return known
        player, _, mark = signed.partition(".")
        if not is_id(player) or not hmac.compare_digest(mark.encode(), self._mark(player).encode()):
            return None
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()
        self._known[signed] = player
        return player

    def cookie(self, player: str, *, is_secure: bool) -> Cookie:
        """What has a browser be this player from now on."""
        return Cookie(
            COOKIE, value=self.sign(player), max_age=COOKIE_SECONDS, secure=is_secure, httponly=True, samesite="lax"
        )

    def _mark(self, player: str) -> str:
        return urlsafe_b64encode(hmac.digest(self._key, player.encode(), "sha256")).rstrip(b"=").decode()
