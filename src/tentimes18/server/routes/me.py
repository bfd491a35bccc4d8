"""The player: who one is, a name, the days that were played, a link to another device, and the end of it."""

from collections import Counter
from typing import Final

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from tentimes18.server.chores.measuring import measure_games
from tentimes18.server.daily.days import day_at, day_number, utc_text
from tentimes18.server.daily.streaks import best_streak, streak_at
from tentimes18.server.identity import forget, new_id
from tentimes18.server.models.daily import OwnDayModel, OwnDaysModel, plain_score
from tentimes18.server.models.games import TAKES_NOTHING
from tentimes18.server.models.players import (
    LinkModel,
    LinkRequest,
    NameRequest,
    OwnSkillModel,
    PlayerModel,
)
from tentimes18.server.names import read_name
from tentimes18.server.problems import documented
from tentimes18.server.state import AnyCaller, Shared, WebState, greet, is_secure
from tentimes18.server.store.daily import OwnGame, daily_games
from tentimes18.server.store.deletion import PlayerToRemove, remove_player
from tentimes18.server.store.losses import numbered, of_player
from tentimes18.server.store.players import (
    LinkToMake,
    LinkToUse,
    NameToKeep,
    PlayerFacts,
    make_link,
    player_facts,
    rename,
    use_link,
)
from tentimes18.server.store.skill import LAST_GAMES, RatedPlayer, rated_player

__all__ = ["router"]

LINK_MILLISECONDS: Final = 3600 * 1000
LAW: Final = "/api/v1/lab/distribution?strategy=optimal"

router = APIRouter(tags=["me"])


async def _player(shared: WebState, player: str) -> PlayerModel:
    def ask(connection: Connection) -> tuple[PlayerFacts, list[OwnGame], RatedPlayer | None]:
        return player_facts(connection, player), daily_games(connection, player), rated_player(connection, player)

    await measure_games(shared, of_player(player), LAST_GAMES)
    facts, days, rated = await shared.read(ask)
    return PlayerModel(
        name=facts.name,
        shown=shared.names.shown(player, facts.name),
        created=None if facts.created is None else utc_text(facts.created),
        games=facts.games,
        finished=facts.finished,
        streak=streak_at(day_at(shared.now), [game.day for game in days]),
        skill=None
        if rated is None
        else OwnSkillModel(rank=rated.rank, games=rated.games, cost=rated.cost, error=rated.error),
    )


@router.get("/me", responses=documented())
async def me(request: Request, response: Response, shared: Shared, caller: AnyCaller) -> PlayerModel:
    """Who this is; one who is new gets a cookie, and nothing is kept yet. A known one's is given for another while."""
    shared.signer.set(response, caller.player, is_secure=is_secure(request, shared.service))
    return await _player(shared, caller.player)


@router.patch("/me", responses=documented())
async def call(
    request: Request, response: Response, shared: Shared, caller: AnyCaller, wanted: NameRequest
) -> PlayerModel:
    """Take a name that others see in lists, or give it up."""
    name = None if wanted.name is None else read_name(wanted.name)
    await shared.writer.do(rename, NameToKeep(caller.player, name, shared.now))
    greet(request, response, shared, caller)
    return await _player(shared, caller.player)


@router.delete("/me", status_code=204, responses=documented(), dependencies=[TAKES_NOTHING])
async def leave(shared: Shared, caller: AnyCaller) -> Response:
    """Remove this player with all games; a duel with a friend stays theirs, against someone."""
    if not caller.is_new:
        await shared.writer.do(remove_player, PlayerToRemove(caller.player, shared.now))
    response = Response(status_code=204)
    forget(response)
    return response


@router.get("/me/daily", responses=documented())
async def days(shared: Shared, caller: AnyCaller) -> OwnDaysModel:
    """The daily games of this player: streaks, scores, and how often each score was made."""
    found = [] if caller.is_new else await shared.read(lambda connection: daily_games(connection, caller.player))
    unmeasured = [game.number for game in found if game.loss is None]
    measured = await measure_games(shared, numbered(unmeasured), len(unmeasured)) if unmeasured else {}
    own = []
    for game in found:
        loss = measured[game.number].loss if game.number in measured else game.loss or 0.0
        score = plain_score(game.score or 0.0)
        own.append(OwnDayModel(day=game.day, number=day_number(game.day), score=score, loss=loss, game=game.id))
    played = [game.day for game in found]
    return OwnDaysModel(
        streak=streak_at(day_at(shared.now), played),
        best_streak=best_streak(played),
        days=own,
        histogram=sorted(Counter(game.score for game in own).items()),
        law=LAW,
    )


@router.post("/me/link", status_code=201, responses=documented(), dependencies=[TAKES_NOTHING])
async def make_code(request: Request, response: Response, shared: Shared, caller: AnyCaller) -> LinkModel:
    """Make a code that makes another device this player: once, within an hour, and in place of an earlier one."""
    now = shared.now
    link = LinkToMake(caller.player, new_id(), now, now + LINK_MILLISECONDS)
    await shared.writer.do(make_link, link)
    greet(request, response, shared, caller)
    return LinkModel(code=link.code, expires=utc_text(link.expires))


@router.post("/link", responses=documented("not-found"))
async def use_code(request: Request, response: Response, shared: Shared, wanted: LinkRequest) -> PlayerModel:
    """Be the player of a code from now on; whoever this device was before stays where it was, without a cookie."""
    player = await shared.writer.do(use_link, LinkToUse(wanted.code, shared.now))
    shared.signer.set(response, player, is_secure=is_secure(request, shared.service))
    return await _player(shared, player)
