"""Power cut: SQLite's write-ahead log ends anywhere, between two frames or inside of one, or in rubbish.

The file of the database is taken when all of the log has gone into it, the log while the service is halted under load;
as long as nothing went from the log into the file meanwhile (which is checked), a log cut anywhere is what a power cut
may leave. Each cut is opened: the file must be sound, what it holds must be a beginning of what happened
(`history.out_of_order`), the more of the log is there the more of that, and with the whole log all that was
acknowledged is there.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from os import killpg
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from struct import unpack_from
from time import sleep
from typing import Final

from tests.support.service import serving
from tools.torture.crowd import Crowd
from tools.torture.history import FILE, boards_of, disagreements, held_in, out_of_order, repeated
from tools.torture.players import Acknowledged, Journal
from tools.torture.yard import Row, Yard

__all__ = ["Log", "frames_of", "run"]

CLIENTS: Final = 32
HEADER: Final = 32  # bytes of a log before its first frame
FRAME_HEADER: Final = 24
CHECKPOINT: Final = 1_000  # frames, after which SQLite moves them into the file
QUIET: Final = {"TEN18_ACCESS_LOG": "off"}


@dataclass(frozen=True, slots=True)
class Log:
    """A database and its log as they were at one moment, and what had been acknowledged then."""

    base: bytes
    log: bytes
    moves: list[Acknowledged]


def frames_of(log: bytes) -> list[int]:
    """Where frames end: the header of a log tells the size of its pages.

    >>> frames_of(bytes(8) + (512).to_bytes(4) + bytes(20) + bytes(2 * (24 + 512)))
    [32, 568, 1104]
    """
    (size,) = unpack_from(">I", log, 8)
    return list(range(HEADER, len(log) + 1, FRAME_HEADER + size))


def run(yard: Yard) -> Iterator[Row]:
    """Cut the log at all frames and at random bytes, and spoil random bytes of it."""
    taken = _taken(yard)
    frames = frames_of(taken.log)
    wrong = [] if len(frames) > 2 else ["the log has no frames"]
    ends = frames if not yard.is_short else frames[:: max(1, len(frames) // 20)]
    held = 0
    for end in sorted({*ends, frames[-1]}):
        found, complaints = _opened(yard, taken, taken.log[:end])
        wrong += [f"log of {end:,} bytes: {text}" for text in complaints]
        if found < held:
            wrong.append(f"log of {end:,} bytes: {found:,} moves, and {held:,} in a shorter one")
        held = found
    if missing := disagreements(taken.moves, boards_of(held_in(_laid(yard, taken.base, taken.log)))):
        wrong += [f"the whole log: {text}" for text in missing]
    kept = f"{len(taken.moves):,} moves acknowledged, {held:,} held with the whole log"
    yield Row("power cut", f"the log cut at each of {len(ends):,} frames", kept, Row.told(wrong))
    yield _random(yard, taken)
    if not yard.is_short:
        yield _served(yard, taken)


def _taken(yard: Yard) -> Log:
    """A log that has grown under load, but not so long that any of it went into the file."""
    data, journal = yard.data(), Journal()
    with serving(data, environment=QUIET) as server:
        path, log = data / FILE, data / f"{FILE}-wal"
        before = Crowd([server.port], CLIENTS)
        before.visit(yard.pick(2.0, 0.3))
        before.close()
        with closing(sqlite3.connect(path)) as database:  # all of the log goes into the file, and another log begins
            while database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                sleep(0.1)
        base = path.read_bytes()
        crowd = Crowd([server.port], CLIENTS, journal=journal)
        size = int(yard.pick(0.8, 0.3) * CHECKPOINT) * (FRAME_HEADER + 4096)
        crowd.visit(60.0, tick=lambda _: log.stat().st_size >= size, every=0.01)
        killpg(server.process.pid, SIGSTOP)
        try:
            after, rows = path.read_bytes(), log.read_bytes()
        finally:
            killpg(server.process.pid, SIGCONT)
        crowd.close()
    if sha256(after).digest() != sha256(base).digest():
        raise AssertionError("some of the log went into the file meanwhile: no cut of it is what a power cut leaves")
    return Log(base, rows, journal.moves)


def _laid(yard: Yard, base: bytes, log: bytes) -> Path:
    """The files of a database, in a folder of their own."""
    folder = yard.folder / "cut"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / FILE).write_bytes(base)
    (folder / f"{FILE}-wal").write_bytes(log)
    return folder / FILE


def _opened(yard: Yard, taken: Log, log: bytes) -> tuple[int, list[str]]:
    """How many moves are there with this log, and what is wrong with them."""
    path = _laid(yard, taken.base, log)
    with closing(sqlite3.connect(path)) as database:
        sound = database.execute("PRAGMA integrity_check").fetchone()[0]
        astray = database.execute("PRAGMA foreign_key_check").fetchall()
    held = held_in(path)
    wrong = [] if sound == "ok" else [sound]
    wrong += [f"{row} points to nothing" for row in astray]
    return len(held), wrong + repeated(held) + out_of_order(taken.moves, held)


def _random(yard: Yard, taken: Log) -> Row:
    count, wrong = yard.pick(1_000, 10), list[str]()
    for number in range(count):
        end = yard.chance.randrange(len(taken.log) + 1)
        log = taken.log[:end]
        if number % 2 and end:  # the disk has written something else
            place = yard.chance.randrange(end)
            log = log[:place] + bytes([log[place] ^ (1 << yard.chance.randrange(8))]) + log[place + 1 :]
        _, complaints = _opened(yard, taken, log)
        wrong += [f"cut {number} at {end:,} bytes: {text}" for text in complaints]
    test = f"the log cut at {count:,} random bytes, every other one spoilt as well"
    return Row("power cut", test, f"{count:,} opened, each a beginning", Row.told(wrong))


def _served(yard: Yard, taken: Log) -> Row:
    """The service itself opens what is left, and goes on."""
    count, wrong, moves = 10, list[str](), 0
    for _ in range(count):
        path = _laid(yard, taken.base, taken.log[: yard.chance.randrange(len(taken.log) + 1)])
        with serving(path.parent, log=yard.folder / "cut.log", environment=QUIET) as server:
            crowd = Crowd([server.port], CLIENTS)
            visit = crowd.visit(0.5)
            crowd.close()
        moves += visit.tally.moves
        wrong += visit.tally.complaints
        if not visit.tally.moves:
            wrong.append("nothing goes on")
    return Row("power cut", f"the service started on {count} of them", f"{moves:,} moves more", Row.told(wrong))
