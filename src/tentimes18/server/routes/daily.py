"""The daily game: today's, the scores of a day, the days that have passed, and what the rolls are committed to."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta, Struct
from sqlalchemy import Connection

from tentimes18.coach.losses import board_losses
from tentimes18.errors import Ten18Error, blame
from tentimes18.queries.json_numbers import plain
from tentimes18.server import days as calendar
from tentimes18.server.days import Yardstick, day_at, day_number, utc_text, yardstick
from tentimes18.server.problems import NotFound, Problem, described, documented
from tentimes18.server.request import Request
from tentimes18.server.routes.games import game_response
from tentimes18.server.state import WebState, losses_of
from tentimes18.server.store import daily as store
from tentimes18.server.store.daily import DayKind, DayScores, OwnGame
from tentimes18.server.store.games import Coach, GameState, load_state
from tentimes18.server.views import Digest, Game, Number

Histogram: TypeAlias = list[tuple[Number, int]]  # scores, increasing, and how many games made each
Day = Annotated[str, PathParameter(max_length=100, schema_extra={"format": "date", "examples": ["2026-11-16"]})]

MAX_SCORES = 1000
MANY_PLAYERS = 1000  # from here on what all share is looked up every few seconds only
PUBLISHED_DAYS = 30  # that have passed
PUBLIC_MINUTE = "public, max-age=60"
BEGUN_BEFORE = described(Game, "Begun before")


def plain_score(score: float) -> Number:
    """A score as the store has it, written as one writes it."""
    return plain(Fraction(score))


class ArchiveRequest(Struct, forbid_unknown_fields=True):
    """A game of a day that has passed, for practice."""

    coach: Coach = "off"


class Daily(Struct):
    """Today's game: its day in UTC, its number, when the next one begins, how many play, and the player's game."""

    day: str
    number: int
    next: str
    players: Annotated[int, Meta(description="How many have begun it.")]
    game: Annotated[str | None, Meta(description="The id of the player's game.")]


class DayScore(Struct):
    """A finished game of a day; equal scores share a rank, and ``loss`` is what the moves cost, in points."""

    rank: int
    name: str
    score: Number
    loss: float


class PlacedRound(Struct):
    """A roll, the slot of the optimal strategy, and how many of the finished games have it in which slot."""

    round: int
    roll: int
    optimal: Annotated[int, Meta(description="The slot where the optimal strategy puts it, from its own board.")]
    placed: dict[str, int]


class OwnDayScore(Struct):
    """The player's game of a day: its rank among the others, even if it was practice."""

    game: str
    kind: DayKind
    rank: int
    score: Number
    loss: float


class DayResults(Struct):
    """The results of a day, for a player who has finished its game.

    ``optimal`` is the score of the optimal strategy on these rolls, ``best`` the best possible one. The best thousand
    scores are listed, and the player's; the histogram has all.
    """

    day: str
    number: int
    optimal: Number
    best: Number
    players: Annotated[int, Meta(description="How many have finished it.")]
    scores: list[DayScore]
    histogram: Histogram
    rounds: Annotated[list[PlacedRound], Meta(description="Where the players put each roll.")]
    own: OwnDayScore
    share: Annotated[str | None, Meta(description="Text to share, which reveals nothing about the rolls.")]


class ArchivedGame(Struct):
    """The player's game of a day that has passed: the daily one, or else the latest that was practice."""

    game: str
    kind: DayKind
    score: Number
    loss: float


class ArchivedDay(Struct):
    """A day that has passed; what its rolls were worth is shown to players who have finished it."""

    day: str
    number: int
    own: ArchivedGame | None
    open: Annotated[str | None, Meta(description="The id of the player's unfinished game of the day.")]
    optimal: Annotated[Number | None, Meta(description="The score of the optimal strategy.")]
    best: Annotated[Number | None, Meta(description="The best possible score.")]


class Archive(Struct):
    """Days that have passed, the latest first, and before which day the next ones are."""

    days: list[ArchivedDay]
    next: str | None


class CommittedDay(Struct):
    """What was published of a day, and when; ``ahead``: before it began."""

    day: str
    number: int
    committed: str
    ahead: bool
    commitments: list[Digest]


class Commitments(Struct):
    """The days whose rolls are committed to, the latest first."""

    days: list[CommittedDay]


@get("/daily")
async def today(request: Request) -> Daily:
    """Today's game, and whether this player has begun it."""
    shared, caller = request.shared, request.caller
    day = day_at(shared.now)
    players = shared.players_of_days.get(day)

    def ask(connection: Connection) -> tuple[int, OwnGame | None]:
        own = None if caller.is_new else store.own_game_of_day(connection, caller.player, day, archive=False)
        return store.players_of_day(connection, day) if players is None else players, own

    count, own = await shared.read(ask)
    if players is None and count >= MANY_PLAYERS:
        shared.players_of_days.put(day, count)
    next_day = utc_text(calendar.start_of(day) + calendar.DAY_MILLISECONDS)
    return Daily(day, day_number(day), next_day, count, None if own is None else own.id)


@post("/daily", responses=BEGUN_BEFORE | documented("conflict"))
async def begin(request: Request) -> Response[Game]:
    """Start today's game: one per player and day. It keeps the day on which it was started."""
    shared, now = request.shared, request.shared.now
    state, is_new = await shared.writer.call(store.begin_daily, request.caller.player, day_at(now), now)
    return game_response(request, state, 201 if is_new else 200)


@post("/daily/{day:str}", responses=BEGUN_BEFORE | documented("not-found", "conflict"))
async def practise(request: Request, day: Day, data: JSONBody[ArchiveRequest | None] = None) -> Response[Game]:
    """Start a practice game on the rolls of a past day; it does not count."""
    shared, now, day = request.shared, request.shared.now, _read_day(day)
    if day == day_at(now):
        raise Problem("conflict", "this is today's game; start it with POST /daily", "day")
    _verify_past(day, now)
    if now < calendar.closing_of(day):
        until = utc_text(calendar.closing_of(day))
        raise Problem("conflict", f"others still play this day: you can practise on its rolls from {until}", "day")
    coach = (data or ArchiveRequest()).coach
    state, is_new = await shared.writer.call(store.begin_archive, request.caller.player, day, now, coach)
    return game_response(request, state, 201 if is_new else 200)


def _read_day(text: str) -> str:
    try:
        return calendar.read_day(text)
    except Ten18Error:
        if calendar.looks_like_day(text):
            raise NotFound("the calendar has no such day") from None
        raise


def _verify_past(day: str, now: int) -> None:
    if day > day_at(now):
        raise NotFound("this day is in the future")
    if day_number(day) < 1:
        raise NotFound("there was no daily game on this day")


def results_of(
    rolls: Sequence[int],
    scores: DayScores,
    losses: Mapping[int, float],
    known: Yardstick,
    name: Callable[[str, str | None], str],
) -> dict[str, Any]:
    """The fields that a day and a group have in common; ``name`` is what a player is called, by id and name."""
    ranks = scores.ranks
    steps = enumerate(zip(rolls, known.slots, strict=True), start=1)
    rounds = [PlacedRound(number, roll, slot, {}) for number, (roll, slot) in steps]
    for number, slot, count in scores.placed:
        rounds[number - 1].placed[str(slot)] = count
    return {
        "optimal": known.optimal,
        "best": known.best,
        "scores": [
            DayScore(ranks[row.score], name(row.player, row.name), plain_score(row.score), losses.get(row.number, 0.0))
            for row in scores.best
        ],
        "histogram": [(plain_score(points), count) for points, count in scores.histogram],
        "rounds": rounds,
    }


@get("/daily/{day:str}", responses=documented("forbidden", "not-found"))
async def results(request: Request, day: Day) -> DayResults:
    """The scores of a day, for players who have finished its game."""
    shared, caller = request.shared, request.caller
    day, today = _read_day(day), day_at(shared.now)
    own = None if caller.is_new else await shared.read(store.own_game_of_day, caller.player, day, archive=day < today)
    if own is None or own.finished is None or own.score is None:
        _verify_past(day, shared.now)
        raise Problem("forbidden", "the scores of a day are shown when your own game of that day is finished", "day")
    recent = shared.scores_of_days.get(day)

    def ask(connection: Connection) -> tuple[DayScores, tuple[int, ...], list[str], GameState | None]:
        deal = store.deals_of(connection, [day])[day]
        scores = recent or store.scores_on(connection, deal.number, MAX_SCORES, before=calendar.closing_of(day))
        state = load_state(connection, own.id) if own.kind == "daily" else None
        return scores, deal.deal.rolls, [game.day for game in store.daily_games(connection, caller.player)], state

    scores, rolls, days_played, state = await shared.read(ask)
    losses = await losses_of(shared, [*scores.best, own])
    if recent is None and scores.players >= MANY_PLAYERS:
        best = tuple(row._replace(loss=losses.get(row.number)) for row in scores.best)
        shared.scores_of_days.put(day, scores._replace(best=best))

    share = None
    if state is not None:
        streak = calendar.streak_at(day, days_played)
        share = calendar.share_text(day, float(state.board.score), board_losses(state.board), streak)
    score = own.score or 0.0
    return DayResults(
        day=day,
        number=day_number(day),
        players=scores.players,
        own=OwnDayScore(own.id, own.kind, scores.rank(score), plain_score(score), losses.get(own.number, 0.0)),
        share=share,
        **results_of(rolls, scores, losses, yardstick(rolls), shared.names.shown),
    )


@get("/daily/archive")
async def archive(
    request: Request,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 30,
    before: Annotated[str | None, QueryParameter(max_length=100, schema_extra={"format": "date"})] = None,
) -> Archive:
    """Days that have closed, the latest first, with the best possible results of those that the player has finished."""
    shared, caller = request.shared, request.caller
    first_open = day_at(shared.now - calendar.LATE_MILLISECONDS)  # the first day that has not closed
    with blame("before", "day"):
        before = first_open if before is None else min(first_open, calendar.read_day(before))
    last = max(0, day_number(before) - 1)
    days = [calendar.days_before(before, ago) for ago in range(1, min(limit, last) + 1)]

    def ask(connection: Connection) -> tuple[list[OwnGame], dict[str, Yardstick]]:
        games = [] if caller.is_new else store.games_of_days(connection, caller.player, days)
        deals = store.deals_of(connection, {game.day for game in games if game.finished is not None})
        return games, {day: yardstick(of_day.deal.rolls) for day, of_day in deals.items()}

    games, possible = await shared.read(ask)
    finished: dict[str, OwnGame] = {}
    unfinished: dict[str, str] = {}
    for game in games:
        if game.finished is None:
            unfinished.setdefault(game.day, game.id)
        elif game.day not in finished or game.kind == "daily":
            finished[game.day] = game
    losses = await losses_of(shared, finished.values())

    def archived(day: str) -> ArchivedDay:
        game = finished.get(day)
        if game is None:
            return ArchivedDay(day, day_number(day), None, unfinished.get(day), None, None)
        own = ArchivedGame(game.id, game.kind, plain_score(game.score or 0.0), losses.get(game.number, 0.0))
        return ArchivedDay(day, day_number(day), own, unfinished.get(day), possible[day].optimal, possible[day].best)

    return Archive([archived(day) for day in days], days[-1] if days and len(days) < last else None)


async def published_days(shared: WebState) -> list[CommittedDay]:
    """The days whose deals exist, but for those long past, the latest first."""
    first = calendar.days_before(day_at(shared.now), PUBLISHED_DAYS)
    return [
        CommittedDay(day, day_number(day), utc_text(made), made < calendar.start_of(day), deal.commitments)
        for day, (_, made, deal) in (await shared.read(store.deals_of, (), first)).items()
    ]


@get("/commitments")
async def commitments(request: Request) -> Response[Commitments]:
    """The commitments of the days to come, of today, and of the last thirty days."""
    return Response(Commitments(await published_days(request.shared)), headers={"cache-control": PUBLIC_MINUTE})


ROUTES = (today, begin, archive, practise, results, commitments)
