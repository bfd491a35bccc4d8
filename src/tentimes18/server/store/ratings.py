"""A rating without luck: what a choice cost a player, over the last games that count.

For the last n games, at most 30, let l_i be what the moves of game i lost, in points, and c_i the number of its moves
that were a choice. The cost of a choice is the ratio

    R = Σ l_i / Σ c_i,

and its standard error that of a ratio over games drawn at random (Cochran, Sampling Techniques, 1977, section 2.11):

    s = sqrt( n / (n - 1) Σ (l_i - R c_i)² ) / Σ c_i.

The skill of each player with enough games is stored. The commit that stores the losses of another game computes it
again. A game that its player has left counts as it is, seven days after its last move.

What a finished game lost is stored beside it, measured once, after the game. A game that counts waits in an index of
its own until it is measured, so that none is forgotten, whatever ends the process that was to do it. Two processes that
measure the same game get the same numbers.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import sqrt
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct
from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, true, update

from tentimes18.coach.losses import board_losses
from tentimes18.queries.json_numbers import plain
from tentimes18.server.days import utc_text
from tentimes18.server.store.games import GameState, lock_players
from tentimes18.server.store.schema import IS_OPEN, IS_RATED, games, moves, players, skills
from tentimes18.server.store.writer import Commit

LAST_GAMES = 30
LEAST_GAMES = 10
LEFT_MS = 7 * 24 * 3600 * 1000


class RatedPlayer(NamedTuple):
    rank: int
    player: str
    name: str | None
    games: int
    cost: float
    error: float


class CourseGame(Struct):
    """A game that counts: what its moves cost, and the cost of a choice over the last ``games`` up to it."""

    game: str
    kind: Literal["daily", "solo"]
    finished: str
    score: Annotated[int | float | None, Meta(description="Null for a game that was left.")]
    loss: float
    choices: int
    games: Annotated[int, Meta(description="How many games the rating covers, 30 at most.")]
    cost: float
    error: Annotated[float | None, Meta(description="Standard error; null for a single game.")]


_LAST = select(*(games.c[name] for name in ("id", "kind", "finished", "score", "loss", "choices")))
_LAST = _LAST.where(games.c.player == bindparam("of_player"), IS_RATED, games.c.loss.is_not(None))
_LAST = _LAST.order_by(games.c.finished.desc(), games.c.number.desc()).limit(bindparam("most"))
"""The last games of a player that count and are measured, the latest first."""


def refresh_skills(connection: Connection, of_players: Collection[str]) -> None:
    """Recompute the skill of these players, from their games as they are measured now."""
    if not of_players:
        return
    rows = []
    for player in sorted(of_players):
        last = connection.execute(_LAST, {"of_player": player, "most": LAST_GAMES}).all()
        if len(last) >= LEAST_GAMES:
            cost, error = _rating(last)
            rows.append({"player": player, "games": len(last), "cost": cost, "error": error})
    connection.execute(delete(skills).where(skills.c.player.in_(sorted(of_players))))
    if rows:
        connection.execute(insert(skills), rows)


def _rating(last: Sequence[Any]) -> tuple[float, float | None]:
    """R and s of these games; a single one has no s."""
    measured = [(game.loss, game.choices) for game in last]
    count, choices = len(measured), sum(choices for _, choices in measured)
    cost = sum(loss for loss, _ in measured) / choices
    squares = sum((loss - cost * chosen) ** 2 for loss, chosen in measured)
    return cost, sqrt(count / (count - 1) * squares) / choices if count > 1 else None


_OF_SKILL = (skills.c[name] for name in ("games", "cost", "error"))
_RATED = select(skills.c.player, players.c.name, *_OF_SKILL).join_from(skills, players)


def best_players(connection: Connection, most: int) -> list[RatedPlayer]:
    shown = _RATED.where(~players.c.hidden).order_by(skills.c.cost, skills.c.player)
    found = connection.execute(shown.limit(most)).all()
    ranks = {row.cost: place for place, row in reversed(list(enumerate(found, start=1)))}
    return [RatedPlayer(ranks[row.cost], *row) for row in found]


def rated_player(connection: Connection, player: str) -> RatedPlayer | None:
    """The entry of one player; None before there are enough games."""
    row = connection.execute(_RATED.where(skills.c.player == player)).one_or_none()
    if row is None:
        return None
    better = select(func.count()).select_from(skills).where(skills.c.cost < row.cost)
    return RatedPlayer(1 + connection.execute(better).scalar_one(), *row)


def rated_count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(skills)).scalar_one()


def course_of(connection: Connection, player: str, most: int) -> list[CourseGame]:
    """A player's last games that count and are measured, the oldest first, each with the rating after it."""
    rows = connection.execute(_LAST, {"of_player": player, "most": most + LAST_GAMES - 1}).all()[::-1]
    course = []
    for place in range(max(0, len(rows) - most), len(rows)):
        last = rows[max(0, place + 1 - LAST_GAMES) : place + 1]
        cost, error = _rating(last)
        id_, kind, finished, score, loss, choices = rows[place]
        points = None if score is None else plain(Fraction(score))
        course.append(CourseGame(id_, kind, utc_text(finished), points, loss, choices, len(last), cost, error))
    return course


class MeasuredGame(NamedTuple):
    """What a game lost, and how many of its moves were a choice; ``player`` where it counts for one."""

    number: int
    player: str | None
    loss: float
    choices: int


def leave_games(commit: Commit, now: int) -> int:
    """Count rated games that nobody has gone on with for `LEFT_MS` as they are; returns how many."""
    has_moves = exists().where(moves.c.game == games.c.number)
    is_old = (games.c.created <= now - LEFT_MS, ~has_moves.where(moves.c.made > now - LEFT_MS))
    is_left = (games.c.is_rated.is_(true()), IS_OPEN, has_moves, *is_old)
    return commit.connection.execute(update(games).where(*is_left).values(finished=now)).rowcount


def measured(finished: Sequence[GameState]) -> list[MeasuredGame]:
    """What these games lost, exactly but for the last rounding."""
    result = []
    for game in finished:
        costs = board_losses(game.board)
        player = game.player if game.is_rated else None
        loss = float(sum(cost.loss for cost in costs))
        result.append(MeasuredGame(game.number, player, loss, sum(cost.is_choice for cost in costs)))
    return result


def keep_losses(commit: Commit, requests: Sequence[Sequence[MeasuredGame]]) -> Sequence[None]:
    """Store what games lost, and the skill of their players that follows."""
    by_number = {game.number: game for request in requests for game in request}
    of_players = {game.player for game in by_number.values() if game.player is not None}
    if of_players:
        lock_players(commit.connection, of_players)
    ordered = [by_number[number] for number in sorted(by_number)]
    rows = [{"of_game": game.number, "lost": game.loss, "chosen": game.choices} for game in ordered]
    keep = update(games).where(games.c.number == bindparam("of_game"), games.c.loss.is_(None))
    if rows:
        commit.connection.execute(keep.values(loss=bindparam("lost"), choices=bindparam("chosen")), rows)
    refresh_skills(commit.connection, of_players)
    return [None] * len(requests)
