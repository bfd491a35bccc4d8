"""Groups: any number of players on the same rolls, one attempt each; a host who starts, closes and deletes the game.

The games of a group share a deal. A change of a group locks its row first. A group is deleted with all of its games
`KEPT_MS` after it was created, or earlier by its host. Players who have nothing else on the server are deleted with it.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from secrets import choice
from typing import NamedTuple

from sqlalchemy import Connection, delete, exists, func, insert, or_, select, update

from tentimes18.game import Game
from tentimes18.play.fairness import Deal
from tentimes18.server.identity import new_id
from tentimes18.server.problems import NotFound, Problem
from tentimes18.server.store import games as store
from tentimes18.server.store.schema import deals, games, groups, imports, links, players
from tentimes18.server.store.writer import Commit

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without 0, O, 1 and I, which people confuse
CODE_LENGTH = 6
MAX_TRIES = 10  # for a code that no group has
MAX_GROUPS = 50  # of one host
MAX_PLAYERS = 500  # in one group
KEPT_DAYS = 30
KEPT_MS = KEPT_DAYS * 24 * 3600 * 1000
MAX_AT_ONCE = 50  # groups that one look at the time deletes
_CODE = re.compile(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")


def new_code(length: int = CODE_LENGTH) -> str:
    return "".join(choice(CODE_LETTERS) for _ in range(length))


def read_code(text: str) -> str | None:
    """A code as it is stored; None for a text that is no code."""
    code = text.upper()
    return code if _CODE.fullmatch(code) else None


class Seat(NamedTuple):
    """A player of a group, with the id of their game."""

    id: str
    player: str
    name: str | None
    finished: int | None


@dataclass(frozen=True, slots=True)
class GroupState:
    """A group with its players in the order in which they joined."""

    number: int
    code: str
    name: str | None
    host: str | None
    deal_number: int
    coach: store.Coach
    open: bool
    started: bool
    created: int
    next: str | None
    """The code of the next game."""
    game: Game
    deal: Deal = field(repr=False)
    seats: tuple[Seat, ...]

    @property
    def is_over(self) -> bool:
        """A group goes on until it is deleted."""
        return False

    @property
    def finished(self) -> int:
        return sum(seat.finished is not None for seat in self.seats)

    def seat_of(self, player: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.player == player), None)

    def may_see_results(self, player: str) -> bool:
        """Whether a player may see rolls and scores: one who has finished, and a host who does not play."""
        seat = self.seat_of(player)
        return player == self.host if seat is None else seat.finished is not None


_NEXT = groups.alias("following")
_OF_GROUP = ("number", "code", "name", "host", "deal", "coach", "open", "started", "created")
_GROUPS = (
    select(  # first what a `GroupState` begins with
        *(groups.c[name] for name in _OF_GROUP),
        _NEXT.c.code.label("next_code"),
        *(deals.c[name] for name in ("dice", "slots", "rolls", "nonces")),
    )
    .join_from(groups, deals)
    .outerjoin(_NEXT, _NEXT.c.number == groups.c.next)
)
_SEATS = (
    select(games.c.deal, games.c.id, games.c.player, players.c.name, games.c.finished)
    .join_from(games, players)
    .where(games.c.kind == "group", games.c.deal.in_(store.NUMBERS))
    .order_by(games.c.number)
)


def load_groups(connection: Connection, codes: Iterable[str]) -> dict[str, GroupState]:
    rows = connection.execute(_GROUPS.where(groups.c.code.in_(sorted(set(codes))))).all()
    seats = store.rows_by(connection, _SEATS, {row.deal for row in rows})
    return {
        row.code: GroupState(  # type: ignore[misc]
            *row[: len(_OF_GROUP) + 1],
            game=store.read_kept_game(row.dice, row.slots),
            deal=store.unpack_deal(row.rolls, row.nonces),
            seats=tuple(Seat(*seat) for _, *seat in seats[row.deal]),
        )
        for row in rows
    }


def load_group(connection: Connection, code: str) -> GroupState:
    """The group of a code as somebody wrote it; raises ``NotFound``."""
    known = read_code(code)
    group = None if known is None else load_groups(connection, [known]).get(known)
    if group is None:
        raise NotFound("there is no such group: the code has a mistake, or the group was deleted")
    return group


def groups_of(connection: Connection, player: str, most: int) -> list[GroupState]:
    """The groups that a player hosts or plays in, the latest first."""
    plays = exists().where(games.c.deal == groups.c.deal, games.c.player == player, games.c.kind == "group")
    statement = select(groups.c.code).where(or_(groups.c.host == player, plays)).order_by(groups.c.number.desc())
    codes = connection.execute(statement.limit(most)).scalars().all()
    by_code = load_groups(connection, codes)
    return [by_code[code] for code in codes]


def number_in_series(connection: Connection, number: int) -> int:
    """Which game of a series a group is: 1 for the first."""
    series = select(groups.c.number).where(groups.c.number == number).cte("series", recursive=True)
    series = series.union_all(select(groups.c.number).join(series, groups.c.next == series.c.number))
    return connection.execute(select(func.count()).select_from(series)).scalar_one()


def create_group(
    commit: Commit, host: str, name: str | None, game: Game, coach: store.Coach, now: int, *, is_started: bool
) -> GroupState:
    connection = commit.connection
    store.keep_players(connection, {host: now})
    store.lock_players(connection, [host])
    hosted = connection.execute(select(func.count()).where(groups.c.host == host)).scalar_one()
    if hosted >= MAX_GROUPS:
        raise Problem("conflict", f"you host {hosted} groups, and that is the limit: delete one of them first")
    (number,) = store.draw_deals(connection, [(game, now)])
    for _ in range(MAX_TRIES):
        code = new_code()
        if connection.execute(select(groups.c.number).where(groups.c.code == code)).first() is None:
            break
    row = {"code": code, "name": name, "host": host, "deal": number, "coach": coach, "open": True}
    connection.execute(insert(groups).values(**row, started=is_started, created=now))
    return load_group(connection, code)


def _locked(connection: Connection, code: str, host: str | None = None) -> GroupState:
    """A group, which nobody else changes meanwhile; for its host only, if one is given."""
    connection.execute(select(groups.c.number).where(groups.c.code == code).with_for_update()).all()
    group = load_group(connection, code)
    if host is not None and group.host != host:
        raise Problem("forbidden", "only the host of a group can do that")
    return group


def join_group(commit: Commit, code: str, player: str, now: int) -> tuple[store.GameState, bool]:
    """The game of a player in a group, and whether it is new."""
    connection = commit.connection
    group = _locked(connection, code)
    seat = group.seat_of(player)
    if seat is not None:
        return store.load_states(connection, [seat.id])[seat.id], False
    if not group.open:
        raise Problem("conflict", "the host has closed this group: no one else can join")
    if len(group.seats) >= MAX_PLAYERS:
        raise Problem("conflict", f"this group is full: it has {MAX_PLAYERS} players")
    state = store.begin_game(connection, player, group.deal_number, now, kind="group", coach=group.coach)
    commit.changed += [code, state.id]
    return state, True


def change_group(
    commit: Commit, code: str, player: str, *, is_open: bool | None, is_started: bool | None
) -> GroupState:
    """Let no one else join, or anybody again; start the game, which cannot be taken back. None: leave it as it is."""
    connection = commit.connection
    group = _locked(connection, code, player)
    if group.started and is_started is False:
        raise Problem("conflict", "the game has started", "started")
    changes = {"open": is_open, "started": is_started}
    if values := {name: value for name, value in changes.items() if value is not None}:
        connection.execute(update(groups).where(groups.c.number == group.number).values(values))
        commit.changed.append(code)
        if not group.started:
            commit.changed += [seat.id for seat in group.seats]
    return load_group(connection, code)


def begin_next(commit: Commit, code: str, player: str, now: int) -> tuple[GroupState, bool]:
    """The game after this one, with everybody in it who plays in this one, and whether it is new."""
    connection = commit.connection
    group = _locked(connection, code, player)
    if group.next is not None:
        return load_group(connection, group.next), False
    following = create_group(commit, player, group.name, group.game, group.coach, now, is_started=False)
    rows = [
        store.game_row(new_id(), seat.player, following.deal_number, now, kind="group", coach=group.coach)
        for seat in group.seats
    ]
    if rows:
        connection.execute(insert(games), rows)
    connection.execute(update(groups).where(groups.c.number == group.number).values(next=following.number))
    commit.changed.append(code)
    return load_group(connection, following.code), True


def delete_group(commit: Commit, code: str, player: str) -> None:
    remove_groups(commit, [_locked(commit.connection, code, player).code])


def remove_old_groups(commit: Commit, now: int) -> int:
    """Delete groups whose time is over, the oldest first; returns how many."""
    codes = select(groups.c.code).where(groups.c.created <= now - KEPT_MS).order_by(groups.c.created)
    return remove_groups(commit, commit.connection.execute(codes.limit(MAX_AT_ONCE)).scalars().all())


def remove_groups(commit: Commit, codes: Collection[str]) -> int:
    """Delete those of these groups that still exist, and players who then have nothing here; returns how many."""
    connection = commit.connection
    rows = select(groups.c.number).where(groups.c.code.in_(sorted(codes))).order_by(groups.c.number)
    connection.execute(rows.with_for_update()).all()
    states = list(load_groups(connection, codes).values())
    of_deals = [group.deal_number for group in states]
    for group in states:
        commit.changed += [group.code, *(seat.id for seat in group.seats)]
    connection.execute(delete(games).where(games.c.deal.in_(of_deals)))
    connection.execute(delete(groups).where(groups.c.deal.in_(of_deals)))
    connection.execute(delete(deals).where(deals.c.number.in_(of_deals)))
    columns = (games.c.player, imports.c.player, links.c.player, groups.c.host)
    has_nothing = [~exists().where(column == players.c.id) for column in columns]
    for group in states:
        ids = [seat.player for seat in group.seats] + ([] if group.host is None else [group.host])
        connection.execute(delete(players).where(players.c.id.in_(ids), players.c.hidden.is_(False), *has_nothing))
    return len(states)
