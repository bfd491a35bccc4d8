"""Names: what is taken, what is not, and what those are called who have none."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import Ten18Error
from tentimes18.server.names import LONGEST_NAME, Names, read_name


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
        ("x" * LONGEST_NAME, "x" * LONGEST_NAME),
        ("?", "?"),
    ],
)
def test_names_that_are_taken(given: str, kept: str) -> None:
    assert read_name(given) == kept


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "\u3000", "x" * (LONGEST_NAME + 1)),
        *("a\nb", "a\tb", "a\x00b", "\x1b[31m", "a\x7fb", "a\x85b"),  # control
        *("a\u202eb", "a\u2066b", "\u200fAda", "a\u061cb"),  # direction
        *("\u200b", "a\u200bb", "a\u200db", "a\u2060b", "a\ufeffb", "a\u00adb"),  # zero width
        *("\u3164", "\u115f", "\uffa0", "\u2800", "a\U000e0101b", "a\u180eb", "\U000e0041"),  # invisible
        *("a\u2028b", "a\u00a0b", "\ud800", "\ue000", "\u0378"),  # lines, blanks, no characters
        "\u0301\u0301",  # marks without a letter
        "a" + "\u0336" * 5,
    ],
    ids=lambda name: name.encode("unicode_escape").decode()[:20],
)
def test_names_that_are_refused(name: str) -> None:
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
    assert 1 <= len(name) <= LONGEST_NAME
    assert name.isprintable()


def test_guests() -> None:
    names, others = Names(b"x" * 32), Names(b"y" * 32)
    players = [f"{number:022}" for number in range(2000)]
    shown = [names.shown(player, None) for player in players]
    assert all(name.removeprefix("Guest ").isdecimal() and len(name) == 10 for name in shown)
    assert len(set(shown)) > 1500  # out of 9000, about 1800 are expected
    assert sum(names.shown(player, None) == others.shown(player, None) for player in players) < 10
    assert names.shown(players[0], "Ada") == "Ada"
