"""What the database of a service holds, read past the service, beside what was acknowledged."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import psycopg

from tools.torture.clients import Acknowledged

Stored: TypeAlias = Sequence[tuple[str, int, int, int]]
"""Moves of the database: game, round, slot, roll."""

FILE = "service.sqlite"
MOVES = """
SELECT games.id, moves.round, moves.slot, deals.rolls
FROM moves JOIN games ON games.number = moves.game JOIN deals ON deals.number = games.deal
"""


def stored_moves(database: str | Path) -> Stored:
    """All moves of a database: a file of SQLite, or the address of a PostgreSQL."""
    if isinstance(database, Path):
        with closing(sqlite3.connect(database)) as file:
            rows = file.execute(MOVES).fetchall()
    else:
        with psycopg.connect(database) as connection:
            rows = connection.execute(MOVES.encode()).fetchall()
    return [(game, round_, slot, int(rolls.split(",")[round_ - 1])) for game, round_, slot, rolls in rows]


def size_of(database: str | Path) -> tuple[int, int]:
    """The bytes of a database that nobody writes to, and how many moves it holds."""
    if isinstance(database, Path):
        with closing(sqlite3.connect(database)) as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (moves,) = file.execute("SELECT count(*) FROM moves").fetchone()
        return database.stat().st_size, moves
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("VACUUM")
        row = connection.execute("SELECT pg_database_size(current_database()), (SELECT count(*) FROM moves)").fetchone()
    return (0, 0) if row is None else (int(row[0]), int(row[1]))


def repeated(stored: Stored) -> list[str]:
    """Rounds and slots that a game holds twice."""
    seen, wrong = set(), []
    for game, round_, slot, _ in stored:
        for what in (("round", round_, game), ("slot", slot, game)):
            if what in seen:
                wrong.append(f"{what[0]} {what[1]} of {game}")
            seen.add(what)
    return wrong


def boards_of(stored: Stored) -> dict[str, dict[int, int]]:
    """The boards that these moves make: slot to roll, by game."""
    boards: dict[str, dict[int, int]] = {}
    for game, _, slot, roll in stored:
        boards.setdefault(game, {})[slot] = roll
    return boards


def lost_moves(moves: Iterable[Acknowledged], boards: Mapping[str, Mapping[int, int]]) -> list[str]:
    """Where what is stored is not what was acknowledged; a game may hold one move more, which was on its way."""
    told: dict[str, dict[int, int]] = {}
    for move in moves:
        told.setdefault(move.game, {})[move.slot] = move.roll
    return [
        f"{game} holds {dict(stored)}, acknowledged were {board}"
        for game, board in told.items()
        if not board.items() <= (stored := boards.get(game, {})).items() or len(stored) > len(board) + 1
    ]


def out_of_order(moves: Sequence[Acknowledged], stored: Stored) -> list[str]:
    """Moves that are missing though a later one is stored: then the stored moves are not a prefix of the game.

    Of two moves on their way at the same time either may be the first; one that was sent after the other had been
    acknowledged is the later one.

    >>> moves = [Acknowledged("a", 1, 10, 9, 0.0, 0.1), Acknowledged("b", 1, 1, 5, 0.2, 0.3)]
    >>> out_of_order(moves, [("a", 1, 10, 9)]), out_of_order(moves, []), out_of_order(moves, [("b", 1, 1, 5)])
    ([], [], ['round 1 of a is missing, round 1 of b is there'])
    """
    there = {(game, round_) for game, round_, _, _ in stored}
    present = [move for move in moves if (move.game, move.round) in there]
    missing = [move for move in moves if (move.game, move.round) not in there]
    if not present or not missing:
        return []
    last, first = max(present, key=lambda move: move.sent), min(missing, key=lambda move: move.at)
    if last.sent <= first.at:
        return []
    return [f"round {first.round} of {first.game} is missing, round {last.round} of {last.game} is there"]
