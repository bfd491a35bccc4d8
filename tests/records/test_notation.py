"""Moves and records as text and JSON: every round trip, and one line for each rejected text."""

import json
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, IllegalMove, InvalidDice, InvalidGame, Placement, Ten18Error
from tentimes18.game import Number
from tentimes18.records.formats import Line, read_records, written_lines
from tentimes18.records.notation import (
    OWN_FIELDS,
    Record,
    format_json,
    format_moves,
    format_record,
    format_value,
    parse_json,
    parse_moves,
    parse_record,
    record_from_json,
    record_to_json,
)
from tests.support.records import AWKWARD_TEXTS, assert_one_line, records

placements = st.builds(Placement, st.integers(-(10**15) + 1, 10**15 - 1), st.integers(0, 10**9 - 1))


@given(st.lists(placements, max_size=12))
def test_round_trip(moves: list[Placement]) -> None:
    text = format_moves(moves)
    assert parse_moves(text) == moves
    assert format_moves(parse_moves(text)) == text


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", []),
        ("  \n\t ", []),
        ("8@5", [(8, 5)]),
        ("8@5 4@1 12@7", [(8, 5), (4, 1), (12, 7)]),
        ("8@5,4@1", [(8, 5), (4, 1)]),
        (" 8@5 ,\n4@1, ", [(8, 5), (4, 1)]),
        ("-3@2 +4@1 0@3", [(-3, 2), (4, 1), (0, 3)]),
        ("008@05", [(8, 5)]),
    ],
)
def test_accepted(text: str, moves: list[tuple[int, int]]) -> None:
    found = parse_moves(text)
    assert found == moves
    assert all(isinstance(move, Placement) for move in found)


NO_MOVES: Final = """
    nonsense 8 8@ @5 8@@5 8@5@1 8@-5 8@+5 8.0@5 8@5.0 1e1@5 8@5;4@1 8:5 ½@5 8@x --8@5 8@1000000000 1000000000000000@5
    8_0@5 ٨@٥ 8@５
"""


@pytest.mark.parametrize("text", ["8 @5", "8@ 5", "8@5 x", "8@" + "5" * 1000, *NO_MOVES.split()])
def test_rejected(text: str) -> None:
    with pytest.raises(
        InvalidGame, match=r"^moves: cannot read '.{1,60}'; accepted: rolls and slots like 8@5"
    ) as refused:
        parse_moves(text)
    assert "\n" not in str(refused.value)


@settings(max_examples=40)
@given(records())
def test_a_record_comes_back_from_text(record: Record) -> None:
    line = format_record(record)
    assert len(line.splitlines()) == 1
    found = parse_record(line)
    assert found == record
    assert format_record(found) == line


@settings(max_examples=40)
@given(records())
def test_a_record_comes_back_from_json(record: Record) -> None:
    assert record_from_json(record_to_json(record)) == record
    line = format_json(record)
    assert "\n" not in line
    assert "\r" not in line
    found = parse_json(line)
    assert found == record
    assert repr(found.tags) == repr(dict(record.tags))
    assert parse_json(json.dumps(record_to_json(record), indent=2)) == record


@pytest.mark.parametrize("text", AWKWARD_TEXTS, ids=lambda text: ascii(text)[:12])
def test_awkward_texts(text: str) -> None:
    """As a comment, as a value and as a name; on a line, in JSON and in a table."""
    for tags in ({"comment": text}, {"x": text}, {"y": 1, text: text} if text not in OWN_FIELDS else {"x": [text]}):
        record = Record(Board(Game.classic()), tags=tags)
        assert parse_record(format_record(record)) == parse_json(format_json(record)) == record
        [line] = read_records(written_lines([record], ".csv"))
        assert isinstance(line, Line)
        assert line.record == record


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "tags",
    [
        *(
            {"x": value}
            for value in (float("nan"), float("inf"), (1, 2), {1, 2}, {1: 2}, b"x", Fraction(1, 2), object())
        ),
        *({"x": value} for value in ("\ud800", "\ud83d\ude00", ["\udcff"], {"\udcff": 1}, 10**5000, nested(60))),
        *({"x": [float("nan")]}, {1: 2}, {None: 2}, {"\ud800": 1}, {"x": nested(50_000)}),
        *({name: 1} for name in ("version", "dice", "slots", "moves", "roll", "score", "opponent")),
    ],
    ids=lambda tags: ascii(next(iter(tags)))[:10],
)
def test_tags_that_no_notation_keeps(tags: dict[Any, Any]) -> None:
    with pytest.raises(InvalidGame, match=r"^tags: ") as refused:
        Record(Board(Game.classic()), tags=tags)
    assert_one_line(refused.value)


def test_tags_as_deep_as_they_may_be() -> None:
    record = Record(Board(Game.classic()), tags={"x": nested(49), "y": 10**999})
    assert parse_record(format_record(record)) == parse_json(format_json(record)) == record


def test_records_that_cannot_be() -> None:
    game, other = Game.classic(), Game.parse("3d6", "2-11")
    full = Board.replay(Game.parse("1d6", "1,2"), [(1, 1), (2, 2)])
    one, other_roll = Board(game).place(9, 1), Board(game).place(8, 1)
    for board, roll, opponent in (
        (Board(game), None, Board(other)),
        (one, None, other_roll),
        (one, None, Board(game)),
        (full, 1, None),
    ):
        with pytest.raises(InvalidGame):
            Record(board, roll, opponent)
    with pytest.raises(IllegalMove, match="never shows 2"):
        Record(Board(game), roll=2)


@pytest.mark.parametrize(
    ("line", "score", "roll", "tags"),
    [
        ("", 0, None, {}),
        ("8@5 4@1", 44, None, {}),
        ("8@5,9@?", 40, 9, {}),
        ("8@5 9@?,", 40, 9, {}),
        ("\t9@?  ", 0, 9, {}),
        ("8@5\t9@?", 40, 9, {}),
        ("3d6 1-10:8@5", 40, None, {}),
        ("3d6   1-10:   8@5   ;;  ; name =  Ada  ;", 40, None, {"name": "Ada"}),
        ("2d12:12=2 1,2: 24@2; x=1", 48, None, {"x": 1}),
        ("1d6-3 -2--1: -2@2 -1@1", 4, None, {}),
        ("7 1/3,1/2: 7@2", Fraction(7, 2), None, {}),
        ("3D6 10,9,8: 8@1 # best of three", 64, None, {"comment": "best of three"}),
        ("8@5; score=40", 40, None, {}),
        ("8@5; score=40.0", 40, None, {}),
        ("7 1/3: 7@1; score=7/3", Fraction(7, 3), None, {}),
        ("8@5; opponent=8@4", 40, None, {}),
        ("8@5 9@?; opponent=8@4 9@?", 40, 9, {}),
        ("8@5; opponent=[[8, 4]]", 40, None, {}),
        ("8@5; name=Ada = Eve; x=7 days", 40, None, {"name": "Ada = Eve", "x": "7 days"}),
        ('8@5; "a=b"=1; ""=2; true=3; 7=4', 40, None, {"a=b": 1, "": 2, "true": 3, "7": 4}),
        ('8@5 # "quoted" and not', 40, None, {"comment": '"quoted" and not'}),
        ("8@5 # [1] # 2; x=3", 40, None, {"comment": "[1] # 2; x=3"}),
        ("8@5; comment=7", 40, None, {"comment": 7}),
        ("8@5 #", 40, None, {"comment": ""}),
        ("8@5; x=NaN; y=nan; z=", 40, None, {"x": "NaN", "y": "nan", "z": ""}),
    ],
)
def test_lines_a_person_writes(line: str, score: Number, roll: int | None, tags: dict[str, Any]) -> None:
    record = parse_record(line)
    assert (record.board.score, record.roll, record.tags) == (score, roll, tags)
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("3x6 1-10: 8@5", "dice '3x6'"),
        ("3d6 1-x: 8@5", "slots '1-x'"),
        ("3d6 1-10 8@5", "moves: cannot read '3d6'"),
        ("3d6 1 - 10: 8@5", "moves: cannot read '3d6'"),
        ("8@5 4@5", "moves: slot 5 already holds 8"),
        ("8@11", "moves: there is no slot 11"),
        ("19@1", "moves: roll: 3d6 never shows 19"),
        ("9@? 8@5", "moves: cannot read '9@?'"),
        ("9@? 9@?", "moves: cannot read '9@?'"),
        ("2@?", "moves: roll: 3d6 never shows 2"),
        ("1d6 1: 2@1 3@?", "moves: the board is full"),
        ("8@5; name", "tags: cannot read 'name'"),
        ("8@5; name # x=1", "tags: cannot read 'name'"),
        ("8@5; =1", "tags: cannot read ''"),
        ('8@5; "name', "tags: cannot read"),
        ("8@5; a=1; a=2", "tags: 'a' is given twice"),
        ("8@5; comment=a # b", "tags: 'comment' is given twice"),
        ("8@5; x=1e400", "tags: 'x' has a value that JSON cannot hold"),
        ("8@5; dice=3d6", "dice: not a tag"),
        ("8@5; version=2", "version: not a tag"),
        ("8@5; score=41", "score: '41' is given, and the moves make 40"),
        ("8@5; score=1e9999999", "score: "),
        ("8@5; score=Ada", "score: 'Ada' is not a number"),
        ("8@5; score=true", "score: 'True' is not a number"),
        ("8@5; opponent=9@4", "opponent: "),
        ("8@5; opponent=", "opponent: "),
        ("8@5; opponent=8@4 9@?", "opponent: the roll 9 waits there"),
        ("8@5; opponent=7", "moves: cannot read '7'"),
    ],
)
def test_lines_that_are_no_game(line: str, reason: str) -> None:
    with pytest.raises(InvalidGame if not reason.startswith("dice '") else InvalidDice) as refused:
        parse_record(line)
    assert str(refused.value).startswith(reason)
    assert_one_line(refused.value)


GOOD: Final = {"version": 1, "dice": "3d6", "slots": "1-10", "moves": "8@5", "roll": 4, "opponent": "8@4", "score": 40}
WRONG: Final[tuple[Any, ...]] = (
    *(True, 2, 0, -1, 1.5, "", "x", "\n", "2", [], {}, [[]], [[8]], [[8, 5, 1]], [["8", 5]], [[True, 5]], [8, 5]),
    *([[8, 5], None], "8@5\n4@5", "8@5 4@1\n9@?", {"a": 1}, 10**20, 10**5000, -(10**5000), [[8, 10**5000]], b"8@5"),
    *("9" * 10_000, float("nan"), float("inf"), "\ud800", "\0", nested(2000), ["1", 2.5, nested(2000)], "1e999999999"),
    *([1, float("nan")], [True], "1-1000001", "1-9999999999999999", "999999d6", "-", "@", "1/0", "0/0", " 40", "4_0"),
    "3d6\n",
)


@pytest.mark.parametrize("name", GOOD)
def test_fields_of_the_wrong_kind(name: str) -> None:
    """A field may be anything: what comes out is a game, or one line."""
    refused = 0
    for value in WRONG:
        try:
            record_from_json(GOOD | {name: value})
        except Ten18Error as error:
            assert_one_line(error)
            refused += 1
    assert refused >= len(WRONG) - 8


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"moves": "8@5", "moves": "8@4"}', "JSON: a name is given twice"),
        ('{"moves": "8@5", "x": {"a": 1, "a": 2}}', "JSON: a name is given twice"),
        ('{"x": NaN}', "JSON: NaN is not a number"),
        ('{"x": -Infinity}', "JSON: -Infinity is not a number"),
        ('{"moves": "", "x": 1e999}', "tags: 'x' has a value that JSON cannot hold"),
        ('{"moves": "", "x": "\\ud800"}', "tags: 'x' has a value that JSON cannot hold"),
        ('{"x": ' + "[" * 100_000, "JSON: too deep"),
        ('{"moves": "", "x": ' + "[" * 200 + "]" * 200 + "}", "tags: 'x' has a value that JSON cannot hold"),
        ('{"games": []}', "moves: missing"),
        ('{"x": ' + "9" * 5000 + "}", "JSON: "),
        ('{"version": 2, "moves": "8@5"}', "version: '2' is not a known version"),
        ('{"moves": "8@5", "score": 41}', "score: '41' is given, and the moves make 40"),
        ('{"moves": "8@5", "score": 40.5}', "score: '40.5' is given, and the moves make 40"),
        ('{"moves": "8@5", "score": null}', "score: 'None' is not a number"),
        ("", "JSON: "),
        ("{", "JSON: "),
        ("8@5", "JSON: "),
    ],
    ids=lambda text: text[:30],
)
def test_json_that_is_no_game(text: str, reason: str) -> None:
    with pytest.raises(Ten18Error) as refused:
        parse_json(text)
    assert str(refused.value).startswith(reason)
    assert_one_line(refused.value)


@settings(max_examples=60)
@given(records(), st.data())
def test_damaged_lines(record: Record, data: st.DataObject) -> None:
    """Letters that are lost, doubled or replaced: a game, or one line."""
    for read, line in ((parse_record, format_record(record)), (parse_json, format_json(record))):
        start = data.draw(st.integers(0, len(line)))
        end = data.draw(st.integers(start, min(len(line), start + 4)))
        put = data.draw(st.sampled_from(("", " ", ";", "#", "@", "?", '"', "9", "\n", "{", "=", ":", "\0", line[:8])))
        try:
            found = read(line[:start] + put + line[end:])
        except Ten18Error as error:
            assert_one_line(error)
        else:
            assert parse_record(format_record(found)) == found


VALUES: dict[str, Any] = {"Ada Lovelace": "Ada Lovelace", '"7"': "7", "7": 7, '"true"': "true", "true": True}
VALUES |= {"null": None, '""': "", '" a"': " a", '"a;b"': "a;b", '"a#b"': "a#b", '"a\\nb"': "a\nb", "[1]": [1]}


@pytest.mark.parametrize("text", VALUES)
def test_values_that_need_no_quotes(text: str) -> None:
    assert format_value(VALUES[text]) == text
