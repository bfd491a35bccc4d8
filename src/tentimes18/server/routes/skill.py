"""A rating without luck: who loses least by a choice."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from sqlalchemy import Connection

from tentimes18.server.chores.measuring import measure_games
from tentimes18.server.daily.days import utc_text
from tentimes18.server.models.daily import plain_score
from tentimes18.server.models.players import (
    CourseGameModel,
    CourseModel,
    CourseQuery,
    OwnSkillModel,
    RatedPlayerModel,
    SkillModel,
)
from tentimes18.server.problems import documented
from tentimes18.server.state import AnyCaller, Shared, WebState
from tentimes18.server.store.losses import of_player, those_that_wait
from tentimes18.server.store.skill import (
    LAST_GAMES,
    CourseGame,
    RatedPlayer,
    best_players,
    course_of,
    rated_count,
    rated_player,
)

__all__ = ["router"]

MOST_PLAYERS: Final = 100
ALL: Final = "all"

router = APIRouter(tags=["skill"])


@router.get("/skill", responses=documented())
async def skill(shared: Shared, caller: AnyCaller) -> SkillModel:
    """The mean cost of a choice over the last 30 rated games, from ten games on; the lowest first."""
    if not caller.is_new:
        await measure_games(shared, of_player(caller.player), LAST_GAMES)
    if not shared.has_measured.get(ALL):
        shared.has_measured.put(ALL, True)
        await measure_games(shared, those_that_wait())

    def ask(connection: Connection) -> tuple[list[RatedPlayer], RatedPlayer | None]:
        own = None if caller.is_new else rated_player(connection, caller.player)
        return best_players(connection, MOST_PLAYERS), own

    best, own = await shared.read(ask)
    return SkillModel(
        players=[_model(shared, found) for found in best], own=None if own is None else _model(shared, own)
    )


@router.get("/me/skill", responses=documented(), tags=["me"])
async def course(shared: Shared, caller: AnyCaller, query: Annotated[CourseQuery, Query()]) -> CourseModel:
    """The own rating after each game that counts, over the last 30 up to it, and the own place among the others."""
    if not caller.is_new:
        await measure_games(shared, of_player(caller.player))

    def ask(connection: Connection) -> tuple[list[CourseGame], RatedPlayer | None, int]:
        if caller.is_new:
            return [], None, rated_count(connection)
        own = rated_player(connection, caller.player)
        return course_of(connection, caller.player, query.limit), own, rated_count(connection)

    games, own, players = await shared.read(ask)
    return CourseModel(
        course=[
            CourseGameModel(
                game=one.game,
                kind="daily" if one.kind == "daily" else "solo",
                finished=utc_text(one.finished),
                score=plain_score(one.score),
                loss=one.loss,
                choices=one.choices,
                games=one.games,
                cost=one.cost,
                error=one.error,
            )
            for one in games
        ],
        own=None if own is None else OwnSkillModel(rank=own.rank, games=own.games, cost=own.cost, error=own.error),
        players=players,
    )


def _model(shared: WebState, found: RatedPlayer) -> RatedPlayerModel:
    return RatedPlayerModel(
        rank=found.rank,
        name=shared.names.shown(found.player, found.name),
        games=found.games,
        cost=found.cost,
        error=found.error,
    )
