"""Kill -9 at random moments under load: what was acknowledged is there after the next start, once.

Players hold on to what they were doing: a move without an answer is sent again to the next process, which must take it
as the same move, made or not. After every start the games of the time before are asked for; in the end all of them are
read from the database, past the service.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Final

import psycopg

from tests.support.service import free_port, serving
from tools.torture.crowd import Crowd
from tools.torture.history import FILE, boards_of, boards_told, disagreements, held_in, repeated
from tools.torture.players import Journal
from tools.torture.yard import KINDS, Row, Yard

__all__ = ["run"]

CLIENTS: Final = 32
PATIENCE: Final = 30.0  # seconds until a database has recovered
QUIET: Final = {"TEN18_ACCESS_LOG": "off"}


def run(yard: Yard) -> Iterator[Row]:
    """Kill the service again and again, on both databases."""
    for kind in KINDS:
        with yard.database(kind) as url:
            yield _killed(yard, kind, url)
    if not yard.is_short:
        with yard.postgres.database() as url:
            yield _database_killed(yard, url)


def _killed(yard: Yard, kind: str, url: str | None) -> Row:
    data, port, journal, wrong = yard.data(), free_port(), Journal(), list[str]()
    crowd = Crowd([port], CLIENTS, journal=journal)
    kills, checked, moves, workers = yard.pick(200, 1), 0, 0, yard.pick(2, 1)
    for kill in range(kills):
        with serving(data, database=url, port=port, workers=workers, environment=QUIET) as server:
            wrong += _wrong_games(port, journal, checked)
            checked = len(journal.moves)
            visit = crowd.visit(yard.chance.uniform(0.05, yard.pick(1.5, 0.4)))
            server.kill()
        moves += visit.tally.moves
        wrong += visit.tally.complaints
        if kill % 20 == 19:
            yard.tell(f"kill -9, {kind}: {kill + 1} of {kills}, {moves:,} moves")
    with serving(data, database=url, port=port, environment=QUIET):
        wrong += _wrong_games(port, journal, checked)
        visit = crowd.visit(0.5)  # and it goes on
        wrong += visit.tally.complaints
        if not visit.tally.moves:
            wrong.append("nothing goes on after the last start")
    crowd.close()
    where: str | Path = data / FILE if url is None else url
    held = held_in(where)
    doubled = repeated(held)
    wrong += doubled + disagreements(journal.moves, boards_of(held))
    lost = {(move.game, move.round, move.slot, move.roll) for move in journal.moves} - set(held)
    wrong += [f"round {round_} of {game} is lost" for game, round_, _, _ in lost]
    figures = f"{len(journal.moves):,} moves acknowledged, {len(lost):,} lost, {len(doubled):,} doubled"
    return Row("kill -9", f"{kind}, {kills} kills under load, {CLIENTS} players", figures, Row.told(wrong))


def _database_killed(yard: Yard, url: str) -> Row:
    """PostgreSQL loses one of its own processes: it ends all of them and recovers, under a service that goes on."""
    kills, longest, journal, wrong = 20, 0.0, Journal(), list[str]()
    with serving(yard.data(), database=url, environment=QUIET) as server:
        crowd = Crowd([server.port], CLIENTS, journal=journal)
        for _ in range(kills):
            wrong += crowd.visit(yard.chance.uniform(0.3, 1.5)).tally.complaints
            with psycopg.connect(yard.postgres.url(), autocommit=True) as connection:
                found = connection.execute(
                    "SELECT pid FROM pg_stat_activity WHERE application_name = 'ten18'"
                ).fetchall()
            os.kill(yard.chance.choice(found)[0], signal.SIGKILL)
            began, moves, strange = perf_counter(), 0, set[int]()
            while not moves and perf_counter() - began < PATIENCE:
                visit = crowd.visit(0.1)
                moves = visit.tally.moves
                strange |= set(visit.tally.statuses) - {200, 201, 503}
            longest = max(longest, perf_counter() - began)
            wrong += [f"answered {sorted(strange)}"] if strange else []
            wrong += [] if moves else ["it does not go on"]
        crowd.close()
    held = held_in(url)
    lost = disagreements(journal.moves, boards_of(held))
    wrong += repeated(held) + lost
    figures = (
        f"{len(journal.moves):,} moves acknowledged, {len(lost):,} games with moves lost; refused with 503 for "
        f"{longest:.1f} s at the most"
    )
    return Row("kill -9", f"{kills} kills of PostgreSQL's own processes under load", figures, Row.told(wrong))


def _wrong_games(port: int, journal: Journal, since: int) -> list[str]:
    """Games with moves since the last look, as the service shows them now."""
    games = {move.game for move in journal.moves[since:]}
    moves = [move for move in journal.moves if move.game in games]
    return disagreements(moves, boards_told(port, journal, games))
