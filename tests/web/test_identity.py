"""The sender of a request: signed cookies, addresses, names."""

from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import Ten18Error
from tentimes18.server.identity import (
    COOKIE,
    MAX_NAME,
    NOWHERE,
    Names,
    Signer,
    address_of,
    household,
    new_id,
    read_name,
    shortened,
)
from tests.support.web import opened_hall

SIGNER = Signer(b"x" * 32)
PLAYER = "A" * 22


def test_an_id_is_never_taken_for_an_option_of_a_command() -> None:
    assert not any(new_id().startswith("-") for _ in range(2_000))


def test_a_cookie_names_its_player_and_no_other_secret_made_it() -> None:
    cookie = SIGNER.sign(PLAYER)
    assert SIGNER.player(cookie) == PLAYER
    assert Signer(b"y" * 32).player(cookie) is None
    mark = cookie.partition(".")[2]
    for edited in (
        PLAYER,
        f"{PLAYER}.",
        f".{mark}",
        f"{'B' * 22}.{mark}",
        f"{cookie}.{mark}",
        f'"{cookie}"',
        f"{cookie}=",
    ):
        assert SIGNER.player(edited) is None


def test_after_a_rotation_old_cookies_are_good_and_new_ones_have_the_new_key() -> None:
    rotated = Signer(b"y" * 32, old=b"x" * 32)
    assert rotated.player(SIGNER.sign(PLAYER)) == PLAYER
    assert rotated.sign(PLAYER) == Signer(b"y" * 32).sign(PLAYER)
    assert Signer(b"y" * 32).player(SIGNER.sign(PLAYER)) is None


@given(place=st.integers(0, 65), letter=st.characters(max_codepoint=255))
def test_an_edited_cookie_is_nobodys(place: int, letter: str) -> None:
    cookie = SIGNER.sign(PLAYER)
    edited = cookie[:place] + letter + cookie[place + 1 :]
    assert SIGNER.player(edited) == (PLAYER if edited == cookie else None)


async def test_the_cookie_that_a_browser_gets(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        told = (await ada.post("/games")).headers["set-cookie"].lower()
        assert told.startswith(f"{COOKIE}=")
        assert "httponly" in told
        assert "samesite=lax" in told
        assert "secure" not in told
        assert "set-cookie" not in (await ada.post("/games")).headers
    behind = {"x-forwarded-proto": "https"}
    async with opened_hall(tmp_path, is_behind_proxy=True) as hall, hall.visitor(behind) as bob:
        assert "secure" in (await bob.post("/games")).headers["set-cookie"].lower()
    async with opened_hall(tmp_path) as hall, hall.visitor(behind) as eve:
        assert "secure" not in (await eve.post("/games")).headers["set-cookie"].lower()


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


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada\u0301 ", "Ad\u00e1"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("\u6f22\u5b57", "\u6f22\u5b57"),
        ("\u05d0\u05d3\u05d4", "\u05d0\u05d3\u05d4"),  # letters that run from the right are letters
        ("\U0001f3b2", "\U0001f3b2"),
        ("I \u2764\ufe0f dice", "I \u2764 dice"),
        ("\u0e40\u0e2a\u0e35\u0e49\u0e22\u0e27", "\u0e40\u0e2a\u0e35\u0e49\u0e22\u0e27"),
        ("x" * MAX_NAME, "x" * MAX_NAME),
        ("?", "?"),
    ],
)
def test_names_that_are_taken(given: str, kept: str) -> None:
    assert read_name(given) == kept


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "\u3000", "x" * (MAX_NAME + 1)),
        *("a\nb", "a\tb", "a\x00b", "\x1b[31m", "a\x7fb", "a\x85b"),  # control
        *("a\u202eb", "a\u2066b", "\u200fAda", "a\u061cb"),  # direction
        *("\u200b", "a\u200bb", "a\u200db", "a\u2060b", "a\ufeffb", "a\u00adb"),  # zero width
        *("\u3164", "\u115f", "\uffa0", "\u2800", "a\U000e0101b", "a\u180eb", "\U000e0041"),  # invisible
        *("a\u2028b", "a\u00a0b", "\ud800", "\ue000", "\u0378"),  # lines, blanks, no characters
        "\u0301\u0301",  # marks without a letter
        "a" + "\u0336" * 5,
        *("Guest 1234", "guest", "optimal", "Equilibrium", "target:700", "someone", "ADMIN", "0ptimal"),
        *("\u0410\u0434a", "\u0410DMIN", "\u0430\u0501\u043c\u0456\u0578", "\uff21dmin"),  # look-alikes
    ],
    ids=lambda name: name.encode("unicode_escape").decode()[:20],
)
def test_names_that_are_rejected(name: str) -> None:
    with pytest.raises(Ten18Error) as error:
        read_name(name)
    assert error.value.field == "name"
    assert str(error.value).isprintable()


@given(st.text(max_size=40))
def test_a_name_is_kept_as_it_was_kept(text: str) -> None:
    try:
        name = read_name(text)
    except Ten18Error:
        return
    assert read_name(name) == name == normalize("NFC", name).strip()
    assert 1 <= len(name) <= MAX_NAME
    assert name.isprintable()


def test_guests() -> None:
    names, others = Names(b"x" * 32), Names(b"y" * 32)
    players = [f"{number:022}" for number in range(2000)]
    shown = [names.shown(player, None) for player in players]
    assert all(name.removeprefix("Guest ").isdecimal() and len(name) == 10 for name in shown)
    assert len(set(shown)) > 1500  # out of 9000, about 1800 are expected
    assert sum(names.shown(player, None) == others.shown(player, None) for player in players) < 10
    assert names.shown(players[0], "Ada") == "Ada"
