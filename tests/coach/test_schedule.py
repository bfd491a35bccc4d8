"""The schedule of a drill: how long a position rests, and its file, which keeps its form."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from tentimes18.coach.schedule import RESTS, Schedule, ScheduledPosition, Source, key_of
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.records.notation import parse_record

TODAY: Final = date(2026, 11, 15)


def test_a_right_answer_moves_up_and_a_wrong_one_to_the_first_box(tmp_path: Path) -> None:
    schedule, record = Schedule(tmp_path), parse_record("3d6 1-10: 8@5 9@?")
    boxes = [schedule.move(record, Source.close, True, TODAY) for _ in range(7)]
    assert [found.box for found in boxes] == [2, 3, 4, 5, 6, 6, 6]
    assert [(found.due - TODAY).days for found in boxes] == [*RESTS[1:], RESTS[-1], RESTS[-1]]
    first = schedule.move(record, Source.close, False, TODAY)
    assert (first.box, first.due) == (1, TODAY)
    assert schedule.positions() == [first]


def test_the_same_question_on_another_board(tmp_path: Path) -> None:
    """It counts what is free, not what stands in the slots."""
    schedule = Schedule(tmp_path)
    for line in ("1d6 1-3: 4@2 5@?", "1d6 1-3: 3@2 5@?", "1d6 1-3: 3@1 5@?"):
        schedule.move(parse_record(line), Source.close, False, TODAY)
    assert len(schedule.positions()) == 2
    assert key_of(parse_record("1d6 1-3: 4@2 5@?"))[1:] == (0b101, 5)


def test_the_file_keeps_its_form(tmp_path: Path) -> None:
    """Files of earlier versions are read, and what is written is read by them."""
    content = (
        '{"version": 1, "cards": [\n'
        '{"position": "3d6 1-10: 8@5 9@?", "source": "close", "box": 1, "due": "2026-11-15"},\n'
        '{"position": "1d6 1-3: 6@?", "source": "history", "box": 2, "due": "2026-11-16"}\n'
        "]}\n"
    )
    schedule = Schedule(tmp_path)
    schedule.move(parse_record("3d6 1-10: 8@5 9@?"), Source.close, False, TODAY)
    schedule.move(parse_record("1d6 1-3: 6@?"), Source.history, True, TODAY)
    assert (tmp_path / "drill.json").read_text(encoding="utf-8") == content
    assert [position.box for position in Schedule(tmp_path).positions()] == [1, 2]


def test_the_docs_say_how_long_a_position_rests() -> None:
    *days, longest = RESTS[1:]
    text = " ".join((Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8").split())
    assert f"rests for {', '.join(map(str, days))} and then {longest} days" in text


def file_text(**changes: Any) -> str:
    row = {"position": "3d6 1-10: 8@5 9@?", "source": "close", "box": 1, "due": "2026-11-15"} | changes
    return json.dumps({"version": 1, "cards": [row]})


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "7", "null", '{"version": 1}', '{"version": 2, "cards": []}', '{"cards": []}', "\ud800"),
        *('{"version": 1, "cards": [7]}', '{"version": 1, "cards": 7}', '{"version": 1, "cards": [{}]}', "[" * 100_000),
        *(file_text(box=0), file_text(box=7), file_text(box="1"), file_text(box=True), file_text(due="soon")),
        *(file_text(due=7), file_text(source="dreams"), file_text(position="8@5"), file_text(position="x"), "\0" * 9),
        *(file_text(position=7), file_text(position=None)),
    ],
    ids=lambda content: ascii(content)[:24],
)
def test_a_damaged_file_is_left_alone(tmp_path: Path, content: str) -> None:
    path = Schedule(tmp_path).path
    written = content.encode("utf-8", "surrogatepass")
    path.write_bytes(written)
    with pytest.raises(Ten18Error, match=r"drill\.json cannot be read") as refused:
        Schedule(tmp_path).positions()
    assert len(str(refused.value).splitlines()) == 1
    assert not any(
        word in str(refused.value) for word in ("NoneType", "indices", "subscript", "isoformat", "('cards')")
    )
    assert path.read_bytes() == written


def test_positions_come_back_from_the_file(tmp_path: Path) -> None:
    schedule = Schedule(tmp_path)
    assert schedule.positions() == []
    lines = ("3d6 1-10: 8@5 9@?", "1d6-3 -2,1/3,5: -2@1 3@?", "2d12:12=2 1-3: 24@?")
    for number, line in enumerate(lines):
        schedule.move(parse_record(line), Source.close, number == 1, TODAY - timedelta(days=number))
    expected = [
        ScheduledPosition(parse_record(lines[2]), Source.close, 1, TODAY - timedelta(days=2)),
        ScheduledPosition(parse_record(lines[0]), Source.close, 1, TODAY),
        ScheduledPosition(parse_record(lines[1]), Source.close, 2, TODAY),
    ]
    assert Schedule(tmp_path).positions() == expected
    with pytest.raises(InvalidGame, match="roll"):
        schedule.move(parse_record("8@5"), Source.close, True, TODAY)
    assert [path.name for path in tmp_path.iterdir()] == ["drill.json"]
