"""The daily game: one deal per day for everybody, drawn in advance, and one attempt per player.

The first request that needs the deal of a day draws it; if several do so at once, one wins, and all use its deal. A
game that was started on a day is always a game of that day, and counts if it is finished before the day closes. An
archive game is a solo game on the deal of a day that has closed.
"""

from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, func, select

from tentimes18.play.fairness import Deal, draw_deal
from tentimes18.server.days import CLASSIC, closing_of
from tentimes18.server.problems import Problem
from tentimes18.server.store import games as store
from tentimes18.server.store.database import insert_new
from tentimes18.server.store.schema import deals, games, moves, played_days, players
from tentimes18.server.store.writer import Commit

DayKind: TypeAlias = Literal["daily", "solo"]


def played_digest(player: str, day: str) -> str:
    return sha256(f"{player} {day}".encode()).hexdigest()


class DayDeal(NamedTuple):
    number: int
    created: int
    deal: Deal


def deals_of(connection: Connection, days: Collection[str], since: str | None = None) -> dict[str, DayDeal]:
    """The deals of these days, or of all from one day on, the last day first; a day may have none."""
    columns = (deals.c[name] for name in ("day", "number", "created", "rolls", "nonces"))
    is_one = deals.c.day.in_(sorted(days)) if since is None else deals.c.day >= since
    rows = connection.execute(select(*columns).where(is_one).order_by(deals.c.day.desc()))
    return {row.day: DayDeal(row.number, row.created, store.unpack_deal(row.rolls, row.nonces)) for row in rows}


def keep_days(commit: Commit, days: Collection[str], now: int) -> dict[str, DayDeal]:
    """The deals of these days; draws those that do not exist."""
    existing = deals_of(commit.connection, days)
    if missing := sorted(set(days) - existing.keys()):
        rows = [{**store.pack_deal(CLASSIC, draw_deal(CLASSIC)), "day": day, "created": now} for day in missing]
        insert_new(commit.connection, deals, rows)
        existing = deals_of(commit.connection, days)
    return existing


ON_DAYS = games.c.kind.in_(("daily", "solo"))
"""True for every game on the deal of a day; the condition lets the database use the whole index."""


def begin_daily(commit: Commit, player: str, day: str, now: int) -> tuple[store.GameState, bool]:
    """Begin the player's game of a day, or return the one that was begun; also whether it is new."""
    connection = commit.connection
    deal, games_of_day = _lock_day(commit, player, day, now)
    begun = next((row.id for row in games_of_day if row.kind == "daily"), None)
    if begun is not None:
        return store.load_states(connection, [begun])[begun], False
    if games_of_day:
        raise Problem("conflict", "you have practised on the rolls of this day", "day")
    has_played = select(played_days.c.day).where(played_days.c.digest == played_digest(player, day))
    if connection.execute(has_played).first() is not None:
        raise Problem("conflict", "you have begun the game of this day, and deleted it", "day")
    return store.begin_game(connection, player, deal, now, kind="daily", is_rated=True), True


def begin_archive(commit: Commit, player: str, day: str, now: int, coach: str = "off") -> tuple[store.GameState, bool]:
    """Begin a game on the deal of a day that has passed, or return the one that is not finished; and if it is new."""
    connection = commit.connection
    deal, games_of_day = _lock_day(commit, player, day, now)
    unfinished = [row for row in games_of_day if row.score is None]
    if any(row.kind == "daily" for row in unfinished):
        raise Problem("conflict", "your daily game of this day is not finished; play it to its end first", "day")
    if not unfinished:
        return store.begin_game(connection, player, deal, now, coach=coach), True
    begun = max(row.id for row in unfinished)
    return store.load_states(connection, [begun])[begun], False


def _lock_day(commit: Commit, player: str, day: str, now: int) -> tuple[int, Sequence[Any]]:
    """The deal of a day, and the games on it of a player, who begins no other until this transaction ends."""
    connection = commit.connection
    deal = keep_days(commit, {day}, now)[day].number
    store.keep_players(connection, {player: now})
    store.lock_players(connection, [player])
    rows = select(games.c.id, games.c.kind, games.c.score).where(games.c.player == player, games.c.deal == deal)
    return deal, connection.execute(rows.where(ON_DAYS)).all()


class OwnGame(NamedTuple):
    number: int
    id: str
    kind: DayKind
    day: str
    finished: int | None
    score: float | None
    loss: float | None


def own_game_of_day(connection: Connection, player: str, day: str, *, archive: bool) -> OwnGame | None:
    """The daily game of a day, or else, with the archive, the latest finished one that was practice."""
    kind = ON_DAYS if archive else games.c.kind == "daily"
    rows = _own_games(connection, games.c.player == player, deals.c.day == day, kind)
    finished = [game for game in rows if game.finished is not None]
    return next((game for game in (*finished, *rows) if game.kind == "daily"), finished[0] if finished else None)


def daily_games(connection: Connection, player: str) -> list[OwnGame]:
    """The daily games that a player has finished in time, the latest day first."""
    rows = _own_games(connection, games.c.player == player, games.c.kind == "daily", games.c.score.is_not(None))
    in_time = [game for game in rows if game.finished is not None and game.finished < closing_of(game.day)]
    return sorted(in_time, key=lambda game: game.day, reverse=True)


def games_of_days(connection: Connection, player: str, days: Collection[str]) -> list[OwnGame]:
    """A player's games on the deals of these days, for the day and for practice, the latest begun first."""
    return _own_games(connection, games.c.player == player, deals.c.day.in_(sorted(days)), ON_DAYS)


def _own_games(connection: Connection, *where: ColumnElement[bool]) -> list[OwnGame]:
    """Games, the latest begun first; one that was left is not finished."""
    columns = (games.c[name] for name in ("number", "id", "kind", "finished", "score", "loss"))
    rows = select(*columns, deals.c.day).join_from(games, deals).where(*where).order_by(games.c.number.desc())
    own = [OwnGame(**row) for row in connection.execute(rows).mappings()]
    return [game if game.score is not None else game._replace(finished=None) for game in own]


def players_of_day(connection: Connection, day: str) -> int:
    of_day = select(deals.c.number).where(deals.c.day == day).scalar_subquery()
    count = select(func.count()).select_from(games).where(games.c.deal == of_day, games.c.kind == "daily")
    return connection.execute(count).scalar_one()


class DayScore(NamedTuple):
    number: int
    player: str
    name: str | None
    score: float
    loss: float | None


class DayScores(NamedTuple):
    """The best games on a deal, and for all of them how many made each score and put each roll where."""

    best: tuple[DayScore, ...]
    histogram: tuple[tuple[float, int], ...]
    placed: tuple[tuple[int, int, int], ...]
    """Round, slot, and the number of games with that move."""

    @property
    def players(self) -> int:
        return sum(count for _, count in self.histogram)

    @property
    def ranks(self) -> dict[float, int]:
        """Those of the best, by score: of all at once, as `rank` goes through all scores for each."""
        places = reversed(list(enumerate(self.best, start=1)))  # the best place of equal ones comes last, and stays
        return {game.score: place for place, game in places}

    def rank(self, score: float) -> int:
        return 1 + sum(count for made, count in self.histogram if made > score)


def scores_on(
    connection: Connection, deal: int, most: int, kind: store.GameKind = "daily", before: int | None = None
) -> DayScores:
    """The games on a deal that were finished, before a time if one is given; the highest scores first."""
    is_done = [games.c.deal == deal, games.c.kind == kind, games.c.score.is_not(None)]
    is_done += [] if before is None else [games.c.finished < before]
    best = connection.execute(
        select(games.c.number, games.c.player, players.c.name, games.c.score, games.c.loss)
        .join_from(games, players)
        .where(*is_done, ~players.c.hidden)
        .order_by(games.c.score.desc(), games.c.finished, games.c.number)
        .limit(most)
    )
    counts = select(games.c.score, func.count()).where(*is_done).group_by(games.c.score).order_by(games.c.score)
    by_move = (moves.c.round, moves.c.slot)
    placed = (
        select(*by_move, func.count()).join_from(moves, games).where(*is_done).group_by(*by_move).order_by(*by_move)
    )
    return DayScores(
        tuple(DayScore(*row) for row in best),
        tuple((score, count) for score, count in connection.execute(counts)),
        tuple((round_, slot, count) for round_, slot, count in connection.execute(placed)),
    )
