"""Patterns: which lines have one, and what of them is looked at line by line."""

import pytest

from tentimes18.game import Game
from tentimes18.records.patterns import Pattern, pattern_of, skeleton_of


def found_in(line: str, moves: str = "8@5 4@1") -> Pattern | None:
    start = line.index(moves)
    return pattern_of(1, line, start, start + len(moves))


@pytest.mark.parametrize(
    ("line", "skeleton", "whole", "has_score"),
    [
        ("8@5 4@1", "", (), False),
        ("3d6 1-10: 8@5 4@1\n", "", (), False),
        (
            "2d6:6=2 1-10: 8@5 4@1; name=Ada 07; elo=-1500.5 # on 2 trains",
            "; name=Ada 0; elo=-0.0 # on 0 trains",
            (),
            False,
        ),
        ('{"moves": "8@5 4@1"}', '"}', (), False),
        ('{"moves":"8@5 4@1","score":44,"date":"2026-11-05"}', '","score":0,"date":"0-0-0"}', (0,), True),
        (
            '{"dice": "3d6", "aim": "mean", "moves": "8@5 4@1", "score": 44, "x": [-10.05, {"y": 1}]}',
            '", "score": 0, "x": [-0.0, {"y": 0}]}',
            (0, 1, 3),
            True,
        ),
    ],
)
def test_a_line_with_a_pattern(line: str, skeleton: str, whole: tuple[int, ...], has_score: bool) -> None:
    found = found_in(line)
    assert found is not None
    assert (found.skeleton.decode(), found.whole, found.has_score) == (skeleton, whole, has_score)
    assert found.record.board.score == 44
    assert found.game.size == Game.classic().size
    assert line.startswith(found.head.decode())


@pytest.mark.parametrize(
    "line",
    [
        "8@5 4@1 9@?",  # a roll that waits
        "8@5 4@1: 3@2",
        "-8@5 4@1",
        "3d6 1-10: 8@5 4@1; score=44",
        "3d6 1-10: 8@5 4@1; opponent=8@4 4@2",
        "3d6 1-10: 8@5 4@1; aim=target:700",
        "3d6 1-10: 8@5 4@1; takebacks=2",
        "3d6 1-10: 8@5 4@1; a1=1; a2=2",
        '3d6 1-10: 8@5 4@1; name="Ada; 7"',
        "3d6 1-10: 8@5 4@1; x=1e300",
        "3d6 1-10: 8@5 4@1; name=Ada; name=Bob",
        '{"moves": "8@5 4@1", "score": "44"}',
        '{"moves": "8@5 4@1", "score": 44.0}',
        '{"moves": "8@5 4@1", "a1": 1, "a2": 2}',
        '{"moves": "8@5 4@1", "x": {"a1": 1, "a2": 2}}',
        '{"moves": "8@5 4@1", "x": 1e5}',
        '{"moves": "8@5 4@1", "x": NaN}',
        '{"moves": "8@5 4@1", "dice": "3d6"}',
        '{"moves": "8@5 4@1", "aim": "target:700"}',
        '{"score": 44, "moves": "8@5 4@1"}',
        '{"x": {"moves": "8@5 4@1"}}',
        '{"x": "moves", "moves": "8@5 4@1"}',
        '{"slots": "1/2,1-10", "moves": "8@5 4@1", "score": 34}',
        '{"slots": "1-61", "moves": "8@5 4@1"}',
        '{"moves": "8@5 4@1", "score": 45}',
    ],
)
def test_a_line_without_one(line: str) -> None:
    assert found_in(line) is None


def test_a_skeleton_has_one_0_for_each_number() -> None:
    assert skeleton_of("; date=2026-11-15 # 7") == "; date=0-0-0 # 0"
