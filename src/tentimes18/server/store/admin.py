"""What an operator does to players, duels and groups, beside a running server or without one.

Every change is one transaction, and adds a line to ``admin.log`` in the data folder.
"""

import json
import os
from collections.abc import Callable
from getpass import getuser
from pathlib import Path
from typing import Any

from msgspec import Struct
from sqlalchemy import Select, func, or_, select, update

from tentimes18.errors import Ten18Error
from tentimes18.server.days import utc_text
from tentimes18.server.identity import new_id, read_name
from tentimes18.server.problems import NotFound
from tentimes18.server.store.backup import count_rows
from tentimes18.server.store.database import Database, bring_up_to_date, database_bytes
from tentimes18.server.store.duels import end_duel
from tentimes18.server.store.games import load_states
from tentimes18.server.store.groups import read_code, remove_groups
from tentimes18.server.store.players import make_link, remove_player, renumber
from tentimes18.server.store.schema import games, metadata, players
from tentimes18.server.store.writer import Commit

LOG_FILE = "admin.log"
MISSING = {
    "end duel": ("game", "there is no unfinished duel with this game"),
    "delete group": ("group", "there is no group with this code"),
}
NO_PLAYER = ("player", "there is no player with this id; ten18 admin players lists the players")
"""What an action is about, and the problem if it does not exist; the other actions are about a player."""
LINK_MS = 24 * 3600 * 1000


class PlayerRow(Struct, frozen=True):
    """A player: the id in their cookie, the name they chose, and their games."""

    id: str
    name: str | None
    created: str
    games: int
    finished: int
    last_game: str | None
    hidden: bool


class PlayersAnswer(Struct, frozen=True):
    players: list[PlayerRow]


class TableSize(Struct, frozen=True):
    table: str
    rows: int


class SizesAnswer(Struct, frozen=True):
    """Rows by table, and the bytes of the whole database."""

    tables: list[TableSize]
    bytes: int


class AdminAnswer(Struct, frozen=True):
    """What was done, to whom, and the code of a link if one was made."""

    action: str
    subject: str
    detail: str | None = None


class Admin:
    """The actions of an operator on a database, written down in a folder."""

    def __init__(self, database: Database, folder: Path, clock: Callable[[], int]) -> None:
        self._database = database
        self._folder = folder
        self._clock = clock
        bring_up_to_date(database)

    def players(self, search: str | None, most: int) -> PlayersAnswer:
        """Return the players whose name or id contains a text, the newest first."""
        columns = [players.c[name] for name in ("id", "name", "created", "hidden")]
        statement: Select[Any] = (
            select(*columns, func.count(games.c.number), func.count(games.c.finished), func.max(games.c.created))
            .join_from(players, games, games.c.player == players.c.id, isouter=True)
            .group_by(*columns)
            .order_by(players.c.created.desc(), players.c.id)
            .limit(most)
        )
        if search is not None:
            statement = statement.where(or_(players.c.name.icontains(search, autoescape=True), players.c.id == search))
        with self._database.reading() as connection:
            rows = [
                PlayerRow(id_, name, utc_text(created), count, finished, last and utc_text(last), hidden)
                for id_, name, created, hidden, count, finished, last in connection.execute(statement)
            ]
        return PlayersAnswer(rows)

    def sizes(self) -> SizesAnswer:
        with self._database.reading() as connection:
            tables = [TableSize(str(table.name), count_rows(connection, table)) for table in metadata.sorted_tables]
        return SizesAnswer(tables, database_bytes(self._database))

    def rename(self, player: str, name: str | None) -> AdminAnswer:
        """Give a player a name, or None to remove it."""
        name = None if name is None else read_name(name)
        return self._change("rename", player, lambda commit: _update(commit, player, name=name), name or "no name")

    def hide(self, player: str, *, hidden: bool) -> AdminAnswer:
        """Take a player out of the lists that others see, or put them back."""
        return self._change("hide" if hidden else "show", player, lambda commit: _update(commit, player, hidden=hidden))

    def delete_player(self, player: str) -> AdminAnswer:
        """Remove a player with all of their games; a friend keeps a duel they played together."""
        return self._change("delete player", player, lambda commit: remove_player(commit, player, self._clock()))

    def sign_out(self, player: str) -> AdminAnswer:
        """End all devices of a player: the player gets another id, and a link to it that works once."""

        def change(commit: Commit) -> str:
            code, now = new_id(), self._clock()
            make_link(commit, renumber(commit, player), code, now, now + LINK_MS)
            return code

        return self._change("sign out", player, change)

    def delete_group(self, code: str) -> AdminAnswer:
        """Delete a group and all of its games."""

        def change(commit: Commit) -> None:
            if not remove_groups(commit, [read_code(code) or ""]):
                raise NotFound

        return self._change("delete group", code, change)

    def end_duel(self, game: str) -> AdminAnswer:
        """End the duel that a game belongs to; the player of that game loses it."""

        def change(commit: Commit) -> None:
            state = load_states(commit.connection, [game], to_change=True).get(game)
            if state is None or state.duel is None or state.is_over:
                raise NotFound
            end_duel(commit, state, "leave", state.seat, self._clock())

        return self._change("end duel", game, change)

    def _change(
        self, action: str, subject: str, change: Callable[[Commit], str | None], detail: str | None = None
    ) -> AdminAnswer:
        kind, problem = MISSING.get(action, NO_PLAYER)
        try:
            with self._database.writing() as connection:
                if kind == "player" and connection.scalar(select(players.c.id).where(players.c.id == subject)) is None:
                    raise NotFound
                result = change(Commit(connection))
        except NotFound:
            raise Ten18Error(problem, kind, subject) from None
        line = {
            "time": utc_text(self._clock()),
            "user": getuser(),
            "action": action,
            "subject": subject,
            "detail": detail,
        }
        self._folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._folder / LOG_FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return AdminAnswer(action, subject, detail if result is None else result)


def _update(commit: Commit, player: str, **values: Any) -> None:
    commit.connection.execute(update(players).where(players.c.id == player).values(**values))
