"""The daily game: today's, the scores of a day, and the days that have passed, to practise on."""

from typing import Annotated, Final

from fastapi import APIRouter, Body, Path, Request, Response
from sqlalchemy import Connection

from tentimes18.coach.losses import board_losses
from tentimes18.server.chores.measuring import measure_games
from tentimes18.server.daily.days import DAY_MILLISECONDS, day_at, day_number, read_day, start_of, utc_text
from tentimes18.server.daily.reached import scores_on
from tentimes18.server.daily.share import share_text
from tentimes18.server.daily.streaks import streak_at
from tentimes18.server.identity import new_id
from tentimes18.server.models.daily import (
    ArchiveRequest,
    DailyModel,
    DayModel,
    DayScoreModel,
    OwnDayScoreModel,
    plain_score,
)
from tentimes18.server.models.games import TAKES_NOTHING, game_answer
from tentimes18.server.problems import Problem, documented
from tentimes18.server.routes.games import game_response
from tentimes18.server.state import AnyCaller, Shared, WebState
from tentimes18.server.store.daily import (
    DailyToBegin,
    DayScores,
    OwnGame,
    begin_archive,
    begin_daily,
    daily_games,
    deal_of_day,
    own_game_of_day,
    players_of_day,
    scores_of_day,
)
from tentimes18.server.store.games import NotFound
from tentimes18.server.store.losses import numbered
from tentimes18.server.store.states import load_state

__all__ = ["router"]

MOST_SCORES: Final = 1000
MANY_PLAYERS: Final = 1000  # from here on what all share is looked up every few seconds only

router = APIRouter(prefix="/daily", tags=["daily"])

DayPath = Annotated[str, Path(max_length=100, examples=["2026-11-16"], json_schema_extra={"format": "date"})]


@router.get("", responses=documented())
async def today(shared: Shared, caller: AnyCaller) -> DailyModel:
    """Today's game, and whether this player has begun it."""
    day = day_at(shared.now)
    kept = shared.players_of_days.get(day)

    def ask(connection: Connection) -> tuple[int, OwnGame | None]:
        own = None if caller.is_new else own_game_of_day(connection, caller.player, day, archive=False)
        return players_of_day(connection, day) if kept is None else kept, own

    count, own = await shared.read(ask)
    if kept is None and count >= MANY_PLAYERS:
        shared.players_of_days.put(day, count)
    return DailyModel(
        day=day,
        number=day_number(day),
        next=utc_text(start_of(day) + DAY_MILLISECONDS),
        players=count,
        game=None if own is None else own.id,
    )


@router.post(
    "",
    status_code=201,
    responses=game_answer(201, "Begun") | game_answer(200, "Begun before") | documented("conflict"),
    dependencies=[TAKES_NOTHING],
)
async def begin(request: Request, shared: Shared, caller: AnyCaller) -> Response:
    """Begin today's game, once: the day is the one at this moment, and stays the game's."""
    now = shared.now
    wanted = DailyToBegin(new_id(), caller.player, day_at(now), now)
    begun = await shared.writer.do(begin_daily, wanted)
    if begun.is_new:
        shared.metrics.games.add(1, begun.state.kind)
    return game_response(request, shared, caller, begun.state, 201 if begun.is_new else 200)


@router.post(
    "/{day}",
    status_code=201,
    responses=game_answer(201, "Begun")
    | game_answer(200, "Begun before, and not finished")
    | documented("not-found", "conflict"),
)
async def practise(
    request: Request,
    shared: Shared,
    caller: AnyCaller,
    day: DayPath,
    wanted: Annotated[ArchiveRequest | None, Body()] = None,
) -> Response:
    """Practise on the rolls of a day that has passed; such a game counts nowhere."""
    now, day = shared.now, read_day(day)
    if day == day_at(now):
        raise Problem("conflict", "this is today's game; it is begun without naming the day", "day")
    _verify_past(day, now)
    coach = (wanted or ArchiveRequest()).coach
    begun = await shared.writer.do(begin_archive, DailyToBegin(new_id(), caller.player, day, now, coach))
    if begun.is_new:
        shared.metrics.games.add(1, begun.state.kind)
    return game_response(request, shared, caller, begun.state, 201 if begun.is_new else 200)


def _verify_past(day: str, now: int) -> None:
    if day > day_at(now):
        raise NotFound("this day has not come yet")
    if day_number(day) < 1:
        raise NotFound("there was no daily game yet on this day")


@router.get("/{day}", responses=documented("forbidden", "not-found"))
async def results(shared: Shared, caller: AnyCaller, day: DayPath) -> DayModel:
    """The scores of a day, for one who has played it to the end."""
    day, today = read_day(day), day_at(shared.now)

    def ask_own(connection: Connection) -> OwnGame | None:
        return own_game_of_day(connection, caller.player, day, archive=day < today)

    own = None if caller.is_new else await shared.read(ask_own)
    if own is None or own.finished is None or own.score is None:
        _verify_past(day, shared.now)
        raise Problem("forbidden", "the scores of a day are shown when your own game of that day is finished", "day")
    return await _results(shared, caller.player, day, own)


async def _results(shared: WebState, player: str, day: str, own: OwnGame) -> DayModel:
    kept = shared.scores_of_days.get(day)

    def ask(connection: Connection) -> tuple[DayScores, tuple[int, ...], list[str]]:
        deal = deal_of_day(connection, day)
        if deal is None:
            raise AssertionError("a game has a deal")
        scores = kept or scores_of_day(connection, deal[0], MOST_SCORES)
        return scores, deal[1].rolls, [game.day for game in daily_games(connection, player)]

    scores, rolls, played = await shared.read(ask)
    unmeasured = [row.number for row in scores.best if row.loss is None]
    unmeasured += [own.number] if own.loss is None else []
    found = await measure_games(shared, numbered(unmeasured), len(unmeasured)) if unmeasured else {}
    if kept is None and scores.players >= MANY_PLAYERS:
        shared.scores_of_days.put(day, scores.with_losses({number: game.loss for number, game in found.items()}))

    def loss_of(number: int, known: float | None) -> float:
        return found[number].loss if known is None and number in found else known or 0.0

    def ask_board(connection: Connection) -> str | None:
        state = load_state(connection, own.id)
        if state is None or own.kind != "daily":
            return None
        return share_text(day, float(state.board.score), board_losses(state.board), streak_at(day, played))

    optimal, best = scores_on(rolls)
    score, ranks = own.score or 0.0, scores.ranks
    listed = [
        DayScoreModel(
            rank=ranks[row.score],
            name=shared.names.shown(row.player, row.name),
            score=plain_score(row.score),
            loss=loss_of(row.number, row.loss),
        )
        for row in scores.best
    ]
    own_score = OwnDayScoreModel(
        game=own.id,
        kind="daily" if own.kind == "daily" else "solo",
        rank=scores.rank(score),
        score=plain_score(score),
        loss=loss_of(own.number, own.loss),
    )
    return DayModel(
        day=day,
        number=day_number(day),
        optimal=optimal,
        best=best,
        players=scores.players,
        scores=listed,
        histogram=[(plain_score(made), count) for made, count in scores.histogram],
        own=own_score,
        share=await shared.read(ask_board),
    )
