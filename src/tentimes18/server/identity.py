"""The sender of a request: the address, the player of a signed cookie, and the player's name.

A player is a random id in a cookie that the service's secret signs. A cookie is made for the first request that needs
one; the player is stored with the first thing to keep. A name is text that can be shown anywhere: nothing in it is
invisible, turns the direction of what follows, or climbs over the line above.

Behind a proxy, `X-Forwarded-For` ends with the address that the proxy has seen; a client can write what precedes it.
Without a proxy the header is ignored.
"""

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from secrets import token_urlsafe
from unicodedata import category, normalize
from unicodedata import name as unicode_name

from litestar.datastructures import Cookie
from litestar.types import Scope

from tentimes18.errors import Ten18Error

COOKIE = "ten18"
SECURE_COOKIE = f"__Host-{COOKIE}"
"""Over TLS: browsers take a cookie of this name from this host only, never from a sub-domain."""
COOKIE_SECONDS = 5 * 365 * 24 * 3600
ID_BYTES = 16
MAX_KNOWN = 50_000
ID_PATTERN = r"^[A-Za-z0-9_-]{22}$"
_ID = re.compile(ID_PATTERN)

MAX_NAME = 30
RESERVED = re.compile(
    r"guest ?[0-9]*|admin|administrator|moderator|operator|owner|root|server|service|someone|support|system|unnamed|"
    r"ten18|tentimes18|random|greedy|bands|nearest|optimal|(the )?(perfect player|hunter|equilibrium)|seven hundred|"
    r"target:700|hindsight"
)
"""Names of guests, of the bots, and those that speak for the server."""
# Letters of other alphabets that look like Latin ones.
LOOK_ALIKES = str.maketrans("аеорсухіјѕһԁԛԝьвнмткгαβεηικνορτυχω0135", "aeopcyxijshdqwbhhmtkrabehikvoptuxwoles")
ALPHABETS = frozenset({"ARMENIAN", "CYRILLIC", "GREEK", "LATIN"})
MAX_MARKS = 4  # on one letter
GUESTS = 9000
STYLES = "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"  # of an emoji, which phones write behind it
# Letters and marks by their category, and nothing to the eye.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)

NOWHERE = "local"  # where a request comes from that came by no network
MAX_CACHED = 16_384
MAX_LENGTH = 64  # characters of an address with its port


def new_id() -> str:
    """An id of 22 characters that nobody can guess. A dash at its start would make it look like an option."""
    while (id_ := token_urlsafe(ID_BYTES)).startswith("-"):
        pass
    return id_


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


class Signer:
    """Signs cookies with a secret, and still knows those that were signed with an old one."""

    def __init__(self, secret: bytes, old: bytes | None = None) -> None:
        keys = [one for one in (secret, old) if one is not None]
        self._keys = [hmac.digest(key, b"ten18 player cookie", "sha256") for key in keys]
        self._known: dict[str, str] = {}  # players by cookies that were good: their marks are not computed again

    def sign(self, player: str) -> str:
        return f"{player}.{_mark(self._keys[0], player)}"

    def player(self, signed: str) -> str | None:
        if (known := self._known.get(signed)) is not None:
            return known
        player, _, mark = signed.partition(".")
        marks = [_mark(key, player) for key in self._keys] if is_id(player) else []
        if not any(hmac.compare_digest(mark.encode(), own.encode()) for own in marks):
            return None
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()
        self._known[signed] = player
        return player

    def cookie(self, player: str, *, is_secure: bool) -> Cookie:
        """The cookie that makes a browser this player; without a player, the one that makes it forget."""
        name, seconds = SECURE_COOKIE if is_secure else COOKIE, COOKIE_SECONDS if player else 0
        value = self.sign(player) if player else ""
        return Cookie(name, value=value, max_age=seconds, secure=is_secure, httponly=True, samesite="lax")


def _mark(key: bytes, player: str) -> str:
    return urlsafe_b64encode(hmac.digest(key, player.encode(), "sha256")).rstrip(b"=").decode()


def read_name(text: str) -> str:
    """A name as it is kept: composed, without blanks around it; raises ``Ten18Error`` where it cannot be shown."""
    name = " ".join(part for part in normalize("NFC", text).strip().split(" ") if part)
    name = "".join(letter for letter in name if letter not in STYLES)
    kinds = "".join(category(letter)[0] for letter in name)
    problem = None
    if not 1 <= len(name) <= MAX_NAME:
        problem = f"{len(name)} characters"
    elif not name.isprintable() or not INVISIBLE.isdisjoint(name):
        problem = "it has a character that cannot be seen"
    elif set("LNPS").isdisjoint(kinds):
        problem = "it has no letter"
    elif "M" * (MAX_MARKS + 1) in kinds:
        problem = "it has too many marks on one letter"
    elif len(ALPHABETS & {unicode_name(letter, "").partition(" ")[0] for letter in name}) > 1:
        problem = "it mixes letters of several alphabets"
    elif is_reserved(name):
        problem = "it is reserved"
    if problem:
        raise Ten18Error(f"{problem}; accepted: 1 to {MAX_NAME} printable characters", "name")
    return name


def is_reserved(name: str) -> bool:
    """Whether a name is reserved, or looks like one that is.

    >>> [name for name in ("Admin", "АDМІN", "0ptimal", "Guest 1234", "Ada", "Optima") if is_reserved(name)]
    ['Admin', 'АDМІN', '0ptimal', 'Guest 1234']
    """
    plain = "".join(letter for letter in normalize("NFKD", name).casefold() if category(letter)[0] != "M")
    return any(RESERVED.fullmatch(text.strip(" ._-")) for text in (plain, plain.translate(LOOK_ALIKES)))


class Names:
    """Names of those who have given none: always the same for a player, and it reveals nothing."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"ten18 guest names", sha256)

    def shown(self, player: str, name: str | None) -> str:
        if name is not None:
            return name
        mark = hmac.digest(self._key, player.encode(), sha256)
        return f"Guest {1000 + int.from_bytes(mark[:8], 'big') % GUESTS}"


def address_of(scope: Scope, headers: Mapping[bytes, bytes], *, is_behind_proxy: bool) -> str:
    if is_behind_proxy and (forwarded := headers.get(b"x-forwarded-for")) is not None:
        last = forwarded.rpartition(b",")[2].strip()
        if len(last) <= MAX_LENGTH and (address := _read(last.decode("latin-1"))) is not None:
            return str(address)
    client = scope.get("client")
    return str(client[0]) if client else NOWHERE


@lru_cache(MAX_CACHED)
def household(address: str) -> str:
    """What is counted as one: an IPv4 address, or the /64 that one connection has of IPv6.

    >>> household("192.0.2.7"), household("2001:db8:1:2:3:4:5:6"), household("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    return _network(address, 32, 64)


@lru_cache(MAX_CACHED)
def shortened(address: str) -> str:
    """An address as the log has it, without its last part: /24, or /48 of IPv6."""
    return _network(address, 24, 48)


def _network(text: str, bits: int, bits_of_6: int) -> str:
    address = _read(text)
    if address is None:
        return NOWHERE
    network = ip_network((address, bits if address.version == 4 else bits_of_6), strict=False)
    return str(network).removesuffix("/32")


def _read(text: str) -> IPv4Address | IPv6Address | None:
    """An address, also as some proxies write it: with a port, in brackets."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address
