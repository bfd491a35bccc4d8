"""Days and times."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import Ten18Error
from tentimes18.server.daily.days import DAY_MILLISECONDS, day_at, day_number, days_before, read_day, start_of, utc_text

MOMENTS = st.integers(0, 200_000_000_000_000)


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
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(Ten18Error) as error:
        read_day(text)
    assert error.value.field == "day"
