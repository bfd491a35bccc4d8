"""Duels: begun against a bot or with an invite, joined by one friend, ended by their time.

Both games of a duel share a deal. Whoever changes a duel locks its row first, and then changes its games: two who join
at once, or a move and the end by time, come one after the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, and_, bindparam, exists, insert, or_, select, update

from tentimes18.game import Game
from tentimes18.play.fairness import Deal
from tentimes18.server.store.games import (
    COMING_MS,
    FINISH,
    MOVING_MS,
    Ending,
    GameState,
    NotFound,
    ending_by_time,
    finished_rows,
    game_row,
    keep_deals,
    keep_players,
    load_states,
)
from tentimes18.server.store.schema import duels, games, players
from tentimes18.server.store.writer import Commit, one_by_one

MAX_AT_ONCE = 200  # duels that one look at the time ends


class NotJoinable(Exception):
    """An invite that this player cannot take; says why."""


@dataclass(frozen=True, slots=True)
class NewDuel:
    """A duel that is to be begun: against a bot, whose game has the id ``bot_game``, or with an invite for a friend."""

    id: str
    player: str
    game: Game
    deal: Deal
    seed: str
    created: int
    bot: str | None = None
    bot_game: str | None = None
    invite: str | None = None


@dataclass(frozen=True, slots=True)
class DuelToJoin:
    """An invite taken by a player, whose game is to have this id."""

    invite: str
    player: str
    id: str
    now: int


@dataclass(frozen=True, slots=True)
class EndByTime:
    """Games of duels, one of each, whose time is to be looked at."""

    ids: Sequence[str]
    now: int


@dataclass(frozen=True, slots=True)
class Invite:
    """A duel that was begun for a friend, as whoever has its code may see it."""

    first: GameState
    """Of the one who invites."""
    name: str | None
    second: str | None
    """Who has taken the other seat; None while it is free."""
    second_game: str | None


@one_by_one
def start_duel(commit: Commit, new: NewDuel) -> GameState:
    """Begin a duel, and put its player down where new."""
    connection = commit.connection
    keep_players(connection, {new.player: new.created})
    (deal,) = keep_deals(connection, [(new.game, new.deal, new.created)])
    row = {
        "invite": new.invite,
        "bot": new.bot,
        "seed": new.seed,
        "created": new.created,
        "changed": new.created,
    }
    duel = connection.execute(insert(duels).values(row).returning(duels.c.number)).scalar_one()
    # No duel is rated: its best move is not the one with the best mean.
    seats = [game_row(new.id, new.player, deal, new.created, kind="duel", duel=duel)]
    if new.bot_game is not None:
        seats.append(game_row(new.bot_game, None, deal, new.created, kind="duel", duel=duel, seat=1))
    connection.execute(insert(games), seats)
    return load_states(connection, [new.id])[new.id]


_BY_INVITE = select(duels.c.number).where(duels.c.invite == bindparam("code")).with_for_update()
_AT_THE_TABLE = select(games.c.id, games.c.player, games.c.deal).where(games.c.duel == bindparam("of_duel"))
_CAME = update(duels).where(duels.c.number == bindparam("of_duel")).values(changed=bindparam("at"))


@one_by_one
def join_duel(commit: Commit, joining: DuelToJoin) -> GameState:
    """Take the second seat; who has it gets the same game again. Raises ``NotFound`` and ``NotJoinable``."""
    connection = commit.connection
    duel = connection.execute(_BY_INVITE, {"code": joining.invite}).scalar()
    if duel is None:
        raise NotFound("there is no such invite")
    seats = connection.execute(_AT_THE_TABLE.order_by(games.c.seat), {"of_duel": duel}).all()
    own = next((seat.id for seat in seats[1:] if seat.player == joining.player), None)
    if own is not None:
        return load_states(connection, [own])[own]
    state = load_states(connection, [seats[0].id])[seats[0].id]
    if state.player == joining.player:
        raise NotJoinable("this is your own invite: give it to somebody else")
    if len(seats) > 1:
        raise NotJoinable("somebody else has taken this invite")
    if state.is_over or ending_by_time(state, joining.now):
        raise NotJoinable("this duel is over")
    keep_players(connection, {joining.player: joining.now})
    row = game_row(joining.id, joining.player, seats[0].deal, joining.now, kind="duel", duel=duel, seat=1)
    connection.execute(insert(games), [row])
    connection.execute(_CAME, {"of_duel": duel, "at": joining.now})
    commit.changed += [state.id, joining.id]
    return load_states(connection, [joining.id])[joining.id]


_INVITED = (
    select(games.c.id, games.c.player, players.c.name)
    .join_from(duels, games, games.c.duel == duels.c.number)
    .outerjoin(players, players.c.id == games.c.player)
    .where(duels.c.invite == bindparam("code"))
    .order_by(games.c.seat)
)


def find_invite(connection: Connection, code: str) -> Invite:
    """The invite of this code; raises ``NotFound``."""
    seats = connection.execute(_INVITED, {"code": code}).all()
    if not seats:
        raise NotFound("there is no such invite")
    first, *others = seats
    state = load_states(connection, [first.id])[first.id]
    second = others[0] if others else None
    return Invite(state, first.name, second and second.player, second and second.id)


_END = (
    update(duels)
    .where(duels.c.number == bindparam("of_duel"))
    .values(ended_by=bindparam("by"), loser=bindparam("seat"))
)


def end_duel(commit: Commit, state: GameState, by: Ending, loser: int | None, now: int) -> None:
    """End the duel of a game that is loaded to be changed: by time, or because somebody leaves."""
    assert state.duel is not None
    connection = commit.connection
    connection.execute(_END, {"of_duel": state.duel.number, "by": by, "seat": loser})
    ended = replace(state, duel=replace(state.duel, ended_by=by, loser=loser))  # both boards are open then
    connection.execute(FINISH, finished_rows(ended, now))
    commit.changed.append(state.id)
    if state.opponent is not None:
        commit.changed.append(state.opponent.id)


@one_by_one
def end_by_time(commit: Commit, looked_at: EndByTime) -> int:
    """End those of these duels whose time is over: says how many."""
    states = load_states(commit.connection, looked_at.ids, to_change=True)
    ended = 0
    for state in states.values():
        if (ending := ending_by_time(state, looked_at.now)) is not None:
            end_duel(commit, state, "time", ending.loser, looked_at.now)
            ended += 1
    return ended


def overdue_games(connection: Connection, now: int) -> Sequence[str]:
    """The first game of each duel whose time may be over, the oldest first."""
    second = games.alias("second")
    has_come = exists().where(second.c.duel == duels.c.number, second.c.seat == 1)
    overdue = or_(
        and_(duels.c.changed <= now - MOVING_MS, has_come),
        and_(duels.c.created <= now - COMING_MS, ~has_come),
    )
    found = (
        select(games.c.id)
        .join_from(duels, games, and_(games.c.duel == duels.c.number, games.c.seat == 0))
        .where(duels.c.ended_by.is_(None), overdue)
        .order_by(duels.c.changed)
        .limit(MAX_AT_ONCE)
    )
    return connection.execute(found).scalars().all()
