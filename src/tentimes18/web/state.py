"""What the routes of a process share: settings, the store, its writer, who signs cookies, the bots, and the clock.

Nothing of a game is kept here: another process knows as much.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeAlias, TypeVar

from fastapi import Depends, Request
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool

from tentimes18.web.bots import Bots
from tentimes18.web.identity import Caller, Signer
from tentimes18.web.kept_answers import KeptAnswers
from tentimes18.web.service_metrics import ServiceMetrics
from tentimes18.web.settings import Service
from tentimes18.web.store.database import Database
from tentimes18.web.store.writer import Writer

__all__ = ["AnyCaller", "Clock", "Shared", "WebState", "is_secure"]

Clock: TypeAlias = Callable[[], float]
"""Seconds since 1970, as `time.time` counts them."""

Found = TypeVar("Found")


@dataclass(slots=True)
class WebState:
    """Made when the process starts, closed when it stops."""

    service: Service
    database: Database
    writer: Writer
    signer: Signer
    lab: KeptAnswers
    """What strangers ask about any game."""
    coach: KeptAnswers
    """What players ask about their own, which must not wait for the lab."""
    bots: Bots
    metrics: ServiceMetrics
    clock: Clock = time.time

    @property
    def now(self) -> int:
        """The time in milliseconds, as the store writes it."""
        return int(self.clock() * 1000)

    async def read(self, ask: Callable[[Connection], Found]) -> Found:
        """What the store says, asked off the event loop."""

        def asked() -> Found:
            with self.database.reading() as connection:
                return ask(connection)

        return await run_in_threadpool(asked)


async def _shared(request: Request) -> WebState:
    state: WebState = request.app.state.shared
    return state


Shared: TypeAlias = Annotated[WebState, Depends(_shared)]


async def _caller(request: Request, shared: Shared) -> Caller:
    return shared.signer.caller(request)


AnyCaller: TypeAlias = Annotated[Caller, Depends(_caller)]


def is_secure(request: Request, service: Service) -> bool:
    """Whether the player's browser came by TLS."""
    if service.is_behind_proxy:
        return request.headers.get("x-forwarded-proto", "").split(",")[-1].strip() == "https"
    return request.url.scheme == "https"
