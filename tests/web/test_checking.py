"""Games that strangers want checked."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import Ten18Error
from tentimes18.server.checking import MOST_GAMES, MOST_LINES, check_texts, read_form

GAMES = Path("docs/games")
FAIR, ALTERED, START = ((GAMES / name).read_text() for name in ("fair.json", "altered.json", "fair-start.json"))
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4)


def test_a_fair_game_and_an_altered_one() -> None:
    assert check_texts(FAIR, START)["verified"] == 1
    answer = check_texts(ALTERED)
    assert (answer["games"], answer["verified"]) == (1, 0)
    assert [part["round"] for part in answer["results"][0]["rounds"] if not part["verified"]] == [3]
    other = json.dumps(json.loads(START) | {"commitments": ["00" * 32] * 10})
    assert check_texts(FAIR, other)["results"][0]["problems"] == ["the commitments are not those of the start"]


def test_several_lines_as_a_browser_sends_them() -> None:
    one = json.dumps(json.loads(FAIR))
    answer = check_texts(f"{one}\r\n\r\nnonsense\r\n{one}")
    assert (answer["games"], answer["verified"]) == (2, 2)
    assert [line["line"] for line in answer["bad_lines"]] == [3]
    assert check_texts(one.replace("ten-times-eighteen", "a\u2028b"))["games"] == 1


def test_the_public_list_of_days() -> None:
    daily = json.loads(FAIR) | {"day": "2026-11-16", "kind": "daily"}
    days = {"days": [{"day": "2026-11-16", "commitments": daily["commitments"]}]}
    assert check_texts(json.dumps(daily), json.dumps(days))["verified"] == 1
    days["days"][0]["commitments"] = []
    assert check_texts(json.dumps(daily), json.dumps(days))["verified"] == 0


@pytest.mark.parametrize(
    ("games", "start", "field"),
    [
        ("", "", "games"),
        (" \n", START, "games"),
        ("nonsense", "", "games"),
        ("{}", "", "games"),
        ("[" * 100_000, "", "games"),
        ("9" * 100_000, "", "games"),
        ('{"moves": "", "slots": "1-1000000"}', "", "games"),
        ('{"moves": "", "dice": "99999d99999"}', "", "games"),
        (json.dumps([json.loads(FAIR)] * (MOST_GAMES + 1)), "", "games"),
        ("x\n" * (MOST_LINES + 1), "", "games"),
        (FAIR, "nonsense", "start"),
        (FAIR, '{"days": 7}', "start"),
        (FAIR, '{"moves": "", "slots": "1-1000000"}', "start"),
    ],
    ids=range(13),
)
def test_what_cannot_be_checked_is_told_in_a_line(games: str, start: str, field: str) -> None:
    with pytest.raises(Ten18Error) as found:
        check_texts(games, start)
    assert found.value.field == field
    assert "\n" not in str(found.value)


@given(st.dictionaries(st.sampled_from(sorted(json.loads(FAIR))), JSON))
def test_whatever_is_changed_it_is_told_and_nothing_breaks(changes: dict[str, object]) -> None:
    try:
        answer = check_texts(json.dumps(json.loads(FAIR) | changes))
    except Ten18Error:
        return
    assert answer["games"] == 1


@pytest.mark.parametrize("body", [b"games=1&games=2", b"game=1", b"games=%ff", b"\xff", b"&".join([b"games=1"] * 20)])
def test_another_form_is_refused(body: bytes) -> None:
    with pytest.raises(Ten18Error):
        read_form(body)
    assert read_form(b"") == {}
