"""Many lines at once: which of them follow a pattern, and the moves of those."""

import numpy as np
import pytest

from tentimes18.records import blocks
from tentimes18.records.blocks import MoveColumns, PatternReader

GAME = '{{"dice": "3d6", "slots": "1-10", "moves": "{}", "score": {}, "game": {}}}\n'


def places(*lines: str) -> list[int]:
    found: list[int] = PatternReader().read("".join(lines).encode(), 1).places.tolist()
    return found


def test_moves_as_columns() -> None:
    reader = PatternReader()
    found = reader.read((GAME.format("8@5 04@01 18@10", 224, 0) + GAME.format("3@1", 3, 17)).encode(), 1)
    assert found.moves.rounds.tolist() == [3, 1]
    assert found.moves.rolls.tolist() == [8, 4, 18, 3]
    assert found.moves.slots.tolist() == [5, 1, 10, 1]
    assert found.patterns.tolist() == [0, 0]
    again = reader.read((GAME.format("9@9", 81, 123456) + "8@5; name=Ada\n").encode(), 3)
    assert again.patterns.tolist() == [0, 1]
    assert [pattern.record.board.score for pattern in reader.patterns] == [224, 40]


@pytest.mark.parametrize(
    "line",
    [
        GAME.format("8@5 4@5", 60, 1),
        GAME.format("8@5 4@11", 84, 1),
        GAME.format("8@5 4@0", 40, 1),
        GAME.format("8@5 19@1", 59, 1),
        GAME.format("8@5 1000@1", 1040, 1),
        GAME.format("8@5  4@1", 44, 1),
        GAME.format("8@5,4@1", 44, 1),
        GAME.format("8@5 4@1", 45, 1),
        GAME.format("8@5 4@1", "044", 1),
        GAME.format("8@5 4@1", 44, "01"),
        GAME.format("8@5 4@1", 44, 10**15),
        GAME.format("8@5 4@1", 44, "1\u00e9"),
        GAME.format("8@5 4@1 9@?", 44, 1),
        GAME.format("", 0, 1),
        "# 8@5\n",
        "\n",
    ],
)
def test_a_line_unlike_the_others(line: str) -> None:
    """It is left to the exact reader, and so is no other."""
    one = GAME.format("8@5 4@1", 44, 7)
    assert places(one, line, one, one) == [0, 2, 3]


def test_lines_of_several_patterns() -> None:
    one, other = GAME.format("8@5 4@1", 44, 7), GAME.format("8@5 4@1", 44, "1.5")
    found = PatternReader().read("".join([one, other, one.replace("3d6", "3d7"), other]).encode(), 1)
    assert (found.places.tolist(), found.patterns.tolist()) == ([0, 1, 2, 3], [0, 1, 2, 1])


def test_a_bad_line_before_the_others_spoils_none_of_them() -> None:
    one = GAME.format("8@5 4@1", 44, 7)
    assert places(GAME.format("8@5 4@1", 45, 7), one, one) == [1, 2]


def test_not_too_many_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"8@5; name={name}\n" for name in "abcdef"]
    assert places(*lines) == [0, 1, 2, 3, 4, 5]
    monkeypatch.setattr(blocks, "MOST_TRIES", 2)
    assert places(*lines, *lines) == [0, 1, 6, 7]
    monkeypatch.setattr(blocks, "MOST_PATTERNS", 1)
    assert places(*lines, *lines) == [0, 6]


def test_some_of_the_columns() -> None:
    columns = MoveColumns(np.array([2, 0, 1]), np.array([8, 4, 9]), np.array([5, 1, 3]))
    taken = columns.of(np.array([False, True, True]))
    assert [column.tolist() for column in taken] == [[0, 1], [9], [3]]
