"""Days in a row on which the daily game was played to its end."""

from collections.abc import Iterable

from tentimes18.server.daily.days import days_before

__all__ = ["best_streak", "streak_at"]


def streak_at(today: str, days: Iterable[str]) -> int:
    """How many days in a row were played up to today, or up to yesterday while today's is still to be played.

    >>> streak_at("2026-11-16", ["2026-11-15", "2026-11-14", "2026-11-12"])
    2
    """
    played = set(days)
    day = today if today in played else days_before(today, 1)
    count = 0
    while day in played:
        day, count = days_before(day, 1), count + 1
    return count


def best_streak(days: Iterable[str]) -> int:
    """The most days in a row that were played.

    >>> best_streak(["2026-11-15", "2026-11-14", "2026-11-12"])
    2
    """
    played = set(days)
    lasts = {day for day in played if days_before(day, -1) not in played}
    return max((streak_at(day, played) for day in lasts), default=0)
