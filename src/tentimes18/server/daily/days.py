"""Days, in UTC, and times as answers write them. A day is a text like 2026-11-16, so that later ones sort behind."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final

from tentimes18.errors import Ten18Error

__all__ = ["DAY_MILLISECONDS", "FIRST_DAY", "day_at", "day_number", "days_before", "read_day", "start_of", "utc_text"]

FIRST_DAY: Final = date(2026, 1, 1)
DAY_MILLISECONDS: Final = 24 * 3600 * 1000

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def day_at(now: int) -> str:
    """The day of a time in milliseconds.

    >>> day_at(1_767_225_600_000 - 1), day_at(1_767_225_600_000)
    ('2025-12-31', '2026-01-01')
    """
    return _moment(now).date().isoformat()


def day_number(day: str) -> int:
    """The number of a day: the first daily game was that of 1 January 2026.

    >>> day_number("2026-01-01"), day_number("2026-11-16")
    (1, 320)
    """
    return (date.fromisoformat(day) - FIRST_DAY).days + 1


def days_before(day: str, count: int) -> str:
    """The day so many days earlier.

    >>> days_before("2026-03-01", 1)
    '2026-02-28'
    """
    return (date.fromisoformat(day) - timedelta(days=count)).isoformat()


def start_of(day: str) -> int:
    """When a day begins, in milliseconds.

    >>> start_of("2026-01-01")
    1767225600000
    """
    return int(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp()) * 1000


def read_day(text: str) -> str:
    """A day that somebody wrote.

    >>> read_day("2026-02-30")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: day '2026-02-30': not a day; accepted: one like 2026-11-16
    """
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise Ten18Error("not a day; accepted: one like 2026-11-16", "day", text) from None


def utc_text(now: int) -> str:
    """A time in milliseconds as ISO 8601 writes it, to the second.

    >>> utc_text(1_767_225_600_999)
    '2026-01-01T00:00:00Z'
    """
    return f"{_moment(now):%Y-%m-%dT%H:%M:%SZ}"


def _moment(now: int) -> datetime:
    return datetime.fromtimestamp(now // 1000, UTC)
