"""The daily game outside of the store: days and times in UTC, streaks, what a day's rolls were worth, what to share.

A day is a text like 2026-11-16, so that later ones sort behind. The text to share says how well a day went, and nothing
about how: a mark per round for the best slot, one that costs less than a point on average, or one that costs more. It
has no roll and no slot, and no luck: the luck of two players on the same rolls differs, which looks wrong.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from tentimes18.coach.losses import MoveLoss
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.solve.thresholds import value_of
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game

CLASSIC = Game.classic()
PAR = float(value_of(CLASSIC, CLASSIC.all_free))
FIRST_DAY = date(2026, 1, 1)
DAY_MILLISECONDS = 24 * 3600 * 1000
LATE_MILLISECONDS = 12 * 3600 * 1000
BEST = "\N{LARGE GREEN SQUARE}"
UNDER_A_POINT = "\N{LARGE YELLOW SQUARE}"
MORE = "\N{BLACK LARGE SQUARE}"

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def day_at(now: int) -> str:
    return utc_text(now)[:10]


def day_number(day: str) -> int:
    """The number of a day, counted from 1 January 2026, which has number 1.

    >>> day_number("2026-01-01"), day_number("2026-11-16")
    (1, 320)
    """
    return (date.fromisoformat(day) - FIRST_DAY).days + 1


def days_before(day: str, count: int) -> str:
    return (date.fromisoformat(day) - timedelta(days=count)).isoformat()


def start_of(day: str) -> int:
    return int(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp()) * 1000


def closing_of(day: str) -> int:
    """Until when a daily game counts: noon of the next day, in UTC. Then its rolls are open to practice.

    >>> utc_text(closing_of("2026-11-16"))
    '2026-11-17T12:00:00Z'
    """
    return start_of(day) + DAY_MILLISECONDS + LATE_MILLISECONDS


def read_day(text: str) -> str:
    with suppress(ValueError):
        if looks_like_day(text):
            return date.fromisoformat(text).isoformat()
    raise Ten18Error("not a day; accepted: one like 2026-11-16", "day", text)


def looks_like_day(text: str) -> bool:
    """Whether a text has the form of a day, which the calendar may not have: 2026-02-30 does."""
    return _DAY.fullmatch(text) is not None


def utc_text(now: int) -> str:
    """A time in milliseconds as ISO 8601 writes it, to the second."""
    return f"{datetime.fromtimestamp(now // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def streak_at(today: str, days: Iterable[str]) -> int:
    """How many days in a row were played up to today, or up to yesterday while today's is still to be played."""
    played = set(days)
    day = today if today in played else days_before(today, 1)
    count = 0
    while day in played:
        day, count = days_before(day, 1), count + 1
    return count


def best_streak(days: Iterable[str]) -> int:
    played = set(days)
    lasts = {day for day in played if days_before(day, -1) not in played}
    return max((streak_at(day, played) for day in lasts), default=0)


class Yardstick(NamedTuple):
    """What rolls are worth: the score of `optimal`, the best possible one, and where `optimal` puts each roll."""

    optimal: Plain
    best: Plain
    slots: tuple[int, ...]


@lru_cache(maxsize=512)
def yardstick(rolls: tuple[int, ...], game: Game = CLASSIC) -> Yardstick:
    optimal, best = (play_game(game, named(name), list(rolls)) for name in ("optimal", "hindsight"))
    return Yardstick(plain(optimal.score), plain(best.score), tuple(slot for _, slot in optimal.placements))


def share_text(day: str, score: float, costs: Sequence[MoveLoss], streak: int) -> str:
    """The day by its number, the score beside par, a mark per round, and the streak.

    >>> from fractions import Fraction
    >>> text = share_text("2026-11-16", 640.0, [MoveLoss(Fraction(0), True), MoveLoss(Fraction(9), True)], 3)
    >>> [line.encode("ascii", "replace").decode() for line in text.splitlines()]
    ['Ten times eighteen ? Daily 320', '640 points (par 642)', '??', '3 days in a row']
    """
    lines = [
        f"Ten times eighteen \N{MIDDLE DOT} Daily {day_number(day)}",
        f"{score:g} points (par {PAR:.0f})",
        "".join(BEST if not cost.loss else UNDER_A_POINT if cost.loss < 1 else MORE for cost in costs),
    ]
    return "\n".join([*lines, f"{streak} days in a row"] if streak > 1 else lines)
