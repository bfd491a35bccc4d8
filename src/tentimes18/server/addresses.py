"""Where a request comes from: the address of the next hop, or the one that a trusted proxy names.

Behind a proxy, `X-Forwarded-For` ends with what the proxy itself has seen; what precedes that, anybody can have
written. Without a proxy of ours the header is ignored.
"""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from litestar.types import Scope

NOWHERE = "local"
"""Where a request comes from that came by no network."""
MAX_CACHED = 16_384
MAX_LENGTH = 64  # characters of an address with its port


def address_of(scope: Scope, headers: Mapping[bytes, bytes], *, is_behind_proxy: bool) -> str:
    """The address that sent a request."""
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
    if isinstance(address, IPv4Address):
        return str(address) if bits == 32 else str(ip_network((address, bits), strict=False))
    return str(ip_network((address, bits_of_6), strict=False))


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
