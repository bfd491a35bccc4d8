"""A second store for games in play, as a service has it: a database in a file, by SQLite."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from time import time
from typing import Any, Final

from tentimes18.records.notation import Record, format_json, parse_json

__all__ = ["Database", "Row"]

TABLES: Final = """
CREATE TABLE IF NOT EXISTS finished (id INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS unfinished (
    id INTEGER PRIMARY KEY, record TEXT NOT NULL, kept_at REAL NOT NULL, player TEXT
);
UPDATE unfinished SET player = NULL;
"""
"""Whoever opens the database has it alone: a game that is still locked was played by a process that is gone."""


class Database:
    """The games of a player in one file; what SQLite cannot do is an ``OSError``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self.session() as session:
            session.executescript(TABLES)

    @contextmanager
    def session(self) -> Iterator[sqlite3.Connection]:
        """What happens inside is written as a whole, or not at all."""
        try:
            with closing(sqlite3.connect(self.path)) as connection, connection:
                yield connection
        except sqlite3.Error as error:
            raise OSError(str(error)) from error

    @property
    def place(self) -> str:
        return f"the database {self.path.name}"

    def begin(self, record: Record) -> "Row":
        player = token_hex(8)
        with self.session() as session:
            statement = "INSERT INTO unfinished (record, kept_at, player) VALUES (?, ?, ?)"
            number = session.execute(statement, (format_json(record), time(), player)).lastrowid
        assert number is not None
        return Row(self, number, player)

    def unfinished(self) -> "list[tuple[Row, Record]]":
        with self.session() as session:
            rows = session.execute(
                "SELECT id, record FROM unfinished WHERE player IS NULL ORDER BY kept_at DESC"
            ).fetchall()
        return [(Row(self, number, token_hex(8)), parse_json(text)) for number, text in rows]

    def add(self, record: Record) -> None:
        with self.session() as session:
            session.execute("INSERT INTO finished (record) VALUES (?)", (format_json(record),))

    def holds(self, record: Record) -> bool:
        return record in self.finished()

    def finished(self) -> list[Record]:
        """All finished games in their order."""
        with self.session() as session:
            return [parse_json(text) for (text,) in session.execute("SELECT record FROM finished ORDER BY id")]


@dataclass(frozen=True, slots=True)
class Row:
    """An unfinished game, and the one who may play it."""

    store: Database
    number: int
    player: str

    @property
    def kept_at(self) -> float:
        return float(self._value("kept_at"))

    def read(self) -> Record:
        return parse_json(str(self._value("record")))

    def keep(self, record: Record) -> None:
        statement = "UPDATE unfinished SET record = ?, kept_at = ? WHERE id = ?"
        with self.store.session() as session:
            session.execute(statement, (format_json(record), time(), self.number))

    def drop(self) -> None:
        with self.store.session() as session:
            session.execute("DELETE FROM unfinished WHERE id = ?", (self.number,))

    def lock(self) -> bool:
        statement = "UPDATE unfinished SET player = ? WHERE id = ? AND (player IS NULL OR player = ?)"
        with self.store.session() as session:
            return session.execute(statement, (self.player, self.number, self.player)).rowcount == 1

    def unlock(self) -> None:
        statement = "UPDATE unfinished SET player = NULL WHERE id = ? AND player = ?"
        with self.store.session() as session:
            session.execute(statement, (self.number, self.player))

    def _value(self, column: str) -> Any:
        with self.store.session() as session:
            row = session.execute(f"SELECT {column} FROM unfinished WHERE id = ?", (self.number,)).fetchone()
        if row is None:
            raise FileNotFoundError(f"game {self.number} is gone")
        return row[0]
