"""Whether the service works: for whoever starts it, and for those who watch it."""

from contextlib import suppress
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field
from sqlalchemy import Connection, text

from tentimes18.server.problems import documented
from tentimes18.server.state import Shared
from tentimes18.server.store.writer import Busy, write_nothing

__all__ = ["router"]

router = APIRouter(tags=["service"])


class TableModel(BaseModel):
    """Whether this process has a solved table; else how much of it is made, from 0 to 1, or what is in its way."""

    ready: bool
    progress: float | None
    problem: str | None


class HealthModel(BaseModel):
    """The service answers, and its store can be read and written."""

    status: Literal["ok"]
    database: Literal["sqlite", "postgresql"]
    waiting: Annotated[int, Field(description="Requests that wait to be written.")]
    tables: Annotated[dict[str, TableModel], Field(description="What bots of duels play by, by the name of the bot.")]


@router.get("/health", responses=documented())
async def health(shared: Shared) -> HealthModel:
    """Whether the service works: 503 where its store cannot be read, or nothing can be written to disk."""

    def ask(connection: Connection) -> None:
        connection.execute(text("SELECT 1"))

    await shared.read(ask)
    with suppress(Busy):  # too many wait: it is being written
        await shared.writer.do(write_nothing, None)
    return HealthModel(
        status="ok",
        database="sqlite" if shared.database.is_sqlite else "postgresql",
        waiting=shared.writer.waiting,
        tables={name: TableModel(**state) for name, state in shared.bots.tables.state().items()},
    )
