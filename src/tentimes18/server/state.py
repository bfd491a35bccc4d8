"""What the handlers of a process share: settings, the store, its writer, bots, live games, metrics, the clock.

Nothing of a game is held here: another process knows as much.

Beside answering, a process sees to the deals of the next days, losses of finished games, duels and groups out of time.
Every process does all of it, independently of the others: if two draw the deal of a day, one wins, and the first
process to see a game measures it. They check at different times, so they seldom collide.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from random import uniform
from typing import Concatenate, Generic, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Connection

from tentimes18.server.bots import Bots, DuelTables
from tentimes18.server.calculator import COACH_BYTES, COACH_WAITING, WARM, Calculator
from tentimes18.server.days import DAY_MILLISECONDS, day_at
from tentimes18.server.identity import Names
from tentimes18.server.live import Live, told_to_stop
from tentimes18.server.metrics import Metrics
from tentimes18.server.rates import RateLimiter
from tentimes18.server.settings import Service
from tentimes18.server.store.daily import DayScore, DayScores, OwnGame, deals_of, keep_days
from tentimes18.server.store.database import Database, StoreUnavailable, bring_up_to_date
from tentimes18.server.store.duels import end_overdue
from tentimes18.server.store.games import GAMES, HOUR_MS, select_states
from tentimes18.server.store.groups import remove_old_groups
from tentimes18.server.store.players import remove_old
from tentimes18.server.store.ratings import MeasuredGame, keep_losses, leave_games, measured
from tentimes18.server.store.schema import IS_TO_MEASURE
from tentimes18.server.store.schema import games as games_table
from tentimes18.server.store.writer import Busy, Commit, Writer

Clock: TypeAlias = Callable[[], float]  # seconds since 1970, as `time.time` counts them
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Key = TypeVar("Key")
Value = TypeVar("Value")
Task: TypeAlias = Callable[[], Awaitable[object]]

STEADY: Clock = partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
MAX_JUMP = 300.0  # seconds by which the clock may be set, without a delay
JUMP_SECONDS = 3600.0
READ_SECONDS = 5.0
MAX_EXPORTS = 8  # at once
_LOG = logging.getLogger("tentimes18.server")

THREADS = 40  # that wait for the store, or compute something short
LAB_SECONDS = 2.0  # when the first requests are answered, the lab gets ready for the next
DAY_SECONDS = 3.0
MEASURED_SECONDS = 0.5

DAYS_SECONDS = (15.0, 20.0)  # between two looks for a new day, at least and at most
GAMES_SECONDS = (1.0, 3.0)  # for games to measure
DUELS_SECONDS = (30.0, 60.0)  # for duels whose time is over
GROUPS_SECONDS = (300.0, 600.0)  # for groups whose time is over
CLEAR_SECONDS = (600.0, 1200.0)  # for games and players that are old
SHARE = 0.2  # of the time that may go into measuring, when many games wait
MAX_AT_ONCE = 200  # games that are read together
GAMES_IN_A_COMMIT = 25  # so that moves do not wait long behind it


class SteadyClock:
    """The system's clock, except that a jump is followed only when it has lasted for `JUMP_SECONDS`.

    A clock that is set wrong for a minute then ends no duel and begins no day.
    """

    def __init__(self, wall: Clock = time.time, steady: Clock = STEADY) -> None:
        self._wall = wall
        self._steady = steady
        self._offset = wall() - steady()
        self._jumped: float | None = None

    def __call__(self) -> float:
        wall, steady = self._wall(), self._steady()
        if abs(wall - steady - self._offset) <= MAX_JUMP:
            self._jumped = None
        elif self._jumped is None:
            _LOG.warning("clock jump of %.0f s, ignored unless it lasts for an hour", wall - steady - self._offset)
            self._jumped = steady
        if self._jumped is None or steady - self._jumped >= JUMP_SECONDS:
            self._offset, self._jumped = wall - steady, None
        return steady + self._offset


class Fresh(Generic[Key, Value]):
    """The latest answers, each for a number of seconds; the one that was put longest ago makes room."""

    def __init__(self, seconds: float, most: int, clock: Clock = time.monotonic) -> None:
        self._seconds, self._most, self._clock = seconds, most, clock
        self._found: dict[Key, tuple[float, Value]] = {}

    def get(self, key: Key) -> Value | None:
        until, value = self._found.get(key, (0.0, None))
        return value if value is not None and self._clock() < until else None

    def put(self, key: Key, value: Value) -> None:
        self._found.pop(key, None)
        while len(self._found) >= self._most:
            self._found.pop(next(iter(self._found)), None)
        self._found[key] = (self._clock() + self._seconds, value)


@dataclass(slots=True)
class WebState:
    """Made when the process starts, closed when it stops."""

    service: Service
    database: Database
    writer: Writer
    names: Names
    lab: Calculator  # what strangers ask about any game
    coach: Calculator  # what players ask about their own, which must not wait for the lab
    bots: Bots
    live: Live
    metrics: Metrics
    rates: RateLimiter | None = None
    clock: Clock = time.time
    exports: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_EXPORTS))
    scores_of_days: Fresh[str, DayScores] = field(default_factory=lambda: Fresh(DAY_SECONDS, most=40))
    """Of days with many players."""
    players_of_days: Fresh[str, int] = field(default_factory=lambda: Fresh(DAY_SECONDS, most=2))
    has_measured: Fresh[str, bool] = field(default_factory=lambda: Fresh(MEASURED_SECONDS, most=1))
    """Whether somebody who asked for the rating has just had the games measured that wait."""

    @property
    def now(self) -> int:
        return int(self.clock() * 1000)

    async def read(
        self,
        ask: Callable[Concatenate[Connection, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """What a function finds in the database, in a thread; it gets a connection and these arguments."""

        def asked() -> Result:
            with self.database.reading() as connection:
                return ask(connection, *args, **kwargs)

        try:
            async with asyncio.timeout(READ_SECONDS):
                return await asyncio.to_thread(asked)
        except TimeoutError:
            raise StoreUnavailable("the database takes too long to read") from None


def days_to_come(now: int) -> list[str]:
    """The days that need a deal at least a day before they begin: two, and one more in the hour before midnight."""
    return list(dict.fromkeys(day_at(now + ahead) for ahead in (0, DAY_MILLISECONDS, DAY_MILLISECONDS + HOUR_MS)))


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


@asynccontextmanager
async def open_state(
    service: Service, metrics: Metrics, rates: RateLimiter | None, clock: Clock
) -> AsyncIterator[WebState]:
    """All that the handlers share, at work until the end of the block; it is closed in the other order."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "shared"))
    async with AsyncExitStack() as stack:
        database = Database(service.database_url, has_deadlines=True)
        stack.callback(database.close)
        await asyncio.to_thread(bring_up_to_date, database)
        live = Live(database, metrics.streams.inc)

        def count(requests: int, seconds: float) -> None:
            metrics.commit(requests, seconds)
            metrics.waiting.set(writer.waiting)

        writer = Writer(database, service.max_in_a_commit, observe=count, when_changed=live.wake)
        writer.start()
        stack.push_async_callback(writer.close)
        tables = DuelTables(makes=service.makes_tables)
        stack.push_async_callback(asyncio.to_thread, tables.stop)
        lab, coach = Calculator(warm=WARM), Calculator(COACH_WAITING, COACH_BYTES)
        for calculator in (lab, coach):
            calculator.tell = metrics.question
            stack.push_async_callback(calculator.close)
        lab.start(LAB_SECONDS)
        live.start()
        stack.push_async_callback(live.stop)
        names, bots = Names(service.secret), Bots(tables, lab, coach)
        shared = WebState(service, database, writer, names, lab, coach, bots, live, metrics, rates, clock)
        tasks = BackgroundTasks(shared)
        stack.push_async_callback(tasks.close)
        await tasks.start()
        stack.enter_context(told_to_stop(live.close))
        yield shared
