"""What was acknowledged is there after kill -9, after a power cut, and when the disk fails.

**Kills.** Players hold on to what they were doing: a move without an answer is sent again to the next process, which
must take it as the same move, made or not. In the end all moves are read from the database, past the service.

**Power cut.** SQLite's write-ahead log may end anywhere, between two frames or inside of one, or in rubbish. The file
is taken when all of the log has gone into it, the log while the service is halted under load. Each cut is opened: the
file must be sound, and what it holds must be a beginning of what happened; with the whole log it is all of it.

**Disk.** While a disk is full or cannot be written to, every change is rejected with 503, and what was there can be
read; afterwards the service goes on. As root there is a small file system to fill; for the rest a limit of the system
lets the service write to no file.
"""

import os
import resource
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from struct import unpack_from
from time import perf_counter, sleep

import psycopg

from tests.support.process import finished
from tests.support.service import Server, free_port, serving
from tools.torture.clients import Acknowledged, Crowd, Journal, boards_shown
from tools.torture.report import Row
from tools.torture.setup import KINDS, QUIET, Setup
from tools.torture.stored import FILE, boards_of, lost_moves, out_of_order, repeated, stored_moves

CLIENTS = 32
PATIENCE = 60.0  # seconds until a database has recovered
FRAME = 24 + 4096  # bytes in the log
LOG_HEADER = 32
CHECKPOINT = 1_000  # frames, after which SQLite moves them into the file
DISK_BYTES = 16 << 20
MAX_RECOVERY = 5.0  # seconds until it goes on
GAMES_TO_READ = 20  # meanwhile


def kills(setup: Setup) -> Iterator[Row]:
    """Kill the service again and again, on both databases; then PostgreSQL's own processes."""
    for kind in KINDS:
        with setup.database(kind) as url:
            yield _killed(setup, kind, url)
    if not setup.is_short:
        with setup.postgres.database() as url:
            yield _database_killed(setup, url)


def _killed(setup: Setup, kind: str, url: str | None) -> Row:
    data, port, journal, wrong = setup.data(), free_port(), Journal(), list[str]()
    crowd = Crowd(port, CLIENTS, journal)
    number, checked, workers = setup.pick(200, 1), 0, setup.pick(2, 1)
    for kill in range(number + 1):
        with serving(data, database=url, port=port, workers=workers, environment=QUIET) as server:
            moves = journal.moves[checked:]
            wrong += lost_moves(moves, boards_shown(port, journal, {move.game for move in moves}))
            checked = len(journal.moves)
            if kill < number:
                visit = crowd.visit(setup.chance.uniform(0.05, setup.pick(1.5, 0.4)))
                server.kill()
            else:
                visit = crowd.visit_until_move(PATIENCE)
        wrong += visit.complaints
    wrong += [] if visit.moves else ["nothing goes on after the last start"]
    crowd.close()
    stored = stored_moves(data / FILE if url is None else url)
    doubled, lost = repeated(stored), {move[:4] for move in journal.moves} - set(stored)
    wrong += doubled + lost_moves(journal.moves, boards_of(stored))
    figures = f"{len(journal.moves):,} moves acknowledged, {len(lost):,} lost, {len(doubled):,} doubled"
    return Row.of("kill -9", f"{kind}, {number} kills under load, {CLIENTS} players", figures, wrong)


def _database_killed(setup: Setup, url: str) -> Row:
    """PostgreSQL loses one of its own processes: it ends all of them and recovers, under a service that goes on."""
    number, longest, journal, wrong = 20, 0.0, Journal(), list[str]()
    with serving(setup.data(), database=url, environment=QUIET) as server:
        crowd = Crowd(server.port, CLIENTS, journal)
        for _ in range(number):
            wrong += crowd.visit(setup.chance.uniform(0.3, 1.5)).complaints
            with psycopg.connect(setup.postgres.url(), autocommit=True) as connection:
                rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'ten18'")
                os.kill(setup.chance.choice(rows.fetchall())[0], signal.SIGKILL)
            began, moves, statuses = perf_counter(), 0, set[int]()
            while not moves and perf_counter() - began < PATIENCE:
                visit = crowd.visit(0.1)
                moves = visit.moves
                statuses |= set(visit.statuses)
            longest = max(longest, perf_counter() - began)
            wrong += [f"answered {sorted(statuses)}"] * (not statuses <= {200, 201, 503})
            wrong += ["it does not go on"] * (not moves)
        crowd.close()
    stored = stored_moves(url)
    lost = lost_moves(journal.moves, boards_of(stored))
    figures = (
        f"{len(journal.moves):,} moves acknowledged, {len(lost):,} games with moves lost; rejected with 503 for "
        f"{longest:.1f} s at the most"
    )
    test = f"{number} kills of PostgreSQL's own processes under load"
    return Row.of("kill -9", test, figures, [*wrong, *repeated(stored), *lost])


def power(setup: Setup) -> Iterator[Row]:
    """Cut the log at all frames and at random bytes, and spoil random bytes of it."""
    base, log, moves = _base_and_log(setup)
    assert unpack_from(">I", log, 8)[0] + 24 == FRAME
    ends = [*range(LOG_HEADER, len(log) + 1, FRAME)][:: setup.pick(1, 40)]
    counts, wrong = [0], list[str]()
    for end in ends:
        stored, complaints = _opened(setup, base, log[:end], moves)
        wrong += complaints + [f"log of {end:,} bytes: fewer moves than in a shorter one"] * (stored < counts[-1])
        counts.append(stored)
    wrong += lost_moves(moves, boards_of(stored_moves(_laid(setup, base, log))))
    figures = f"{len(moves):,} moves acknowledged, {counts[-1]:,} held with the whole log"
    yield Row.of("power cut", f"the log cut at each of {len(ends):,} frames", figures, wrong)
    number, wrong = setup.pick(1_000, 10), []
    for place in range(number):
        cut = bytearray(log[: setup.chance.randrange(len(log) + 1)])
        if place % 2 and cut:  # the disk has written something else
            cut[setup.chance.randrange(len(cut))] ^= 1 << setup.chance.randrange(8)
        wrong += _opened(setup, base, bytes(cut), moves)[1]
    test = f"the log cut at {number:,} random bytes, every other one spoilt as well"
    yield Row.of("power cut", test, f"{number:,} opened, each a beginning", wrong)
    number, made, wrong = setup.pick(10, 1), 0, []
    for _ in range(number):
        path = _laid(setup, base, log[: setup.chance.randrange(len(log) + 1)])
        with serving(path.parent, log=setup.folder / "cut.log", environment=QUIET) as server:
            crowd = Crowd(server.port, CLIENTS)
            visit = crowd.visit_until_move(PATIENCE)
            crowd.close()
        made += visit.moves
        wrong += visit.complaints + ["nothing goes on"] * (not visit.moves)
    yield Row.of("power cut", f"the service started on {number} of them", f"{made:,} moves more", wrong)


def _base_and_log(setup: Setup) -> tuple[bytes, bytes, list[Acknowledged]]:
    """A file, a log that has grown under load and did not go into the file, and what had been acknowledged then."""
    data, journal = setup.data(), Journal()
    with serving(data, environment=QUIET) as server:
        path, log = data / FILE, data / f"{FILE}-wal"
        crowd = Crowd(server.port, CLIENTS, journal)
        crowd.visit(setup.pick(2.0, 0.3))
        with closing(sqlite3.connect(path)) as database:  # all of the log goes into the file, and another log begins
            while database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                sleep(0.1)
        base = path.read_bytes()
        size = int(setup.pick(0.8, 0.3) * CHECKPOINT) * FRAME
        crowd.visit(60.0, tick=lambda _: log.stat().st_size >= size, every=0.01)
        os.killpg(server.process.pid, signal.SIGSTOP)
        try:
            after, text = path.read_bytes(), log.read_bytes()
        finally:
            os.killpg(server.process.pid, signal.SIGCONT)
        crowd.close()
    if after != base:
        raise AssertionError("some of the log went into the file meanwhile: no cut of it is what a power cut leaves")
    return base, text, journal.moves


def _laid(setup: Setup, base: bytes, log: bytes) -> Path:
    folder = setup.folder / "cut"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / FILE).write_bytes(base)
    (folder / f"{FILE}-wal").write_bytes(log)
    return folder / FILE


def _opened(setup: Setup, base: bytes, log: bytes, moves: list[Acknowledged]) -> tuple[int, list[str]]:
    """How many moves are there with this log, and what is wrong with them."""
    path = _laid(setup, base, log)
    with closing(sqlite3.connect(path)) as database:
        (sound,) = database.execute("PRAGMA integrity_check").fetchone()
        astray = database.execute("PRAGMA foreign_key_check").fetchall()
    stored = stored_moves(path)
    wrong = [] if sound == "ok" else [sound]
    wrong += [f"{row} points to nothing" for row in astray] + repeated(stored) + out_of_order(moves, stored)
    return len(stored), [f"log of {len(log):,} bytes: {text}" for text in wrong]


def disk(setup: Setup) -> Iterator[Row]:
    """A disk that is full or fails, and a database that another program holds."""
    small = setup.folder / "small"
    small.mkdir()
    is_mounted = False
    with suppress(OSError):
        is_mounted = finished(("mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", small)).returncode == 0
    if is_mounted:
        try:
            yield _disturbed(setup, "disk full", "a file system of 16 MB, filled", small / "data", _filled)
        finally:
            finished(("umount", "--lazy", small))  # the last thread of a process that was killed may still hold it
    else:
        yield Row("disk full", "a file system of 16 MB, filled", "left out: only root may mount one")
    yield _disturbed(setup, "I/O error", "no byte can be written to a file", setup.data(), _muted)
    if not setup.is_short:
        yield _disturbed(setup, "locked", "another program holds the database", setup.data(), _locked)


@contextmanager
def _filled(server: Server) -> Iterator[None]:
    rest = server.data.parent / "rest"
    with suppress(OSError), rest.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    try:
        yield
    finally:
        rest.unlink()


@contextmanager
def _muted(server: Server) -> Iterator[None]:
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    for now in (0, most):
        for number in server.processes():
            resource.prlimit(number, resource.RLIMIT_FSIZE, (now, most))
        if not now:
            yield


@contextmanager
def _locked(server: Server) -> Iterator[None]:
    with closing(sqlite3.connect(server.data / FILE, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")


def _disturbed(
    setup: Setup, kind: str, test: str, data: Path, disturb: Callable[[Server], AbstractContextManager[None]]
) -> Row:
    journal = Journal()
    with serving(data, log=setup.folder / f"{kind.replace('/', '')}.log", environment=QUIET) as server:
        crowd = Crowd(server.port, CLIENTS // 2, journal)
        wrong = list(crowd.visit(setup.pick(1.0, 0.3)).complaints)
        with disturb(server):
            during = crowd.visit(setup.pick(12.0, 1.0))
            games = list({move.game for move in journal.moves})[:GAMES_TO_READ]
            unread = len(games) - len(boards_shown(server.port, journal, games))
        began = perf_counter()
        moves = crowd.visit_until_move(setup.pick(MAX_RECOVERY, PATIENCE)).moves
        spent = perf_counter() - began
        after = crowd.visit(setup.pick(1.0, 0.3))
        crowd.close()
        is_alive = server.process.poll() is None
        server.kill()
    rejected = during.statuses[503]
    goes_on = is_alive and moves > 0 and set(after.statuses) <= {200, 201}
    stored = stored_moves(data / FILE)
    lost = lost_moves(journal.moves, boards_of(stored))
    wrong += during.complaints + after.complaints + repeated(stored) + lost
    wrong += [f"{unread} of {len(games)} games cannot be read"] * bool(unread)
    wrong += [f"answered {dict(during.statuses)}"] * (not {*during.statuses} <= {200, 201, 503} or not rejected)
    wrong += [f"it does not go on: {dict(after.statuses)}"] * (not goes_on)
    figures = (
        f"{during.moves:,} moves acknowledged and {rejected:,} requests rejected with 503 meanwhile; "
        f"it went on after {spent:.1f} s; {len(journal.moves):,} acknowledged in all, {len(lost):,} lost"
    )
    return Row.of(kind, test, figures, wrong)
