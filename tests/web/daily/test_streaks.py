"""Days in a row, against counting them one by one."""

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.server.daily.days import days_before
from tentimes18.server.daily.streaks import best_streak, streak_at

TODAY = "2026-11-16"


@given(st.sets(st.integers(0, 12)))
def test_streaks(ago: set[int]) -> None:
    days = [days_before(TODAY, count) for count in ago]
    start = 0 if 0 in ago else 1
    assert streak_at(TODAY, days) == next(count for count in range(20) if start + count not in ago)
    runs = [length for first in range(13) for length in range(14) if set(range(first, first + length)) <= ago]
    assert best_streak(days) == max(runs)


def test_a_day_to_come_is_no_part_of_it() -> None:
    assert streak_at(TODAY, [days_before(TODAY, -1)]) == 0
