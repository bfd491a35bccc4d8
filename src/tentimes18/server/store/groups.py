"""Groups: any number of players on the same rolls, one attempt each; a host who starts, closes and deletes the game.

The games of a group share a deal. A change of a group locks its row first. A group is deleted with all of its games
`KEPT_MS` after it was created, or earlier by its host. Players who have nothing else on the server are deleted with it.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from secrets import choice

from sqlalchemy import Connection, delete, exists, func, insert, or_, select, update

from tentimes18.game import Game
from tentimes18.play.fairness import Deal
from tentimes18.server.identity import new_id
from tentimes18.server.problems import NotFound, Problem
from tentimes18.server.store.games import (
    Coach,
    GameState,
    game_row,
    keep_deals,
    keep_players,
    load_states,
    lock_players,
    read_kept_game,
    unpack_deal,
)
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


@dataclass(frozen=True, slots=True)
class Seat:
    """A player of a group, with the number and the id of their game."""

    number: int
    id: str
    player: str
    name: str | None
    finished: int | None
    score: float | None
    loss: float | None


@dataclass(frozen=True, slots=True)
class GroupState:
    """A group with its players in the order in which they joined."""

    number: int
    code: str
    name: str | None
    host: str | None
    coach: Coach
    is_open: bool
    is_started: bool
    created: int
    next: str | None
    """The code of the next game."""
    deal_number: int
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
_GROUPS = (
    select(groups, *(deals.c[name] for name in ("dice", "slots", "rolls", "nonces")), _NEXT.c.code.label("next_code"))
    .join_from(groups, deals)
    .outerjoin(_NEXT, _NEXT.c.number == groups.c.next)
)
_SEATS = (
    select(games.c.deal, games.c.number, games.c.id, games.c.player, players.c.name)
    .add_columns(games.c.finished, games.c.score, games.c.loss)
    .join_from(games, players)
    .where(games.c.kind == "group")
    .order_by(games.c.number)
)


def load_groups(connection: Connection, codes: Iterable[str]) -> dict[str, GroupState]:
    """The groups of these codes, by code."""
    rows = connection.execute(_GROUPS.where(groups.c.code.in_(sorted(set(codes))))).all()
    seats: dict[int, list[Seat]] = defaultdict(list)
    if rows:
        for deal, *seat in connection.execute(_SEATS.where(games.c.deal.in_([row.deal for row in rows]))):
            seats[deal].append(Seat(*seat))
    return {
        row.code: GroupState(
            number=row.number,
            code=row.code,
            name=row.name,
            host=row.host,
            coach=row.coach,
            is_open=row.open,
            is_started=row.started,
            created=row.created,
            next=row.next_code,
            deal_number=row.deal,
            game=read_kept_game(row.dice, row.slots),
            deal=unpack_deal(row.rolls, row.nonces),
            seats=tuple(seats[row.deal]),
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
    commit: Commit, host: str, name: str | None, game: Game, deal: Deal, coach: Coach, now: int, *, is_started: bool
) -> GroupState:
    connection = commit.connection
    keep_players(connection, {host: now})
    lock_players(connection, [host])
    hosted = connection.execute(select(func.count()).where(groups.c.host == host)).scalar_one()
    if hosted >= MAX_GROUPS:
        raise Problem("conflict", f"you host {hosted} groups, and that is the limit: delete one of them first")
    (number,) = keep_deals(connection, [(game, deal, now)])
    for _ in range(MAX_TRIES):
        code = new_code()
        if connection.execute(select(groups.c.number).where(groups.c.code == code)).first() is None:
            break
    row = {"code": code, "name": name, "host": host, "deal": number, "coach": coach, "open": True}
    connection.execute(insert(groups).values(**row, started=is_started, created=now))
    return load_group(connection, code)


def _locked(connection: Connection, code: str) -> GroupState:
    connection.execute(select(groups.c.number).where(groups.c.code == code).with_for_update()).all()
    return load_group(connection, code)


def _hosted(connection: Connection, code: str, player: str) -> GroupState:
    """A group for its host, which nobody else changes meanwhile."""
    group = _locked(connection, code)
    if group.host != player:
        raise Problem("forbidden", "only the host of a group can do that")
    return group


def join_group(commit: Commit, code: str, player: str, id_: str, now: int) -> tuple[GameState, bool]:
    """The game of a player in a group, and whether it is new."""
    connection = commit.connection
    group = _locked(connection, code)
    seat = group.seat_of(player)
    if seat is not None:
        return load_states(connection, [seat.id])[seat.id], False
    if not group.is_open:
        raise Problem("conflict", "the host has closed this group: no one else can join")
    if len(group.seats) >= MAX_PLAYERS:
        raise Problem("conflict", f"this group is full: it has {MAX_PLAYERS} players")
    keep_players(connection, {player: now})
    row = game_row(id_, player, group.deal_number, now, kind="group", coach=group.coach)
    connection.execute(insert(games), [row])
    commit.changed += [code, id_]
    return load_states(connection, [id_])[id_], True


def change_group(
    commit: Commit, code: str, player: str, *, is_open: bool | None, is_started: bool | None
) -> GroupState:
    """Let no one else join, or anybody again; start the game, which cannot be taken back. None: leave it as it is."""
    connection = commit.connection
    group = _hosted(connection, code, player)
    if group.is_started and is_started is False:
        raise Problem("conflict", "the game has started", "started")
    values = {"open": is_open, "started": is_started}
    values = {name: value for name, value in values.items() if value is not None}
    if values:
        connection.execute(update(groups).where(groups.c.number == group.number).values(values))
        commit.changed.append(code)
        if not group.is_started:
            commit.changed += [seat.id for seat in group.seats]
    return load_group(connection, code)


def begin_next(commit: Commit, code: str, player: str, deal: Deal, now: int) -> tuple[GroupState, bool]:
    """The game after this one, with everybody in it who plays in this one, and whether it is new."""
    connection = commit.connection
    group = _hosted(connection, code, player)
    if group.next is not None:
        return load_group(connection, group.next), False
    following = create_group(commit, player, group.name, group.game, deal, group.coach, now, is_started=False)
    rows = [
        game_row(new_id(), seat.player, following.deal_number, now, kind="group", coach=group.coach)
        for seat in group.seats
    ]
    if rows:
        connection.execute(insert(games), rows)
    connection.execute(update(groups).where(groups.c.number == group.number).values(next=following.number))
    commit.changed.append(code)
    return load_group(connection, following.code), True


def delete_group(commit: Commit, code: str, player: str) -> None:
    _remove(commit, [_hosted(commit.connection, code, player)])


def old_groups(connection: Connection, now: int) -> Sequence[str]:
    """The codes of groups whose time is over, the oldest first."""
    codes = select(groups.c.code).where(groups.c.created <= now - KEPT_MS).order_by(groups.c.created)
    return connection.execute(codes.limit(MAX_AT_ONCE)).scalars().all()


def remove_groups(commit: Commit, codes: Collection[str]) -> int:
    """Delete those of these groups that still exist; returns how many."""
    connection = commit.connection
    rows = select(groups.c.number).where(groups.c.code.in_(sorted(codes))).order_by(groups.c.number)
    connection.execute(rows.with_for_update()).all()
    states = list(load_groups(connection, codes).values())
    _remove(commit, states)
    return len(states)


def _remove(commit: Commit, states: Collection[GroupState]) -> None:
    """Delete groups, their games and deals, and the players who have nothing else here."""
    connection = commit.connection
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
