"""The days that have passed, as a list: what the player made of each, and what could be made of it."""

from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import Connection

from tentimes18.errors import blame
from tentimes18.queries.json_numbers import Plain
from tentimes18.server.chores.measuring import measure_games
from tentimes18.server.daily.days import day_at, day_number, days_before, read_day
from tentimes18.server.daily.reached import scores_on
from tentimes18.server.models.daily import (
    ArchivedDayModel,
    ArchivedGameModel,
    ArchiveModel,
    ArchiveQuery,
    plain_score,
)
from tentimes18.server.problems import documented
from tentimes18.server.state import AnyCaller, Shared
from tentimes18.server.store.daily import OwnGame, games_of_days, rolls_of_days
from tentimes18.server.store.losses import numbered

__all__ = ["router"]

router = APIRouter(prefix="/daily", tags=["daily"])


@router.get("/archive", responses=documented())
async def archive(shared: Shared, caller: AnyCaller, query: Annotated[ArchiveQuery, Query()]) -> ArchiveModel:
    """The days that have passed, the latest first; of those that the player has finished, also what was possible."""
    today = day_at(shared.now)
    with blame("before", "day"):
        before = today if query.before is None else min(today, read_day(query.before))
    last = max(0, day_number(before) - 1)
    days = [days_before(before, ago) for ago in range(1, min(query.limit, last) + 1)]

    def ask(connection: Connection) -> tuple[list[OwnGame], dict[str, tuple[Plain, Plain]]]:
        found = [] if caller.is_new else games_of_days(connection, caller.player, days)
        rolls = rolls_of_days(connection, {game.day for game in found if game.finished is not None})
        return found, {day: scores_on(of_day) for day, of_day in rolls.items()}

    found, reached = await shared.read(ask)
    finished: dict[str, OwnGame] = {}
    unfinished: dict[str, str] = {}
    for game in found:
        if game.finished is None:
            unfinished.setdefault(game.day, game.id)
        elif game.day not in finished or game.kind == "daily":
            finished[game.day] = game
    unmeasured = [game.number for game in finished.values() if game.loss is None]
    losses = await measure_games(shared, numbered(unmeasured), len(unmeasured)) if unmeasured else {}

    def shown(day: str) -> ArchivedDayModel:
        game = finished.get(day)
        optimal, best = (None, None) if game is None else reached[day]
        return ArchivedDayModel(
            day=day,
            number=day_number(day),
            own=None if game is None else _own(game, losses[game.number].loss if game.number in losses else game.loss),
            open=unfinished.get(day),
            optimal=optimal,
            best=best,
        )

    return ArchiveModel(days=[shown(day) for day in days], next=days[-1] if days and len(days) < last else None)


def _own(game: OwnGame, loss: float | None) -> ArchivedGameModel:
    return ArchivedGameModel(
        game=game.id,
        kind="daily" if game.kind == "daily" else "solo",
        score=plain_score(game.score or 0.0),
        loss=loss or 0.0,
    )
