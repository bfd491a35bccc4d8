"""When positions come back: each stands in a box (Leitner 1972), and rests there the longer the higher the box is.

An answer that is right moves a position to the next box, one that is wrong to the first, from where it comes back the
next time. The schedule is one file in the data folder, `drill.json`, written whole after every answer.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.files import data_folder, write_whole
from tentimes18.game import Game
from tentimes18.records.notation import Record, format_record, parse_record
from tentimes18.records.tags import read_json

__all__ = ["RESTS", "Key", "Schedule", "ScheduledPosition", "Source", "key_of"]

VERSION: Final = 1
RESTS: Final = (0, 1, 3, 7, 21, 60)
"""The days that a position rests in each box."""

Key: TypeAlias = tuple[Game, int, int]


class Source(StrEnum):
    """Where a position comes from."""

    all = "all"
    close = "close"
    history = "history"


@dataclass(frozen=True, slots=True)
class ScheduledPosition:
    """A position with a roll to place, the box it stands in, from 1, and the day it comes back."""

    record: Record
    source: Source
    box: int
    due: date


def key_of(record: Record) -> Key:
    """What makes two positions the same question: the free slots and the roll, however the board was filled.

    >>> key_of(parse_record("1d6 1-3: 4@2 5@?")) == key_of(parse_record("1d6 1-3: 3@2 5@?"))
    True
    """
    if record.roll is None:
        raise InvalidGame("a position to answer has a roll to place", field="roll")
    return record.board.game, record.board.free, record.roll


class Schedule:
    """The positions that come back, in the file of a folder.

    >>> from tempfile import TemporaryDirectory
    >>> day, record = date(2026, 11, 15), parse_record("1d6 1-3: 4@2 5@?")
    >>> with TemporaryDirectory() as folder:
    ...     schedule = Schedule(Path(folder))
    ...     rights = (False, True, True, False)
    ...     days = [schedule.move(record, Source.close, is_right, day).due.day for is_right in rights]
    ...     days, [position.box for position in Schedule(Path(folder)).positions()]
    ([15, 16, 18, 15], [1])
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or data_folder()) / "drill.json"

    def positions(self) -> list[ScheduledPosition]:
        """All positions, those that come back first at the front; raises ``Ten18Error`` where the file is damaged."""
        return sorted(self._read().values(), key=lambda position: position.due)

    def move(self, record: Record, source: Source, is_right: bool, today: date) -> ScheduledPosition:
        """Put an answered position where it belongs, and write the file."""
        positions = self._read()  # anew: it may be open in another window
        known = positions.get(key_of(record))
        box = min(known.box + 1 if known else 2, len(RESTS)) if is_right else 1
        due = today + timedelta(days=RESTS[box - 1])
        moved = positions[key_of(record)] = ScheduledPosition(Record(record.board, record.roll), source, box, due)
        rows = ",\n".join(json.dumps(_row(position), ensure_ascii=False) for position in positions.values())
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, f'{{"version": {VERSION}, "cards": [\n{rows}\n]}}\n'.encode())
        return moved

    def _read(self) -> dict[Key, ScheduledPosition]:
        try:
            text = self.path.read_bytes().decode()
        except FileNotFoundError:
            return {}
        except UnicodeDecodeError:
            text = ""
        try:
            return {key_of(position.record): position for position in _parse(read_json(text))}
        except (Ten18Error, ValueError, TypeError, KeyError) as error:
            reason = error if isinstance(error, Ten18Error) else "it is not what a drill writes"
            raise Ten18Error(f"{self.path} cannot be read ({reason}); mend it, or move it away") from None


def _row(position: ScheduledPosition) -> dict[str, Any]:
    return {
        "position": format_record(position.record),
        "source": position.source,
        "box": position.box,
        "due": position.due.isoformat(),
    }


def _parse(content: Any) -> Iterator[ScheduledPosition]:
    if content["version"] != VERSION:
        raise InvalidGame(f"version {content['version']} is not {VERSION}")
    for row in content["cards"]:
        box = row["box"]
        if type(box) is not int or not 1 <= box <= len(RESTS):
            raise InvalidGame(f"there is no box {box}")
        record, due = parse_record(str(row["position"])), date.fromisoformat(row["due"])
        yield ScheduledPosition(record, Source(row["source"]), box, due)
