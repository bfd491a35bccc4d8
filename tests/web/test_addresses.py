"""Addresses: whose word is taken, and what is counted as one."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.server.addresses import NOWHERE, address_of, household, shortened

SCOPE: Any = {"client": ("198.51.100.1", "80")}


def behind(told: str) -> str:
    return address_of(SCOPE, {b"x-forwarded-for": told.encode("latin-1")}, is_behind_proxy=True)


def test_the_proxy_is_heard_alone() -> None:
    assert behind("192.0.2.7") == "192.0.2.7"
    assert behind("127.0.0.1, 10.0.0.1,192.0.2.7") == "192.0.2.7"
    assert behind("192.0.2.7:51234") == "192.0.2.7"
    assert behind("[2001:db8::1]:443") == "2001:db8::1"
    assert behind("2001:db8::1") == "2001:db8::1"


def test_nonsense_falls_back_to_the_next_hop() -> None:
    for told in ("", "unknown", "192.0.2.7, ", "_hidden", "1.2.3.4.5", "x" * 5000, "\xff"):
        assert behind(told) == "198.51.100.1"


def test_without_a_proxy_the_header_is_nothing() -> None:
    assert address_of(SCOPE, {b"x-forwarded-for": b"192.0.2.7"}, is_behind_proxy=False) == "198.51.100.1"
    assert address_of(SCOPE | {"client": None}, {}, is_behind_proxy=False) == NOWHERE


@given(st.ip_addresses(v=6))
def test_a_household_has_64_bits_of_its_address(address: object) -> None:
    one = int(address) >> 64 << 64  # type: ignore[call-overload]
    first, last = (household(str(type(address)(number))) for number in (one, one + 2**64 - 1))  # type: ignore[call-arg]
    assert first == last or "::ffff" in str(address)


def test_the_log_has_less_than_a_household() -> None:
    assert shortened("192.0.2.255") == shortened("192.0.2.1") == "192.0.2.0/24"
    assert shortened("2001:db8:1:2::1") == shortened("2001:db8:1:ffff::1") == "2001:db8:1::/48"
    assert shortened("::ffff:192.0.2.7") == "192.0.2.0/24"
    assert household("fe80::1%eth0") == "fe80::/64"
    assert household("x") == shortened("x") == NOWHERE
