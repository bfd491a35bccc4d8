"""Very many games read at once: every game, every refusal and its reason as the reader of single lines has them."""

import json
from collections.abc import Sequence
from io import BytesIO
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.game import Game
from tentimes18.records.files import BadLine, Line, read_line, read_records
from tentimes18.records.many import GamesReader, ManyGames, moves_of_records
from tentimes18.records.notation import Record, format_json, format_record, parse_record, record_to_json
from tentimes18.records.sources import line_blocks, texts_of
from tests.support.records import boards, records

SIGNS: Final = [
    *'0189@ ,.:;=#"{}[]eE+-\\?aé\x00\t/',
    "00",
    "1e999",
    "9" * 16,
    "8@5",
    " 4@1",
    "score",
    '"a": 1, ',
    "\\u0031",
]
PLAIN_TAGS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"name": "Ada"},
    {"name": "Ada", "seed": 1987},
    {"date": "2026-11-05", "x": [1.25, {"y": -3}]},
)


def one_by_one(lines: Sequence[str]) -> list[Line | BadLine]:
    """The exact reader, whatever the first line is."""
    return [
        read_line(number, text)
        for number, line in enumerate(lines, start=1)
        if (text := line.removeprefix("\ufeff") if number == 1 else line).strip() and not text.strip().startswith("#")
    ]


def read_at_once(content: bytes, size: int = 1 << 20) -> GamesReader:
    reader = GamesReader()
    for block in line_blocks(BytesIO(content), size):
        reader.read(block)
    return reader


def assert_same(content: bytes, size: int = 1 << 20) -> GamesReader:
    """At once as one by one: the games and their columns, what is bad, and what examples stand for."""
    expected = one_by_one(list(texts_of(line_blocks(BytesIO(content)))))
    reader = read_at_once(content, size)
    games, lines = reader.games(), [line for line in expected if isinstance(line, Line)]
    assert list(games) == lines
    assert sorted(reader.bad) == [line for line in expected if isinstance(line, BadLine)]
    assert games.numbers.tolist() == [line.number for line in lines]
    assert (reader.count, reader.first) == (len(lines), lines[0].number if lines else None)
    columns = moves_of_records([line.record for line in lines])
    assert [column.tolist() for column in games.moves] == [column.tolist() for column in columns]
    for line, kind in zip(lines, games.kinds.tolist(), strict=True):
        one, other = line.record, games.examples[kind]
        assert one.board.game == other.board.game
        assert (one.opponent is None) == (other.opponent is None)
        for tag in ("aim", "takebacks"):
            assert one.tags.get(tag) == other.tags.get(tag)
    return reader


@st.composite
def damaged_lines(draw: st.DrawFn) -> list[str]:
    """Lines of the same few games in one form, some of them with something else in them."""
    game = draw(st.sampled_from([Game.classic(), Game.parse("1d6", "1-3"), Game.parse("d{-7,0,40}", "1/2,2")]))
    tags = draw(st.sampled_from(PLAIN_TAGS))
    form = draw(
        st.sampled_from(
            [format_json, format_record, lambda record: json.dumps(record_to_json(record), separators=(",", ":"))]
        )
    )
    lines = [form(Record(draw(boards(game)), None, None, dict(tags))) for _ in range(draw(st.integers(1, 6)))]
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(lines) - 1))
        start = draw(st.integers(0, len(lines[place])))
        end = start + draw(st.integers(0, 2))
        lines[place] = lines[place][:start] + draw(st.sampled_from([*SIGNS, ""])) + lines[place][end:]
    return draw(st.permutations(lines * draw(st.integers(1, 2))))


@settings(max_examples=300)
@given(damaged_lines(), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.sampled_from([40, 1000, 1 << 20]))
def test_damaged_lines(lines: list[str], end: str, is_ended: bool, size: int) -> None:
    assert_same((end.join(lines) + (end if is_ended else "")).encode(), size)


@settings(max_examples=60)
@given(st.lists(records(), max_size=4), st.sampled_from([format_json, format_record]))
def test_any_records(found: list[Record], form: object) -> None:
    assert callable(form)
    assert_same("\n".join(form(record) for record in found).encode())


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=8) | st.sampled_from([b"8@5 4@1", b"8@5; x=", b'{"moves": "8@5"', b"}", b"\n"])))
def test_hostile_bytes(parts: list[bytes]) -> None:
    assert_same(b"".join(parts))


@pytest.mark.parametrize("form", [format_json, format_record])
def test_plain_lines_are_read_at_once(form: object) -> None:
    """None of them has a record of its own: else nothing would be tested above."""
    assert callable(form)
    lines = [
        form(parse_record(f"3d6 1-10: {roll}@5 {roll}@1 9@10; name=Ada; seed=7; game={roll}; date=2026-01-{roll:02}"))
        for roll in range(3, 19)
    ]
    games = assert_same("\n".join(lines).encode()).games()
    assert (len(games), len(games.examples)) == (16, 1)


def test_the_first_of_an_object_or_a_table_is_for_the_other_reader() -> None:
    """`read_records` knows other forms of files; whoever reads at once asks `are_lines` before."""
    lines = ["8@5 4@1\n", '{"moves": "9@3"}\n', "# mine\n", "nonsense\n"]
    assert list(read_records(lines)) == one_by_one(lines)


@pytest.fixture
def games() -> ManyGames:
    lines = [
        "8@5 4@1; a=1",
        "1d6 1-3: 4@1; aim=target:9",
        "8@5; a=2",
        "x",
        "9@3 3@9; a=3",
        "1d6 1-3: 4@1; opponent=4@2",
    ]
    return read_at_once("\n".join(lines).encode()).games()


def test_a_sequence_of_lines(games: ManyGames) -> None:
    assert [line.number for line in games] == [1, 2, 3, 5, 6]
    assert games[-1].record.opponent is not None
    assert [line.number for line in games[1:3]] == [2, 3]
    assert games[1:3].moves.rolls.tolist() == [4, 8]
    assert [line.record.board.score for line in games[::2]] == [44, 40, 4]
    with pytest.raises(IndexError):
        games[5]


def test_some_of_the_games(games: ManyGames) -> None:
    rest = games.without([2, 3, 99])
    assert [(line.number, line.record.board.score) for line in rest] == [(1, 44), (5, 54), (6, 4)]
    assert rest.moves.rounds.tolist() == [2, 2, 1]
    assert games.without([]) is games
    found = games.find(5)
    assert found is not None
    assert found.record.tags == {"a": 3}
    assert (games.find(4), games.find(7), games.find(0)) == (None, None, None)
    assert games.numbers_where(lambda record: record.opponent is None) == [1, 2, 3, 5]


def test_sorted_by_a_key(games: ManyGames) -> None:
    found = games.sorted_by(lambda record: record.board.game.size)
    assert {size: [line.number for line in part] for size, part in found.items()} == {10: [1, 3, 5], 3: [2, 6]}
    assert list(found) == [10, 3]
    assert [len(part.records()) for part in found.values()] == [1, 2]
    assert list(games[1:].sorted_by(lambda record: record.board.game.size)) == [3, 10], "the first game's first"
    assert games.sorted_by(lambda _: "all") == {"all": games}
    assert ManyGames.of([]).sorted_by(lambda record: record.finished) == {}
    assert ManyGames.of([]).numbers_where(lambda record: record.finished) == []
