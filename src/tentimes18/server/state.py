"""What the handlers of a process share: settings, the store, its writer, bots, live games, metrics, the clock.

Nothing of a game is held here: another process knows as much.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

from sqlalchemy import Connection

from tentimes18.server.bot_tables import DuelTables
from tentimes18.server.bots import Bots
from tentimes18.server.calculator import Calculator, coach_calculator, lab_calculator
from tentimes18.server.identity import Signer
from tentimes18.server.live import Live
from tentimes18.server.metrics import Metrics
from tentimes18.server.names import Names
from tentimes18.server.rates import RateLimiter
from tentimes18.server.settings import Service
from tentimes18.server.store.daily import DayScores
from tentimes18.server.store.database import Database, bring_up_to_date
from tentimes18.server.store.writer import CommitFigures, Writer

Clock: TypeAlias = Callable[[], float]
"""Seconds since 1970, as `time.time` counts them."""
Result = TypeVar("Result")
Key = TypeVar("Key")
Value = TypeVar("Value")

THREADS = 40  # that wait for the store, or compute something short
LAB_SECONDS = 2.0  # when the first requests are answered, the lab gets ready for the next
DAY_SECONDS = 3.0
MEASURED_SECONDS = 0.5


class Fresh(Generic[Key, Value]):
    """The latest answers, each for so many seconds; the one that was put longest ago makes room."""

    def __init__(self, seconds: float, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._found: dict[Key, tuple[float, Value]] = {}

    def get(self, key: Key) -> Value | None:
        """The answer, while it is fresh."""
        until, value = self._found.get(key, (0.0, None))
        return value if value is not None and self._clock() < until else None

    def put(self, key: Key, value: Value) -> None:
        """Keep an answer."""
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
    signer: Signer
    names: Names
    lab: Calculator
    """What strangers ask about any game."""
    coach: Calculator
    """What players ask about their own, which must not wait for the lab."""
    bots: Bots
    live: Live
    metrics: Metrics
    rates: RateLimiter | None = None
    clock: Clock = time.time
    scores_of_days: Fresh[str, DayScores] = field(default_factory=lambda: Fresh(DAY_SECONDS, most=40))
    """Of days with many players."""
    players_of_days: Fresh[str, int] = field(default_factory=lambda: Fresh(DAY_SECONDS, most=2))
    has_measured: Fresh[str, bool] = field(default_factory=lambda: Fresh(MEASURED_SECONDS, most=1))
    """Whether somebody who asked for the rating has just had the games measured that wait."""

    @property
    def now(self) -> int:
        """The time in milliseconds, as the store writes it."""
        return int(self.clock() * 1000)

    async def read(self, ask: Callable[[Connection], Result]) -> Result:
        """What the store says, asked off the event loop."""

        def asked() -> Result:
            with self.database.reading() as connection:
                return ask(connection)

        return await asyncio.to_thread(asked)


@asynccontextmanager
async def open_state(
    service: Service, signer: Signer, metrics: Metrics, rates: RateLimiter | None, clock: Clock
) -> AsyncIterator[WebState]:
    """All that the handlers share, at work until the end of the block; it is closed in the other order."""
    from tentimes18.server.background import BackgroundTasks
    from tentimes18.server.live import told_to_stop

    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "shared"))
    async with AsyncExitStack() as stack:
        database = Database(service.database_url)
        stack.callback(database.close)
        await asyncio.to_thread(bring_up_to_date, database)
        live = Live(database, metrics.streams.inc)

        def count(figures: CommitFigures) -> None:
            metrics.commit(figures)
            metrics.waiting.set(writer.waiting)

        writer = Writer(database, service.most_in_a_commit, tell=count, when_changed=live.wake)
        writer.start()
        stack.push_async_callback(asyncio.to_thread, writer.close)
        tables = DuelTables(makes=service.makes_tables)
        tables.start()
        stack.push_async_callback(asyncio.to_thread, tables.stop)
        lab, coach = lab_calculator(), coach_calculator()
        for calculator in (lab, coach):
            calculator.tell = metrics.question
            stack.push_async_callback(calculator.close)
        lab.start(LAB_SECONDS)
        live.start()
        stack.push_async_callback(live.stop)
        names, bots = Names(service.secret), Bots(tables)
        shared = WebState(service, database, writer, signer, names, lab, coach, bots, live, metrics, rates, clock)
        tasks = BackgroundTasks(shared)
        stack.push_async_callback(tasks.close)
        await tasks.start()
        stack.enter_context(told_to_stop(live.close))
        yield shared
