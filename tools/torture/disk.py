"""A disk that is full, cannot be written to, or fails, and a database that another program holds.

Meanwhile every change is refused with 503, nothing is acknowledged that is not there, and what was there can still be
read; afterwards the service goes on by itself. Whoever may mount gets a small file system of its own to fill; beside
that the system lets the service write to no file, as a failing disk does.
"""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Final, TypeAlias

from tests.support.process import finished
from tests.support.service import Server, free_port, serve_command, serve_environment, serving
from tools.torture.crowd import Crowd
from tools.torture.history import FILE, boards_of, boards_told, disagreements, held_in, repeated
from tools.torture.players import Journal
from tools.torture.yard import Row, Yard

__all__ = ["run"]

CLIENTS: Final = 16
SIZE: Final = 16 << 20
MOST_SECONDS: Final = 5.0  # until it goes on
QUIET: Final = {"TEN18_ACCESS_LOG": "off"}
READ: Final = 20  # games that are asked for meanwhile

Disturbance: TypeAlias = Callable[[Server], AbstractContextManager[None]]


def run(yard: Yard) -> Iterator[Row]:
    """All of them in turn."""
    small = yard.folder / "small"
    if _mounted(small):
        try:
            yield _disturbed(yard, "disk full", "a file system of 16 MB, filled", small / "data", _filled)
            if not yard.is_short:
                yield _read_only(yard, small)
        finally:
            finished(("umount", "--lazy", small))  # the last thread of a process that was killed may still hold it
    else:
        yield Row("disk full", "a file system of 16 MB, filled", "left out: only root may mount one")
    failing = "no byte can be written to a file"
    if hasattr(resource, "prlimit"):
        yield _disturbed(yard, "I/O error", failing, yard.data(), _muted)
    else:
        yield Row("I/O error", failing, "left out: only Linux limits a process that runs")
    if not yard.is_short:
        yield _disturbed(yard, "locked", "another program holds the database", yard.data(), _locked)


def _mounted(folder: Path) -> bool:
    folder.mkdir()
    with suppress(OSError):
        return finished(("mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder)).returncode == 0
    return False


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
    for number in server.processes():
        resource.prlimit(number, resource.RLIMIT_FSIZE, (0, most))
    try:
        yield
    finally:
        for number in server.processes():
            resource.prlimit(number, resource.RLIMIT_FSIZE, (most, most))


@contextmanager
def _locked(server: Server) -> Iterator[None]:
    with closing(sqlite3.connect(server.data / FILE, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")


def _disturbed(yard: Yard, kind: str, test: str, data: Path, disturb: Disturbance) -> Row:
    journal, wrong = Journal(), list[str]()
    with serving(data, log=yard.folder / f"{kind.replace('/', '')}.log", environment=QUIET) as server:
        crowd = Crowd([server.port], CLIENTS, journal=journal)
        wrong += crowd.visit(yard.pick(1.0, 0.3)).tally.complaints
        with disturb(server):
            during = crowd.visit(yard.pick(12.0, 1.0))
            games = list({move.game for move in journal.moves})[:READ]
            if unread := len(games) - len(boards_told(server.port, journal, games)):
                wrong.append(f"{unread} of {len(games)} games cannot be read")
        began, moves = perf_counter(), 0
        while not moves and perf_counter() - began <= yard.pick(MOST_SECONDS, 60.0):
            moves = crowd.visit(0.2).tally.moves
        spent = perf_counter() - began
        after = crowd.visit(yard.pick(1.0, 0.3))
        crowd.close()
        alive = server.process.poll() is None
        server.kill()
    refused = during.tally.statuses[503]
    wrong += during.tally.complaints + after.tally.complaints
    if strange := {s: n for s, n in during.tally.statuses.items() if s not in (200, 201, 503)}:
        wrong.append(f"answered {strange}")
    if not refused:
        wrong.append("nothing was refused")
    if set(after.tally.statuses) - {200, 201} or not after.tally.moves or not alive:
        wrong.append(f"it does not go on: {dict(after.tally.statuses)}")
    held = held_in(data / FILE)
    lost = disagreements(journal.moves, boards_of(held))
    wrong += repeated(held) + lost
    figures = (
        f"{during.tally.moves:,} moves acknowledged and {refused:,} requests refused with 503 meanwhile; "
        f"it went on after {spent:.1f} s; {len(journal.moves):,} acknowledged in all, {len(lost):,} lost"
    )
    return Row(kind, test, figures, Row.told(wrong))


def _read_only(yard: Yard, small: Path) -> Row:
    """The file system of a service that was stopped can only be read: the next start says so, and loses nothing."""
    data, port, before = small / "data", free_port(), held_in(small / "data" / FILE)
    wrong = []
    finished(("mount", "-o", "remount,ro", small))
    try:
        said = finished(serve_command(data, port), env=serve_environment(None, QUIET))
    finally:
        finished(("mount", "-o", "remount,rw", small))
    lines = said.stderr.decode(errors="replace").splitlines()
    if said.returncode != 2 or len(lines) != 1:
        wrong.append(f"exit code {said.returncode}, {lines[-3:]}")
    with serving(data, port=port, log=yard.folder / "again.log", environment=QUIET) as server:
        crowd = Crowd([server.port], CLIENTS)
        moves = crowd.visit(0.3).tally.moves
        crowd.close()
    if not moves or not set(before) <= set(held_in(data / FILE)):
        wrong.append("it does not go on when it can write again")
    text = lines[0].replace(str(small), "...") if lines else ""
    return Row(
        "read-only", "the service started on a file system that can only be read", f"refused: {text}", Row.told(wrong)
    )
