"""The own games as a list, and the own scores against the exact law of the perfect player's."""

import json
from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import Connection

from tentimes18.server.chores.measuring import measure_games
from tentimes18.server.models.history import (
    HistoryModel,
    HistoryQuery,
    ListedGameModel,
    ScoresModel,
    ScoresQuery,
)
from tentimes18.server.problems import documented
from tentimes18.server.score_bins import score_bins
from tentimes18.server.state import AnyCaller, Shared
from tentimes18.server.store.history import ListedGame, Wanted, listed_games, own_scores
from tentimes18.server.store.losses import numbered
from tentimes18.server.views import listed_view, named

__all__ = ["router"]

router = APIRouter(prefix="/me", tags=["me"])


@router.get("/history", responses=documented())
async def history(shared: Shared, caller: AnyCaller, query: Annotated[HistoryQuery, Query()]) -> HistoryModel:
    """The own games, the latest first, some at a time; with ``finished=false`` those to go on with."""
    wanted = Wanted(query.kind, query.finished, query.before)

    def ask(connection: Connection) -> list[ListedGame]:
        return listed_games(connection, caller.player, wanted, query.limit + 1)

    found = [] if caller.is_new else await shared.read(ask)
    page, has_more = found[: query.limit], len(found) > query.limit
    unmeasured = [
        game.state.number
        for game in page
        if game.loss is None and game.state.finished is not None and game.state.duel is None
    ]
    losses = await measure_games(shared, numbered(unmeasured), len(unmeasured)) if unmeasured else {}
    listed = []
    for state, loss, choices in page:
        if (measured := losses.get(state.number)) is not None:
            loss, choices = measured.loss, measured.choices
        view = listed_view(named(state, shared.names))
        listed.append(ListedGameModel(**view, loss=loss, choices=choices))
    return HistoryModel(games=listed, next=page[-1].state.id if has_more else None)


@router.get("/scores", responses=documented())
async def scores(shared: Shared, caller: AnyCaller, query: Annotated[ScoresQuery, Query()]) -> ScoresModel:
    """How often the own scores of the classic game fell into each bin, and how often the perfect player's would."""
    kind = "daily" if query.kind == "daily" else None

    def ask(connection: Connection) -> list[tuple[float, int]]:
        return own_scores(connection, caller.player, kind)

    own = [] if caller.is_new else await shared.read(ask)
    law = json.loads((await shared.lab.ask("distribution", {})).body)
    games = sum(count for _, count in own)
    return ScoresModel(
        games=games,
        mean=sum(score * count for score, count in own) / games if games else None,
        law_mean=law["mean"],
        width=query.width,
        bins=score_bins(own, law["pmf"], query.width),
    )
