"""Files of games: every form gives back what was written, and a bad line costs no other."""

import json
from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, InvalidGame
from tentimes18.records.formats import ENDINGS, BadLine, JsonValue, Line, read_records, read_values, written_lines
from tentimes18.records.notation import Record, format_json, format_record, parse_record
from tests.support.records import assert_one_line, records


def read(lines: Iterable[str]) -> list[Record]:
    found = list(read_records(lines))
    assert [line for line in found if isinstance(line, BadLine)] == []
    return [line.record for line in found if isinstance(line, Line)]


def outcome(lines: Iterable[str]) -> list[tuple[int, object]]:
    """The number of each line with the score it made, or the first word of what was wrong with it."""
    return [
        (line.number, line.record.board.score if isinstance(line, Line) else line.reason.split()[0])
        for line in read_records(lines)
    ]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@settings(max_examples=10)
@given(games=st.lists(records(), max_size=3))
def test_files_come_back(
    ending: str, newline: str, games: list[Record], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"games{ending}"
    lines = list(written_lines(games, ending))
    assert all(not set(line) & set("\r\n") for line in lines)
    path.write_bytes("".join(line + newline for line in lines).encode())
    with path.open(encoding="utf-8") as file:
        assert read(file) == games
    assert read(lines) == games


@settings(max_examples=15)
@given(st.lists(records(), min_size=1, max_size=2))
def test_forms_may_be_mixed(games: list[Record]) -> None:
    assert read([format_record(games[0]), *map(format_json, games)]) == [games[0], *games]


def test_a_table_made_of_an_iterator() -> None:
    named = parse_record("8@5; name=Ada")
    assert read(written_lines(iter([named, parse_record("8@5")]), ".csv")) == [named, parse_record("8@5")]
    with pytest.raises(InvalidGame, match="tags: 'age' has no column"):
        list(written_lines(iter([named, parse_record("8@5; age=7")]), ".csv"))


OTHERS: Final = ("8@5", "4@1; name=Ada", '{"moves": "18@10"}')


BAD: Final = (
    *("8@5 4@5", "nonsense", '{"moves": "8@5"', '{"moves": 7}', '{"version": 2}', "\0\1\2", "\ufffd\ufffd", "9@? 1"),
    *('{"x": NaN}', '{"x": 1e400}', '{"moves": "8@5", "score": 41}', '{"x": ' + "[" * 100_000, "8@5; a", "]"),
    *('{"a": 1, "a": 2}', '"moves"x', "8@5; a=1; a=2", "x" * 200_000, "8@" + "5" * 200_000, "٨@٥"),
)


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad[:12])
@pytest.mark.parametrize("place", range(4))
def test_a_bad_line_costs_no_other(bad: str, place: int) -> None:
    lines = [*OTHERS[:place], bad, *OTHERS[place:]]
    found = list(read_records(line + "\n" for line in lines))
    assert [line.number for line in found] == [1, 2, 3, 4]
    assert [line.number for line in found if isinstance(line, BadLine)] == [place + 1]
    assert [line.record for line in found if isinstance(line, Line)] == read(OTHERS)
    for line in found:
        if isinstance(line, BadLine):
            assert_one_line(InvalidGame(line.reason))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], []),
        (["", " \n", "# nothing"], []),
        (["# ten18 games, version 1", "", "8@5", "  ", " # more", "4@5 4@5"], [(3, 40), (6, "moves:")]),
        (["\ufeff8@5", "4@1"], [(1, 40), (2, 4)]),
        (["\ufeff", "4@1"], [(2, 4)]),
        (["\ufeff# ten18 games", "4@1"], [(2, 4)]),
        (['\ufeff{"moves": "8@5"}'], [(1, 40)]),
        (["8@5\r\n", "4@1\r\n"], [(1, 40), (2, 4)]),
        (["8@5\r4@1"], [(1, 44)]),
        (["[]"], []),
        ([" [", '{"moves": "8@5"}', "]"], [(1, 40)]),
        (['[{"moves": "8@5"}, 7, null, {"moves": "4@1"}]'], [(1, 40), (2, "JSON:"), (3, "JSON:"), (4, 4)]),
        (["", "[1, 2"], [(2, "JSON:")]),
        (["[" * 100_000], [(1, "JSON:")]),
        (["8@5; name=a,moves,b", "4@1"], [(1, 40), (2, 4)]),
        (["8@5 # one,moves,two", "4@1"], [(1, 40), (2, 4)]),
        (["8@5 # " + "x" * 200_000], [(1, 40)]),
        (["moves", "8@5", "4@1"], [(2, 40), (3, 4)]),
        (["\ufeff moves ,name", '"8@5","A, ""B"""', "4@1,"], [(2, 40), (3, 4)]),
        (
            ["name,moves,score", "Ada,8@5,40", "Eve,8@5,41", "", "# x", "Ada,8@5"],
            [(2, 40), (3, "score:"), (6, "table:")],
        ),
        (["moves,name,name", "8@5,a,b"], [(1, "table:")]),
        (['moves,"name', "8@5,a"], [(1, "table:")]),
        (["moves,name", '8@5,"a', "8@5,a,b", "4@1,a"], [(2, "table:"), (3, "table:"), (4, 4)]),
        (["moves,name", "8@5," + "x" * 200_000], [(2, 40)]),
        (["moves,dice,slots,roll", "7@1,7,3,", "3@?,,,9", "8@5,,,9"], [(2, 21), (3, "roll:"), (4, 40)]),
        (["name;moves\r\n", "Ada;8@5\r\n", '"A; B";4@1\r\n'], [(2, 40), (3, 4)]),
        (["name\tmoves", "Ada\t8@5"], [(2, 40)]),
        (["8@5; moves", "4@1"], [(1, "tags:"), (2, 4)]),
    ],
    ids=lambda lines: "|".join(map(str, lines))[:24] if isinstance(lines, list) else "",
)
def test_lines_and_their_numbers(lines: list[str], expected: list[tuple[int, object]]) -> None:
    assert outcome(lines) == expected


@given(
    st.lists(st.text(max_size=20) | st.text(alphabet='moves,name"[]{}:#;@895 \n\r\ufeff\0', max_size=20), max_size=5)
)
def test_any_lines_are_read(lines: list[str]) -> None:
    last = 0
    for line in read_records(lines):
        assert last < line.number
        last = line.number
        if isinstance(line, BadLine):
            assert_one_line(InvalidGame(line.reason))
    if not any(text.lstrip("\ufeff").lstrip().startswith("[") for text in lines):
        assert last <= len(lines)


def test_a_file_is_read_as_it_comes() -> None:
    """The first game is there before the last line is: a file may be long, or still be written."""
    for first in ("8@5", '{"moves": "8@5"}'):
        taken: list[int] = []

        def lines(first: str = first, taken: list[int] = taken) -> Iterable[str]:
            for number in range(1000):
                taken.append(number)
                yield first

        line = next(read_records(lines()))
        assert isinstance(line, Line)
        assert line.record.board == Board(Game.classic()).place(8, 5)
        assert len(taken) < 5


OBJECTS = st.lists(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5)), min_size=1, max_size=5)


def values_of(text: str) -> list[Any]:
    found = list(read_values(text.splitlines(keepends=True)))
    assert all(isinstance(line, JsonValue) for line in found)
    return [line.value for line in found if isinstance(line, JsonValue)]


@given(OBJECTS)
def test_all_forms_hold_the_same(objects: list[dict[str, Any]]) -> None:
    assert values_of("\n\n".join(map(json.dumps, objects))) == objects
    assert values_of(json.dumps(objects)) == objects
    assert values_of("\ufeff" + json.dumps(objects, indent=2)) == objects
    assert values_of(f"\n {json.dumps(objects[0], indent=1)}\n\n") == objects[:1]


def test_values_have_their_numbers() -> None:
    found = list(read_values(["\n", '{"a": 1}\n', "\n", "nonsense\n", '{"a": 2}']))
    assert [line.number for line in found] == [2, 4, 5]
    assert isinstance(found[1], BadLine)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Expecting property name"),
        ('{\n"a": 1,\n"b": \n}\n', "line 4 column 1"),
        ("[1, 2", "Expecting ',' delimiter"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": 1, "a": 2}', "a name is given twice"),
        ("[" * 100_000, "too deep"),
        ('{"a":' * 100_000, "too deep"),
        ("9" * 4001, "a number of more than 4000 digits"),
    ],
    ids=lambda text: text[:20],
)
def test_text_that_is_not_json_is_reported_once(text: str, reason: str) -> None:
    (line,) = read_values(text.splitlines(keepends=True))
    assert isinstance(line, BadLine)
    assert line.reason.startswith("JSON: ")
    assert reason in line.reason
