"""The report of one game, line by line as it is printed."""

import io
from functools import partial

import pytest
from rich.console import Console
from rich.text import Text

from tentimes18.cli.grid import ByWidth
from tentimes18.cli.output import text_of
from tentimes18.cli.terminal.games_pages import (
    MAX_BOARD,
    boards_grid,
    labelled,
    mixes_grid,
    review_page,
    sparkline,
    sum_of_parts,
)
from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.records.notation import parse_record

DUEL = "1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3"


def shown(line: str, aim: str = "mean") -> list[str]:
    record = parse_record(line)
    text = text_of(review_page(review(record, aim_named(record.board.game, aim))))
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_a_game_move_by_move() -> None:
    lines = shown("1d6 1-3: 4@1 6@3 5@2")
    assert lines[0] == "round roll slot best loss luck expected"
    assert lines[2:5] == ["1 4 1 2 1.25 ?! +0.17 22.25", "2 6 3 3 best +6.75 29.00", "3 5 2 2 best +3.00 32.00"]
    assert "score value of the game luck loss" in lines
    assert lines[lines.index("score value of the game luck loss") + 1].startswith("32 = 23.33 + ")
    assert any(line.startswith("moves 2 best · 1 inaccuracy ?!") for line in lines)
    assert any("by optimal" in line and "the best possible" in line for line in lines)
    assert any(line.endswith("points lost per decision (2 decisions): beginner") for line in lines)
    assert not any("Measured by" in line for line in lines)


def test_a_game_in_play_has_an_expected_score() -> None:
    lines = shown("1d6 1-3: 4@1")
    assert "expected value of the game luck loss" in lines
    assert not any("same rolls" in line for line in lines)


def test_a_duel_by_chances() -> None:
    lines = shown(DUEL, "duel:greedy")
    assert lines[0] == "round roll slot theirs best loss luck gift chance"
    assert "chance chance at start luck loss gifts" in lines
    assert any("percentage points lost per decision" in line for line in lines)
    assert lines[-1] == "Measured by the chance to win against greedy, draws by half; losses in percent."


def test_a_target() -> None:
    assert shown(DUEL, "target:30")[-1] == "Measured by the chance of 30 points or more; losses in percent."
    assert shown("1d6 1-3:")[0] == "expected value of the game luck loss"


def test_boards_are_not_drawn_where_there_is_one_or_no_room() -> None:
    assert boards_grid(parse_record("1d6 1-3: 4@1")) is None
    assert boards_grid(parse_record(f"1d6 1-{MAX_BOARD + 1}: 4@1; opponent=4@2")) is None


def test_notes_are_below() -> None:
    lines = shown("1d6 1-3: 4@1 6@3 5@2; takebacks=1; aim=fame")
    assert lines[-2:] == [
        "1 move was taken back: practice, so no level.",
        "Played for fame, measured by the expected final score.",
    ]


def test_a_long_text_is_beside_its_label() -> None:
    out = io.StringIO()
    Console(file=out, width=30, highlight=False).print(labelled("  moves", Text("12345 " * 8), 10))
    lines = out.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("  moves   12345")
    assert all(line.startswith(" " * 10 + "12345") for line in lines[1:])


SUM = ByWidth(
    partial(
        sum_of_parts,
        (
            ("", "score", "698"),
            ("=", "value of the game", "642.24"),
            ("+", "luck", "60.67"),
            ("−", "loss", "4.91"),
        ),
    )
)


def account(width: int) -> list[str]:
    screen = Console(file=io.StringIO(), width=width, highlight=False, color_system=None)
    screen.print(SUM)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue().splitlines()


def test_side_by_side() -> None:
    assert account(80) == ["   score   value of the game    luck   loss", "     698 =            642.24 + 60.67 − 4.91"]


def test_below_each_other() -> None:
    assert account(40) == [
        "   score                 698",
        " = value of the game  642.24",
        " + luck                60.67",
        " − loss                 4.91",
    ]


MIXED = parse_record("1d6 1-3: 1@1 3@3 5@2; opponent=1@2 3@3 5@1")


def test_they_are_in_the_report() -> None:
    found = review(MIXED, aim_named(MIXED.board.game, "duel"))
    text = text_of(review_page(found))
    assert "slot 2 40.0%, slot 3 60.0%  slot 1 40.0%, slot 3 60.0%" in text
    assert text.count("40.0%") == 2, "only where the slot is left to chance"


@pytest.mark.parametrize("aim", ["mean", "target:20", "duel:optimal"])
def test_where_nothing_is_mixed_there_is_no_table(aim: str) -> None:
    assert mixes_grid(review(MIXED, aim_named(MIXED.board.game, aim))) is None


@pytest.mark.parametrize(
    ("values", "line"),
    [([], ""), ([None], " "), ([5.0], "▁"), ([2.0, 2.0], "▁▁"), ([0.0, None, 7.0], "▁ █"), ([3.0, 1.0, 2.0], "█▁▅")],
)
def test_lines(values: list[float | None], line: str) -> None:
    assert sparkline(values) == line
