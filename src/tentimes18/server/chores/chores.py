"""What a process does beside answering: deals of days to come, losses of finished games, duels that ran out of time.

Every process of a service does all of it, and none needs to know of the others: of two that draw the deal of a day one
wins, and a game is measured by whoever comes first. They look at different times, so they seldom come at once.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import uniform
from typing import Final, TypeAlias

from tentimes18.server.chores.measuring import measure_games
from tentimes18.server.chores.overdue import end_overdue_duels
from tentimes18.server.daily.days import DAY_MILLISECONDS, day_at
from tentimes18.server.state import WebState
from tentimes18.server.store.daily import DaysToKeep, keep_days, missing_days
from tentimes18.server.store.database import StoreUnavailable
from tentimes18.server.store.losses import those_that_wait
from tentimes18.server.store.writer import Busy

__all__ = ["Chores", "days_to_come"]

HOUR: Final = 3600 * 1000
DAYS_SECONDS: Final = (15.0, 20.0)  # between two looks for a new day, at least and at most
GAMES_SECONDS: Final = (1.0, 3.0)  # for games to measure
DUELS_SECONDS: Final = (30.0, 60.0)  # for duels whose time is over
SHARE: Final = 0.2  # of the time that may go into measuring, when many games wait

Chore: TypeAlias = Callable[[], Awaitable[None]]

_LOG: Final = logging.getLogger("tentimes18.server")


def days_to_come(now: int) -> list[str]:
    """The days whose deals are to be there: today and tomorrow, and an hour before midnight one more.

    So every day is committed to for a whole day before it begins.

    >>> days_to_come(1_767_225_600_000), days_to_come(1_767_225_600_000 - 1)[-1]
    (['2026-01-01', '2026-01-02'], '2026-01-02')
    """
    return list(dict.fromkeys(day_at(now + ahead) for ahead in (0, DAY_MILLISECONDS, DAY_MILLISECONDS + HOUR)))


class Chores:
    """The tasks of a process in the background, from its start to its end."""

    def __init__(self, shared: WebState) -> None:
        self._shared = shared
        self._is_over = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """See to the days once, and go on in the background."""
        await self._do("the deals of the days", self.keep_days)
        chores = (
            ("the deals of the days", self.keep_days, DAYS_SECONDS),
            ("the losses of finished games", self.measure, GAMES_SECONDS),
            ("the duels whose time is over", self.end_duels, DUELS_SECONDS),
        )
        self._tasks = [asyncio.create_task(self._repeat(*chore)) for chore in chores]

    async def close(self) -> None:
        """Bring what is under way to its end, so that no connection is left; the rest is done at the next start."""
        self._is_over.set()
        await asyncio.gather(*self._tasks)

    async def keep_days(self) -> None:
        """Have the deals of the days to come."""
        days = days_to_come(self._shared.now)
        if await self._shared.read(lambda connection: missing_days(connection, days)):
            await self._shared.writer.do(keep_days, DaysToKeep(days, self._shared.now))

    async def measure(self) -> None:
        """Measure the games that wait, as many as there are now."""
        begun = time.monotonic()
        while await measure_games(self._shared, those_that_wait(), must_keep=True):
            if await self._rest((time.monotonic() - begun) * (1 / SHARE - 1)):
                return
            begun = time.monotonic()

    async def end_duels(self) -> None:
        """End the duels whose time is over."""
        await end_overdue_duels(self._shared)

    async def _repeat(self, what: str, chore: Chore, seconds: tuple[float, float]) -> None:
        while not await self._rest(uniform(*seconds)):  # not all processes at once
            await self._do(what, chore)

    async def _rest(self, seconds: float) -> bool:
        """Wait so long, or until it is over; whether it is."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_over.wait(), seconds)
        return self._is_over.is_set()

    @staticmethod
    async def _do(what: str, chore: Chore) -> None:
        """Nothing that goes wrong here may end it: the next look tries again."""
        try:
            await chore()
        except (StoreUnavailable, Busy):
            _LOG.warning("%s wait: the store is unavailable", what)
        except Exception:
            _LOG.exception("%s could not be seen to", what)
