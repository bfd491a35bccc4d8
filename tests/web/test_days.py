"""Days, streaks, what could be made of a day's rolls, and the text that is shared."""

from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.coach.losses import board_losses
from tentimes18.coach.review import review
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Placement
from tentimes18.play.fairness import draw_deal
from tentimes18.records.notation import Record
from tentimes18.server.days import (
    BEST,
    DAY_MILLISECONDS,
    MORE,
    UNDER_A_POINT,
    best_streak,
    day_at,
    day_number,
    days_before,
    read_day,
    share_text,
    start_of,
    streak_at,
    utc_text,
    yardstick,
)

MOMENTS = st.integers(0, 200_000_000_000_000)
TODAY = "2026-11-16"


@given(MOMENTS)
def test_a_moment_lies_in_its_day(now: int) -> None:
    day = day_at(now)
    assert start_of(day) <= now < start_of(day) + DAY_MILLISECONDS
    assert day_at(start_of(day)) == day
    assert day_at(start_of(day) - 1) == days_before(day, 1)
    assert day_number(day) == day_number(days_before(day, 1)) + 1
    assert read_day(day) == day


@given(MOMENTS)
def test_a_time_is_written_as_iso_8601_says(now: int) -> None:
    written = utc_text(now)
    assert written.endswith("Z")
    assert datetime.fromisoformat(written) == datetime.fromtimestamp(now // 1000, UTC)
    assert written.startswith(day_at(now))


@pytest.mark.parametrize("text", ["", "2026-02-29", "2026-13-01", "2026-00-01", "+2026-1-01", "2026-11-16\n", "x" * 99])
def test_what_is_not_a_day_is_rejected(text: str) -> None:
    with pytest.raises(Ten18Error) as error:
        read_day(text)
    assert error.value.field == "day"


@given(st.sets(st.integers(0, 12)))
def test_streaks(ago: set[int]) -> None:
    days = [days_before(TODAY, count) for count in ago]
    start = 0 if 0 in ago else 1
    assert streak_at(TODAY, days) == next(count for count in range(20) if start + count not in ago)
    runs = [length for first in range(13) for length in range(14) if set(range(first, first + length)) <= ago]
    assert best_streak(days) == max(runs)


def test_a_mark_a_round_by_the_cost_of_the_move() -> None:
    random = Random(18)
    board = Board(
        Game.classic(), tuple(map(Placement, draw_deal(Game.classic()).rolls, random.sample(range(1, 11), 10)))
    )
    reviewed = review(Record(board))
    score = float(board.score)
    title, figures, marks, streak = share_text("2026-01-03", score, board_losses(board), 2).splitlines()
    assert (title, streak) == ("Ten times eighteen · Daily 3", "2 days in a row")
    assert [BEST if not move.loss else UNDER_A_POINT if move.loss < 1 else MORE for move in reviewed.moves] == list(
        marks
    )
    assert figures == f"{score:g} points (par {float(reviewed.start):.0f})"
    assert len(share_text("2026-01-03", score, board_losses(board), 1).splitlines()) == 3
    rolls = tuple(placement.roll for placement in board.placements)
    known = yardstick(rolls)
    assert known[:2] == (reviewed.optimal_score, reviewed.best_score)
    assert sum(slot * roll for slot, roll in zip(known.slots, rolls, strict=True)) == known.optimal
