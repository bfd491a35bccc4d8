"""Records and games that strangers send."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import Ten18Error
from tentimes18.records.notation import format_record, parse_json, parse_record
from tentimes18.server.uploads import (
    MAX_CHECKED_LINES,
    MAX_GAMES,
    check_texts,
    read_form,
    read_record,
    read_upload,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
GAMES = Path("docs/games")
FAIR, ALTERED, START = ((GAMES / name).read_text() for name in ("fair.json", "altered.json", "fair-start.json"))
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "moves": st.sampled_from(["", "8@5", "8@5 4@1", "9@?", "99@99"]) | JSON,
        "dice": st.sampled_from(["3d6", "2d6", "9d999"]) | JSON,
        "slots": st.sampled_from(["1-10", "1-99999", [1, 2, 0.5]]) | JSON,
        "roll": st.integers(-5, 25) | JSON,
        "score": st.integers(0, 90) | JSON,
        "opponent": st.sampled_from(["8@1", ""]) | JSON,
        "id": st.sampled_from(["A" * 22, "A" * 23]) | JSON,
        "name": JSON,
    },
)


@given(st.lists(JSON | FIELDS | st.binary(max_size=30), max_size=6))
def test_whatever_is_sent_each_line_is_a_record_or_bad(sent: list[object]) -> None:
    lines = [part if isinstance(part, bytes) else json.dumps(part).encode() for part in sent]
    body = b"\n".join(lines)
    found = read_upload(body)
    filled = [number for number, line in enumerate(body.split(b"\n"), 1) if line.strip()]
    assert sorted([record.line for record in found.records] + [bad.number for bad in found.bad]) == filled
    assert found.bad_count == len(found.bad)
    for record in found.records:
        again = read_upload(record.text.encode())
        assert [kept.text for kept in again.records] == [record.text]  # as it is kept, and known again
        parse_json(record.text)
        assert record.id is None or record.id == "A" * 22


def test_dice_are_computed_once_and_an_import_has_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    body = b'{"dice": "24d5kh20", "slots": "1-3", "moves": "80@1"}\n' * 4_000  # more than the budget, one by one
    assert len(read_upload(body).records) == 4_000
    monkeypatch.setattr("tentimes18.server.uploads.MAX_SECONDS", -1.0)
    found = read_upload(b'{"moves": ""}\n{"moves": ""}')
    assert (found.records, found.bad_count) == ([], 2)
    assert "send the rest again" in found.bad[0].reason


def test_a_record_is_known_again_however_it_is_written() -> None:
    body = b'{"moves": [[8, 5], [4, 1]], "dice": "3d6"}\n{"slots": "1-10", "moves": "8@5 4@1", "score": 44}\n'
    first, second = read_upload(body).records
    assert first.text == second.text


@pytest.mark.parametrize("tag", [{"name": "a\u0000b"}, {"a\u001bb": 1}, {"notes": [{"x": "a\u0085b"}]}, {"id": "\n"}])
def test_a_control_character_in_a_tag_is_rejected(tag: dict[str, object]) -> None:
    good = {"moves": "8@5", "name": "Zo\u00eb \u1f469\u200d", "notes": [{"x": "\u00a0"}]}
    found = read_upload(f"{json.dumps(good)}\n{json.dumps({'moves': '8@5'} | tag)}".encode())
    assert [record.line for record in found.records] == [1]
    (bad,) = found.bad
    assert bad.number == 2
    assert "has a control character" in bad.reason
    assert bad.reason.isprintable()


@given(JSON | FIELDS | st.binary(max_size=60) | st.text(max_size=60))
def test_whatever_is_sent_is_one_record_or_rejected_in_a_line(sent: object) -> None:
    body = sent if isinstance(sent, bytes) else (sent if isinstance(sent, str) else json.dumps(sent)).encode()
    try:
        record = read_record(body)
    except Ten18Error as error:
        assert "\n" not in str(error)
    else:
        assert read_record(format_record(record).encode()) == record


def test_one_record_as_text_and_as_json() -> None:
    record = parse_record("2d6 1,2,3: 8@2 4@1 9@?; name=Ada; elo=1500 # slow")
    assert read_record(format_record(record).encode()) == record
    assert read_record(b"\xef\xbb\xbf\n" + format_record(record).encode() + b"\n\n") == record
    assert (
        read_record(json.dumps({"dice": "2d6", "slots": [1, 2, 3], "moves": "8@2"}, indent=2).encode()).board.score
        == 16
    )


def test_several_lines_as_a_browser_sends_them() -> None:
    one = json.dumps(json.loads(FAIR))
    answer = check_texts(f"{one}\r\n\r\nnonsense\r\n{one}")
    assert (answer.games, answer.verified) == (2, 2)
    assert [line.line for line in answer.bad_lines] == [3]
    assert check_texts(one.replace("ten-times-eighteen", "a\u2028b")).games == 1


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
        (json.dumps([json.loads(FAIR)] * (MAX_GAMES + 1)), "", "games"),
        ("x\n" * (MAX_CHECKED_LINES + 1), "", "games"),
        (FAIR, "nonsense", "start"),
        (FAIR, '{"days": 7}', "start"),
        (FAIR, '{"moves": "", "slots": "1-1000000"}', "start"),
    ],
    ids=range(13),
)
def test_what_cannot_be_checked_is_reported_in_a_line(games: str, start: str, field: str) -> None:
    with pytest.raises(Ten18Error) as found:
        check_texts(games, start)
    assert found.value.field == field
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("body", [b"games=1&games=2", b"game=1", b"games=%ff", b"\xff", b"&".join([b"games=1"] * 20)])
def test_another_form_is_rejected(body: bytes) -> None:
    with pytest.raises(Ten18Error):
        read_form(body)
    assert read_form(b"") == {}
