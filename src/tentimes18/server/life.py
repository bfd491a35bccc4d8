"""What a process opens when it starts, and closes in the other order when it stops."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from starlette.concurrency import run_in_threadpool

from tentimes18.server.bots.bots import Bots
from tentimes18.server.bots.tables import DuelTables
from tentimes18.server.calculator.kept_answers import coach_answers, lab_answers
from tentimes18.server.chores.chores import Chores
from tentimes18.server.identity import Signer
from tentimes18.server.live.live import Live
from tentimes18.server.live.stopping import told_to_stop
from tentimes18.server.names import Names
from tentimes18.server.service_metrics import ServiceMetrics
from tentimes18.server.settings import Service
from tentimes18.server.state import Clock, WebState
from tentimes18.server.store.database import Database
from tentimes18.server.store.migration import bring_up_to_date
from tentimes18.server.store.writer import Writer

__all__ = ["opened"]

SOON: Final = 2.0  # seconds: when the first requests are answered, the lab gets ready for the next


@asynccontextmanager
async def opened(service: Service, signer: Signer, metrics: ServiceMetrics, clock: Clock) -> AsyncIterator[WebState]:
    """All that the routes share, at work until the end of the block."""
    async with AsyncExitStack() as stack:
        database = Database(service.database_url)
        stack.callback(database.close)
        await run_in_threadpool(bring_up_to_date, database)
        live = Live(database, metrics.streams.add)
        writer = Writer(database, service.most_in_a_commit, tell=metrics.commit, when_changed=live.wake)
        metrics.waiting = lambda: writer.waiting
        writer.start()
        stack.push_async_callback(run_in_threadpool, writer.close)
        tables = DuelTables(makes=service.makes_tables)
        tables.start()
        stack.push_async_callback(run_in_threadpool, tables.stop)
        lab, coach = lab_answers(), coach_answers()
        for answers in (lab, coach):
            answers.tell = metrics.question
            stack.push_async_callback(answers.calculator.close)
        lab.calculator.start(SOON)
        live.start()
        stack.push_async_callback(live.stop)
        names = Names(service.secret)
        shared = WebState(service, database, writer, signer, names, lab, coach, Bots(tables), live, metrics, clock)
        chores = Chores(shared)
        stack.push_async_callback(chores.close)
        await chores.start()
        stack.enter_context(told_to_stop(live.close))
        yield shared
