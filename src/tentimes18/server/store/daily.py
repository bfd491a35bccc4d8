"""The daily game: one deal a day for everybody, made ahead, and one attempt a player.

Whoever first needs the deal of a day draws it; of several who do so at once one wins, and all use that. A game begun on
a day stays a game of that day. An archive game is a solo game on the deal of a day that has passed.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, func, select

from tentimes18.game import Game
from tentimes18.play.fairness import Deal, draw_deal
from tentimes18.server.problems import Problem
from tentimes18.server.store.database import insert_new
from tentimes18.server.store.games import (
    GameState,
    game_row,
    keep_players,
    load_states,
    lock_players,
    pack_deal,
    unpack_deal,
)
from tentimes18.server.store.schema import deals, games, players
from tentimes18.server.store.writer import Commit, one_by_one

DayKind: TypeAlias = Literal["daily", "solo"]

CLASSIC = Game.classic()


@dataclass(frozen=True, slots=True)
class DaysToKeep:
    """Days whose deals are to be there."""

    days: Sequence[str]
    now: int


@dataclass(frozen=True, slots=True)
class DailyToBegin:
    """The game of a day that a player wants to play."""

    id: str
    player: str
    day: str
    now: int
    coach: str = "off"


class Begun(NamedTuple):
    """A game, and whether it was begun just now."""

    state: GameState
    is_new: bool


def keep_days(commit: Commit, requests: Sequence[DaysToKeep]) -> Sequence[None]:
    """Have a deal for each of these days."""
    for request in requests:
        _deal_numbers(commit.connection, request.days, request.now)
    return [None] * len(requests)


_OF_DAYS = select(deals.c.day, deals.c.number).where(deals.c.day.in_(bindparam("days", expanding=True)))


def missing_days(connection: Connection, days: Collection[str]) -> list[str]:
    """Those of these days that have no deal yet."""
    return sorted(set(days) - _known_deals(connection, days).keys())


def _known_deals(connection: Connection, days: Collection[str]) -> dict[str, int]:
    found = connection.execute(_OF_DAYS, {"days": sorted(days)})
    return {row.day: row.number for row in found}


def _deal_numbers(connection: Connection, days: Collection[str], now: int) -> dict[str, int]:
    numbers = _known_deals(connection, days)
    if len(numbers) < len(set(days)):
        missing = missing_days(connection, days)
        rows = [{**pack_deal(CLASSIC, draw_deal(CLASSIC)), "day": day, "created": now} for day in missing]
        insert_new(connection, deals, rows)
        numbers = _known_deals(connection, days)
    return numbers


_SEATS = select(games.c.id, games.c.player, games.c.deal, games.c.kind, games.c.finished).where(
    games.c.player.in_(bindparam("of_players", expanding=True)),
    games.c.deal.in_(bindparam("of_deals", expanding=True)),
    games.c.kind.in_(("daily", "solo")),  # no other has such a deal; said so that all of the index is used
)


def begin_daily(commit: Commit, requests: Sequence[DailyToBegin]) -> Sequence[Begun | Exception]:
    """Begin the game of a day, or find the one that was begun."""
    connection = commit.connection
    now = min(request.now for request in requests)
    numbers = _deal_numbers(connection, {request.day for request in requests}, now)
    since = {request.player: request.now for request in requests}
    keep_players(connection, since)
    lock_players(connection, since)  # so that nobody practises on these rolls meanwhile
    seats = {"of_players": sorted(since), "of_deals": sorted(numbers.values())}
    practised = {(row.player, row.deal) for row in connection.execute(_SEATS, seats) if row.kind == "solo"}
    to_begin = [request for request in requests if (request.player, numbers[request.day]) not in practised]
    if to_begin:
        insert_new(connection, games, [_row(request, numbers[request.day], "daily") for request in to_begin])
    begun = {(row.player, row.deal): row.id for row in connection.execute(_SEATS, seats).all() if row.kind == "daily"}
    states = load_states(connection, begun.values())
    answers: list[Begun | Exception] = []
    for request in requests:
        id_ = begun.get((request.player, numbers[request.day]))
        if id_ is None:
            answers.append(Problem("conflict", "you have practised on the rolls of this day", "day"))
        else:
            answers.append(Begun(states[id_], id_ == request.id))
    return answers


@one_by_one
def begin_archive(commit: Commit, request: DailyToBegin) -> Begun:
    """Begin a game on the deal of a day that has passed, or find the one that is not finished."""
    connection = commit.connection
    deal = _deal_numbers(connection, {request.day}, request.now)[request.day]
    keep_players(connection, {request.player: request.now})
    lock_players(connection, [request.player])
    seats = connection.execute(_SEATS, {"of_players": [request.player], "of_deals": [deal]}).all()
    unfinished = [row for row in seats if row.finished is None]
    if any(row.kind == "daily" for row in unfinished):
        raise Problem("conflict", "your daily game of this day is not finished; play it to its end first", "day")
    is_new = not unfinished
    if is_new:
        insert_new(connection, games, [_row(request, deal, "solo")])
    id_ = request.id if is_new else max(row.id for row in unfinished)
    return Begun(load_states(connection, [id_])[id_], is_new)


def _row(request: DailyToBegin, deal: int, kind: str) -> dict[str, Any]:
    is_rated = kind == "daily"
    return game_row(request.id, request.player, deal, request.now, kind=kind, coach=request.coach, is_rated=is_rated)


class OwnGame(NamedTuple):
    """A player's game of a day."""

    number: int
    id: str
    kind: DayKind
    day: str
    finished: int | None
    score: float | None
    loss: float | None


_OWN = select(
    games.c.number, games.c.id, games.c.kind, deals.c.day, games.c.finished, games.c.score, games.c.loss
).join_from(games, deals)


def own_game_of_day(connection: Connection, player: str, day: str, *, archive: bool) -> OwnGame | None:
    """The daily game of a day, or else, with the archive, the latest finished one that was practice."""
    kinds = ("daily", "solo") if archive else ("daily",)
    where = (games.c.player == player, deals.c.day == day, games.c.kind.in_(kinds))
    found = [OwnGame(*row) for row in connection.execute(_OWN.where(*where).order_by(games.c.number.desc()))]
    finished = [game for game in found if game.finished is not None]
    return next((game for game in (*finished, *found) if game.kind == "daily"), finished[0] if finished else None)


def daily_games(connection: Connection, player: str) -> list[OwnGame]:
    """The daily games of a player that are finished, the latest day first."""
    where = (games.c.player == player, games.c.kind == "daily", games.c.finished.is_not(None))
    return [OwnGame(*row) for row in connection.execute(_OWN.where(*where).order_by(deals.c.day.desc()))]


def games_of_days(connection: Connection, player: str, days: Collection[str]) -> list[OwnGame]:
    """A player's games on the deals of these days, for the day and for practice, the latest begun first."""
    where = (games.c.player == player, deals.c.day.in_(sorted(days)), games.c.kind.in_(("daily", "solo")))
    return [OwnGame(*row) for row in connection.execute(_OWN.where(*where).order_by(games.c.number.desc()))]


def rolls_of_days(connection: Connection, days: Collection[str]) -> dict[str, tuple[int, ...]]:
    """The rolls of days, for whoever has played them to the end."""
    found = select(deals.c.day, deals.c.rolls).where(deals.c.day.in_(sorted(days)))
    return {day: tuple(map(int, rolls.split(","))) for day, rolls in connection.execute(found)}


def deal_of_day(connection: Connection, day: str) -> tuple[int, Deal] | None:
    """The number of a day's deal, and the deal, for whoever has played it to the end."""
    found = connection.execute(
        select(deals.c.number, deals.c.rolls, deals.c.nonces).where(deals.c.day == day)
    ).one_or_none()
    return None if found is None else (found.number, unpack_deal(found.rolls, found.nonces))


def players_of_day(connection: Connection, day: str) -> int:
    """How many have begun the daily game of a day."""
    of_day = select(deals.c.number).where(deals.c.day == day).scalar_subquery()
    count = select(func.count()).select_from(games).where(games.c.deal == of_day, games.c.kind == "daily")
    return connection.execute(count).scalar_one()


class DayScore(NamedTuple):
    """A finished daily game, and whose it is."""

    number: int
    player: str
    name: str | None
    score: float
    loss: float | None


class DayScores(NamedTuple):
    """The best games of a day, and of all how many made each score."""

    best: tuple[DayScore, ...]
    histogram: tuple[tuple[float, int], ...]

    @property
    def players(self) -> int:
        """How many have finished."""
        return sum(count for _, count in self.histogram)

    def with_losses(self, losses: Mapping[int, float]) -> "DayScores":
        """The same, with what some games lost that were not measured yet, by their numbers."""
        best = (game._replace(loss=losses.get(game.number, game.loss)) for game in self.best)
        return self._replace(best=tuple(best))

    @property
    def ranks(self) -> dict[float, int]:
        """Those of the best, by score: of all at once, as `rank` goes through all scores for each."""
        found: dict[float, int] = {}
        for place, game in enumerate(self.best, start=1):
            found.setdefault(game.score, place)
        return found

    def rank(self, score: float) -> int:
        """One more than have made a higher score."""
        return 1 + sum(count for made, count in self.histogram if made > score)


def scores_of_day(connection: Connection, deal: int, most: int) -> DayScores:
    """The finished daily games of a deal, the highest scores first."""
    is_done = (games.c.deal == deal, games.c.kind == "daily", games.c.finished.is_not(None))
    best = connection.execute(
        select(games.c.number, games.c.player, players.c.name, games.c.score, games.c.loss)
        .join_from(games, players)
        .where(*is_done)
        .order_by(games.c.score.desc(), games.c.finished, games.c.number)
        .limit(most)
    )
    counts = select(games.c.score, func.count()).where(*is_done).group_by(games.c.score).order_by(games.c.score)
    return DayScores(
        tuple(DayScore(*row) for row in best), tuple((score, count) for score, count in connection.execute(counts))
    )


class CommittedDay(NamedTuple):
    """A day, when its deal was made, and the commitments: all that is public of it before it is played."""

    day: str
    created: int
    commitments: tuple[str, ...]


def committed_days(connection: Connection, first: str) -> list[CommittedDay]:
    """The days from this one on, the latest first."""
    found = connection.execute(
        select(deals.c.day, deals.c.created, deals.c.rolls, deals.c.nonces)
        .where(deals.c.day >= first)
        .order_by(deals.c.day.desc())
    )
    return [
        CommittedDay(day, created, tuple(unpack_deal(rolls, nonces).commitments))
        for day, created, rolls, nonces in found
    ]
