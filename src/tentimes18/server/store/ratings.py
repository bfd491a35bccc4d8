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
from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, func, insert, select, true, update

from tentimes18.coach.losses import board_losses
from tentimes18.queries.json_numbers import plain
from tentimes18.server.days import utc_text
from tentimes18.server.store.games import GAMES, GameState, lock_players, select_states
from tentimes18.server.store.schema import IS_RATED, games, moves, players, skills
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


def _sums() -> Any:
    later = games.alias("later")
    since = (  # when the first of the last games was finished, so that older ones need not be looked at
        select(later.c.finished)
        .where(later.c.player == players.c.id, later.c.is_rated.is_(True), later.c.finished.is_not(None))
        .order_by(later.c.finished.desc())
        .limit(1)
        .offset(LAST_GAMES - 1)
        .correlate(players)
        .scalar_subquery()
    )
    conditions = (
        select(players.c.id, func.coalesce(since, 0).label("since"))
        .where(players.c.id.in_(bindparam("of_players", expanding=True)))
        .cte("wanted")
        .prefix_with("MATERIALIZED")  # once a player, not once a game
    )
    order = (games.c.finished.desc(), games.c.number.desc())
    last = (
        select(
            games.c.player,
            games.c.loss,
            games.c.choices,
            func.row_number().over(partition_by=games.c.player, order_by=order).label("place"),
        )
        .join_from(conditions, games, (games.c.player == conditions.c.id) & (games.c.finished >= conditions.c.since))
        .where(IS_RATED)
        .subquery("last")
    )
    loss, choices = last.c.loss, last.c.choices
    products = (loss, choices, loss * loss, loss * choices, choices * choices)
    return (
        select(last.c.player, func.count(), *(func.sum(product) for product in products))
        .where(last.c.place <= LAST_GAMES, loss.is_not(None))
        .group_by(last.c.player)
        .having(func.count() >= LEAST_GAMES)
    )


_SUMS = _sums()


def refresh_skills(connection: Connection, of_players: Collection[str]) -> None:
    """Recompute the skill of these players, from their games as they are measured now."""
    if not of_players:
        return
    rows = []
    for player, count, *sums in connection.execute(_SUMS, {"of_players": sorted(of_players)}):
        cost, error = _ratio(count, *map(float, sums))
        rows.append({"player": player, "games": count, "cost": cost, "error": error})
    connection.execute(delete(skills).where(skills.c.player.in_(sorted(of_players))))
    if rows:
        connection.execute(insert(skills), rows)


def _ratio(
    count: int, loss: float, choices: float, loss_loss: float, loss_choices: float, choices_choices: float
) -> tuple[float, float]:
    """R and s of the games with these sums; at least two of them."""
    cost = loss / choices
    squares = max(0.0, loss_loss - 2 * cost * loss_choices + cost * cost * choices_choices)
    return cost, sqrt(count / (count - 1) * squares) / choices


_RATED = select(skills.c.player, players.c.name, *(skills.c[name] for name in ("games", "cost", "error"))).join_from(
    skills, players
)


def best_players(connection: Connection, most: int) -> list[RatedPlayer]:
    found = connection.execute(
        _RATED.where(~players.c.hidden).order_by(skills.c.cost, skills.c.player).limit(most)
    ).all()
    ranks: dict[float, int] = {}
    for place, row in enumerate(found, start=1):
        ranks.setdefault(row.cost, place)
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
    rows = connection.execute(
        select(games.c.id, games.c.kind, games.c.finished, games.c.score, games.c.loss, games.c.choices)
        .where(games.c.player == player, IS_RATED, games.c.loss.is_not(None))
        .order_by(games.c.finished.desc(), games.c.number.desc())
        .limit(most + LAST_GAMES - 1)
    ).all()[::-1]
    measured = [(row.loss, row.choices) for row in rows]
    products = [(loss, count, loss * loss, loss * count, count * count) for loss, count in measured]
    course = []
    for place in range(max(0, len(rows) - most), len(rows)):
        last = products[max(0, place + 1 - LAST_GAMES) : place + 1]
        sums = tuple(map(sum, zip(*last, strict=True)))
        cost, error = _ratio(len(last), *sums) if len(last) > 1 else (sums[0] / sums[1], None)
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


def finished_games(connection: Connection, condition: ColumnElement[bool], most: int) -> list[GameState]:
    """Games, those that were finished last first; the condition lets finished ones through only."""
    return select_states(connection, GAMES.where(condition).order_by(games.c.finished.desc()).limit(most))


def leave_games(commit: Commit, now: int) -> int:
    """Count rated games that nobody has gone on with for `LEFT_MS` as they are; returns how many."""
    is_left = (
        games.c.is_rated.is_(true()),
        games.c.finished.is_(None),
        games.c.created <= now - LEFT_MS,
        exists().where(moves.c.game == games.c.number),
        ~exists().where(moves.c.game == games.c.number, moves.c.made > now - LEFT_MS),
    )
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
    rows = [
        {"of_game": number, "lost": game.loss, "chosen": game.choices} for number, game in sorted(by_number.items())
    ]
    keep = update(games).where(games.c.number == bindparam("of_game"), games.c.loss.is_(None))
    if rows:
        commit.connection.execute(keep.values(loss=bindparam("lost"), choices=bindparam("chosen")), rows)
    refresh_skills(commit.connection, of_players)
    return [None] * len(requests)
