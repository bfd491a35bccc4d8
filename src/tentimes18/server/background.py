"""What a process does beside answering: deals of the next days, losses of finished games, duels and groups out of time.

Every process does all of it, independently of the others: if two draw the deal of a day, one wins, and the first
process to see a game measures it. They check at different times, so they seldom collide.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from random import uniform
from typing import TypeAlias

from sqlalchemy import ColumnElement

from tentimes18.server.days import DAY_MILLISECONDS, day_at
from tentimes18.server.state import WebState
from tentimes18.server.store.daily import DayScore, OwnGame, deals_of, keep_days
from tentimes18.server.store.database import StoreUnavailable
from tentimes18.server.store.duels import end_overdue
from tentimes18.server.store.games import GAMES, select_states
from tentimes18.server.store.groups import remove_old_groups
from tentimes18.server.store.players import remove_old
from tentimes18.server.store.ratings import MeasuredGame, keep_losses, leave_games, measured
from tentimes18.server.store.schema import IS_TO_MEASURE
from tentimes18.server.store.schema import games as games_table
from tentimes18.server.store.writer import Busy, Commit

HOUR = 3600 * 1000
DAYS_SECONDS = (15.0, 20.0)  # between two looks for a new day, at least and at most
GAMES_SECONDS = (1.0, 3.0)  # for games to measure
DUELS_SECONDS = (30.0, 60.0)  # for duels whose time is over
GROUPS_SECONDS = (300.0, 600.0)  # for groups whose time is over
CLEAR_SECONDS = (600.0, 1200.0)  # for games and players that are old
SHARE = 0.2  # of the time that may go into measuring, when many games wait
MAX_AT_ONCE = 200  # games that are read together
GAMES_IN_A_COMMIT = 25  # so that moves do not wait long behind it

Task: TypeAlias = Callable[[], Awaitable[object]]

_LOG = logging.getLogger("tentimes18.server")


def days_to_come(now: int) -> list[str]:
    """The days that need a deal at least a day before they begin: two, and one more in the hour before midnight."""
    return list(dict.fromkeys(day_at(now + ahead) for ahead in (0, DAY_MILLISECONDS, DAY_MILLISECONDS + HOUR)))


async def measure_games(
    shared: WebState, condition: ColumnElement[bool], most: int = MAX_AT_ONCE, *, must_keep: bool = False
) -> dict[int, MeasuredGame]:
    """Measure the finished games that meet a condition, the latest first, and store what they lost.

    Unless ``must_keep``, a failure to store it changes nothing: the games are measured again later.
    """
    finished = GAMES.where(condition).order_by(games_table.c.finished.desc()).limit(most)
    games = await shared.read(select_states, finished)
    costs: list[MeasuredGame] = []
    for start in range(0, len(games), GAMES_IN_A_COMMIT):
        part = await asyncio.to_thread(measured, games[start : start + GAMES_IN_A_COMMIT])
        with suppress(*(() if must_keep else (StoreUnavailable, Busy))):
            await shared.writer.do(keep_losses, part)
        costs += part
    return {game.number: game for game in costs}


async def measure_player(shared: WebState, player: str, most: int = MAX_AT_ONCE) -> None:
    await measure_games(shared, IS_TO_MEASURE & (games_table.c.player == player), most)


async def measure_numbered(shared: WebState, numbers: Sequence[int]) -> dict[int, MeasuredGame]:
    return await measure_games(shared, games_table.c.number.in_(numbers), len(numbers)) if numbers else {}


async def losses_of(shared: WebState, games: Collection[DayScore | OwnGame]) -> dict[int, float]:
    """What finished games lost, by their numbers; those that nobody has measured are measured now."""
    measured = await measure_numbered(shared, [game.number for game in games if game.loss is None])
    known = {game.number: game.loss for game in games if game.loss is not None}
    return known | {number: game.loss for number, game in measured.items()}


async def change_all(shared: WebState, change: Callable[[Commit, int], int]) -> int:
    """Make a change for all that is due at this time, some at a time; returns how much there was."""
    done, now = 0, shared.now
    while some := await shared.writer.call(change, now):
        done += some
    return done


class BackgroundTasks:
    def __init__(self, shared: WebState) -> None:
        self._shared = shared
        self._is_over = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """See to the days once, and go on in the background."""
        await self._do("the deals of the days", self.keep_days)
        periodic: tuple[tuple[str, Task, tuple[float, float]], ...] = (
            ("the deals of the days", self.keep_days, DAYS_SECONDS),
            ("the losses of finished games", self.measure, GAMES_SECONDS),
            ("the duels whose time is over", partial(change_all, self._shared, end_overdue), DUELS_SECONDS),
            ("the groups whose time is over", partial(change_all, self._shared, remove_old_groups), GROUPS_SECONDS),
            ("games and players that are old", self.clear_away, CLEAR_SECONDS),
        )
        self._tasks = [asyncio.create_task(self._repeat(*one)) for one in periodic]

    async def close(self) -> None:
        """Finish what is under way, so that no connection is left; the rest is done at the next start."""
        self._is_over.set()
        await asyncio.gather(*self._tasks)

    async def keep_days(self) -> None:
        days = days_to_come(self._shared.now)
        if len(await self._shared.read(deals_of, days)) < len(days):
            await self._shared.writer.call(keep_days, days, self._shared.now)

    async def clear_away(self) -> None:
        """Count rated games that were left, and delete what nobody needs any more."""
        writer, now = self._shared.writer, self._shared.now
        await writer.call(leave_games, now)
        while await writer.call(remove_old, now):
            if await self._rest(1.0):
                return

    async def measure(self) -> None:
        begun = time.monotonic()
        while await measure_games(self._shared, IS_TO_MEASURE, must_keep=True):
            if await self._rest((time.monotonic() - begun) * (1 / SHARE - 1)):
                return
            begun = time.monotonic()

    async def _repeat(self, what: str, task: Task, seconds: tuple[float, float]) -> None:
        while not await self._rest(uniform(*seconds)):  # not all processes at once
            await self._do(what, task)

    async def _rest(self, seconds: float) -> bool:
        """Wait this long, or until the end; returns whether it is the end."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_over.wait(), seconds)
        return self._is_over.is_set()

    @staticmethod
    async def _do(what: str, task: Task) -> None:
        """Nothing that goes wrong here may end it: the next look tries again."""
        try:
            await task()
        except (StoreUnavailable, Busy):
            _LOG.warning("%s postponed: the database is unavailable", what)
        except Exception:
            _LOG.exception("background task failed: %s", what)
