"""What the handlers of a process share: settings, the store, its writer, bots, live games, metrics, the clock.

Nothing of a game is held here: another process knows as much.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Concatenate, Generic, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection

from tentimes18.server.bots import Bots, DuelTables
from tentimes18.server.calculator import COACH_BYTES, COACH_WAITING, WARM, Calculator
from tentimes18.server.identity import Names
from tentimes18.server.live import Live, told_to_stop
from tentimes18.server.metrics import Metrics
from tentimes18.server.rates import RateLimiter
from tentimes18.server.settings import Service
from tentimes18.server.store.daily import DayScores
from tentimes18.server.store.database import Database, StoreUnavailable, bring_up_to_date
from tentimes18.server.store.writer import Writer

Clock: TypeAlias = Callable[[], float]  # seconds since 1970, as `time.time` counts them
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Key = TypeVar("Key")
Value = TypeVar("Value")

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


@asynccontextmanager
async def open_state(
    service: Service, metrics: Metrics, rates: RateLimiter | None, clock: Clock
) -> AsyncIterator[WebState]:
    """All that the handlers share, at work until the end of the block; it is closed in the other order."""
    from tentimes18.server.background import BackgroundTasks

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
