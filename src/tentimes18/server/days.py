"""The daily game outside of the store: days and times in UTC, streaks, what a day's rolls were worth, what to share.

A day is a text like 2026-11-16, so that later ones sort behind. What a player may tell others of a day says how well it
went, and nothing of how: a mark per round for the best slot, one that costs less than a point on average, or one that
costs more. No roll and no slot; what was luck follows from the score, par and what the moves cost.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache

from tentimes18.coach.losses import MoveLoss
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.solve.thresholds import value_of
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game

FIRST_DAY = date(2026, 1, 1)
DAY_MILLISECONDS = 24 * 3600 * 1000
BEST = "\N{BLACK CIRCLE}"
UNDER_A_POINT = "\N{CIRCLE WITH LEFT HALF BLACK}"
MORE = "\N{WHITE CIRCLE}"
MARKS = (BEST, UNDER_A_POINT, MORE)
MINUS = "\N{MINUS SIGN}"

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def day_at(now: int) -> str:
    """The day of a time in milliseconds."""
    return _moment(now).date().isoformat()


def day_number(day: str) -> int:
    """The number of a day: the first daily game was that of 1 January 2026.

    >>> day_number("2026-01-01"), day_number("2026-11-16")
    (1, 320)
    """
    return (date.fromisoformat(day) - FIRST_DAY).days + 1


def days_before(day: str, count: int) -> str:
    """The day so many days earlier."""
    return (date.fromisoformat(day) - timedelta(days=count)).isoformat()


def start_of(day: str) -> int:
    """When a day begins, in milliseconds."""
    return int(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp()) * 1000


def read_day(text: str) -> str:
    """A day that somebody wrote."""
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise Ten18Error("not a day; accepted: one like 2026-11-16", "day", text) from None


def utc_text(now: int) -> str:
    """A time in milliseconds as ISO 8601 writes it, to the second."""
    return f"{_moment(now):%Y-%m-%dT%H:%M:%SZ}"


def _moment(now: int) -> datetime:
    return datetime.fromtimestamp(now // 1000, UTC)


def streak_at(today: str, days: Iterable[str]) -> int:
    """How many days in a row were played up to today, or up to yesterday while today's is still to be played."""
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


@lru_cache(maxsize=512)
def scores_on(rolls: tuple[int, ...]) -> tuple[Plain, Plain]:
    """What the optimal strategy makes of the rolls of a classic game, and the best that can be made of them."""
    game = Game.classic()
    optimal, best = (play_game(game, named(name), list(rolls)).score for name in ("optimal", "hindsight"))
    return plain(optimal), plain(best)


def share_text(day: str, score: float, costs: Sequence[MoveLoss], streak: int) -> str:
    """The day by its number, the score beside par, luck and mistakes, a mark a round, and the streak.

    >>> text = share_text("2026-11-16", 640.0, [MoveLoss(Fraction(0), True), MoveLoss(Fraction(9), True)], 3)
    >>> [line.encode("ascii", "replace").decode() for line in text.splitlines()]
    ['Ten times eighteen ? Daily 320', '640 (par 642.2)', 'luck +6.8, mistakes ?9.0', '??', 'streak 3']
    """
    cost = float(sum(cost.loss for cost in costs))
    par = _par()
    lines = [
        f"Ten times eighteen \N{MIDDLE DOT} Daily {day_number(day)}",
        f"{score:g} (par {par:.1f})",
        f"luck {_signed(score - par + cost)}, mistakes {_signed(-cost)}",
        "".join(_mark(cost.loss) for cost in costs),
    ]
    return "\n".join([*lines, f"streak {streak}"] if streak > 1 else lines)


def _mark(loss: Fraction) -> str:
    return BEST if not loss else UNDER_A_POINT if loss < 1 else MORE


def _signed(points: float) -> str:
    """With its sign, but for nothing."""
    text = f"{abs(points):.1f}"
    return text if not float(text) else f"{'+' if points > 0 else MINUS}{text}"


@lru_cache(maxsize=1)
def _par() -> float:
    game = Game.classic()
    return float(value_of(game, game.all_free))
