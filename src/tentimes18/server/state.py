"""What the routes of a process share: settings, the store, its writer, who signs cookies, bots, live games, the clock.

Nothing of a game is kept here: another process knows as much.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Final, TypeAlias, TypeVar

from fastapi import Depends, Request, Response
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool

from tentimes18.server.bots.bots import Bots
from tentimes18.server.calculator.kept_answers import KeptAnswers
from tentimes18.server.fresh import Fresh
from tentimes18.server.identity import Caller, Signer
from tentimes18.server.live.live import Live
from tentimes18.server.names import Names
from tentimes18.server.service_metrics import ServiceMetrics
from tentimes18.server.settings import Service
from tentimes18.server.store.daily import DayScores
from tentimes18.server.store.database import Database
from tentimes18.server.store.writer import Writer

__all__ = ["AnyCaller", "Clock", "Shared", "WebState", "greet", "is_secure"]

Clock: TypeAlias = Callable[[], float]
"""Seconds since 1970, as `time.time` counts them."""

KEPT_SECONDS: Final = 3.0
MEASURED_SECONDS: Final = 0.5

Found = TypeVar("Found")


@dataclass(slots=True)
class WebState:
    """Made when the process starts, closed when it stops."""

    service: Service
    database: Database
    writer: Writer
    signer: Signer
    names: Names
    lab: KeptAnswers
    """What strangers ask about any game."""
    coach: KeptAnswers
    """What players ask about their own, which must not wait for the lab."""
    bots: Bots
    live: Live
    metrics: ServiceMetrics
    clock: Clock = time.time
    scores_of_days: Fresh[str, DayScores] = field(default_factory=lambda: Fresh(KEPT_SECONDS, most=40))
    """Of days with many players."""
    players_of_days: Fresh[str, int] = field(default_factory=lambda: Fresh(KEPT_SECONDS, most=2))
    has_measured: Fresh[str, bool] = field(default_factory=lambda: Fresh(MEASURED_SECONDS, most=1))
    """Whether somebody who asked for the rating has just had the games measured that wait."""

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


def greet(request: Request, response: Response, shared: WebState, caller: Caller) -> None:
    """Give one who is new the cookie."""
    shared.signer.greet(response, caller, is_secure=is_secure(request, shared.service))
