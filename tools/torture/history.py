"""What the service holds, read past it from its database or asked of it, beside what it has acknowledged."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias

import psycopg

from tools.torture.players import Acknowledged, Journal
from tools.torture.wire import Wire, request

__all__ = [
    "Boards",
    "Held",
    "boards_of",
    "boards_told",
    "disagreements",
    "held_in",
    "out_of_order",
    "repeated",
    "size_of",
]

Held: TypeAlias = Sequence[tuple[str, int, int, int]]
"""Moves of the database: game, round, slot, roll."""
Boards: TypeAlias = Mapping[str, Mapping[int, int]]
"""For each game its board: slot to roll."""

FILE: Final = "service.sqlite"
MOVES: Final = """
SELECT games.id, moves.round, moves.slot, deals.rolls
FROM moves JOIN games ON games.number = moves.game JOIN deals ON deals.number = games.deal
"""


def held_in(database: str | Path) -> Held:
    """All moves that a database holds: a file of SQLite, or the address of a PostgreSQL."""
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


def repeated(held: Held) -> list[str]:
    """Rounds and slots that a game holds twice.

    >>> repeated([("a", 1, 5, 9), ("a", 2, 5, 9), ("b", 1, 5, 9)])
    ['slot 5 of a']
    """
    rounds, slots, wrong = set(), set(), []
    for game, round_, slot, _ in held:
        if (game, round_) in rounds:
            wrong.append(f"round {round_} of {game}")
        if (game, slot) in slots:
            wrong.append(f"slot {slot} of {game}")
        rounds.add((game, round_))
        slots.add((game, slot))
    return wrong


def boards_of(held: Held) -> dict[str, dict[int, int]]:
    """The boards that these moves make."""
    boards: dict[str, dict[int, int]] = {}
    for game, _, slot, roll in held:
        boards.setdefault(game, {})[slot] = roll
    return boards


def boards_told(port: int, journal: Journal, games: Iterable[str]) -> dict[str, dict[int, int]]:
    """The boards of these games, as the service shows them to their players; one that is refused is left out."""
    wire, boards = Wire(port), {}
    for game in games:
        answer = wire.ask(request("GET", f"/api/v1/games/{game}", None, journal.owners[game]))
        if answer.status == 200:
            boards[game] = {int(slot): roll for slot, roll in answer.json["board"].items()}
    wire.close()
    return boards


def disagreements(moves: Iterable[Acknowledged], boards: Boards) -> list[str]:
    """Where what is held is not what was acknowledged.

    Every acknowledged move must be there as it was; a game may hold one move more, that which was on its way.

    >>> moves = [Acknowledged("a", 1, 10, 9, 0.0, 0.1), Acknowledged("a", 2, 1, 5, 0.2, 0.3)]
    >>> disagreements(moves, {"a": {10: 9, 1: 5}}), disagreements(moves, {"a": {10: 9, 1: 5, 7: 8}})
    ([], [])
    >>> disagreements(moves, {"a": {10: 9}})
    ['a holds {10: 9}, acknowledged were {10: 9, 1: 5}']
    >>> disagreements(moves, {"a": {10: 9, 1: 5, 7: 8, 2: 4}})
    ['a holds {10: 9, 1: 5, 7: 8, 2: 4}, acknowledged were {10: 9, 1: 5}']
    >>> disagreements(moves, {})
    ['a is not there']
    """
    told: dict[str, dict[int, int]] = {}
    for move in moves:
        told.setdefault(move.game, {})[move.slot] = move.roll
    wrong = []
    for game, board in told.items():
        there = boards.get(game)
        if there is None:
            wrong.append(f"{game} is not there")
        elif not board.items() <= there.items() or len(there) > len(board) + 1:
            wrong.append(f"{game} holds {dict(there)}, acknowledged were {board}")
    return wrong


def out_of_order(moves: Sequence[Acknowledged], held: Held) -> list[str]:
    """Moves that are missing though a later one is there: then what is held is no beginning of what happened.

    Of two moves on their way at the same time either may be the first; one that was sent after the other had been
    acknowledged is the later one.

    >>> moves = [Acknowledged("a", 1, 10, 9, 0.0, 0.1), Acknowledged("b", 1, 1, 5, 0.2, 0.3)]
    >>> out_of_order(moves, [("a", 1, 10, 9)]), out_of_order(moves, []), out_of_order(moves, [("b", 1, 1, 5)])
    ([], [], ['round 1 of a is missing, round 1 of b is there'])
    """
    there = {(game, round_) for game, round_, _, _ in held}
    present = [move for move in moves if (move.game, move.round) in there]
    missing = [move for move in moves if (move.game, move.round) not in there]
    if not present or not missing:
        return []
    last, first = max(present, key=lambda move: move.sent), min(missing, key=lambda move: move.at)
    if last.sent <= first.at:
        return []
    return [f"round {first.round} of {first.game} is missing, round {last.round} of {last.game} is there"]
