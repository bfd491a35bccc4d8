"""A rating without luck: who loses least by a choice."""

from typing import Final

from fastapi import APIRouter
from sqlalchemy import Connection

from tentimes18.web.chores.measuring import measure_games
from tentimes18.web.models.players import RatedPlayerModel, SkillModel
from tentimes18.web.problems import documented
from tentimes18.web.state import AnyCaller, Shared, WebState
from tentimes18.web.store.losses import of_player, those_that_wait
from tentimes18.web.store.skill import LAST_GAMES, RatedPlayer, best_players, rated_player

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


def _model(shared: WebState, found: RatedPlayer) -> RatedPlayerModel:
    return RatedPlayerModel(
        rank=found.rank,
        name=shared.names.shown(found.player, found.name),
        games=found.games,
        cost=found.cost,
        error=found.error,
    )
