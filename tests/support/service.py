"""The service as it is run: a process `ten18 serve` with a folder, a port and an environment of its own."""

import errno
import http.client
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from tests.support.command import TEN18, clean_environment
from tests.support.process import PATIENCE, PROCESSES, Argument, Process, end_with_its_group, running, started, until

HOST: Final = "127.0.0.1"
KEPT: Final = {"TEN18_CACHE"}  # solved tables, which the whole test session shares
# Below the ports that a system gives to connections; each process of a test session looks at other ones first.
_PORTS: Final = count(12_000 + os.getpid() * 331 % 18_000)


@dataclass(frozen=True, slots=True)
class Server:
    """A service that was ready: its address, its process (which leads a group), and the file of what it writes."""

    port: int
    process: Process
    data: Path
    log: Path

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def processes(self) -> list[int]:
        """The numbers of its processes that have not ended: those of its group, and all which these have started."""
        lines = list(running())
        found = {number for number, _, group in lines if group == self.process.pid}
        while more := {number for number, parent, _ in lines if parent in found} - found:
            found |= more
        return sorted(found)

    def memory(self) -> int:
        """Bytes of memory in use by its processes together; pages that several of them share count once for each."""
        return sum(map(_resident, self.processes()))

    def processor_seconds(self) -> float:
        """Processor time that its processes have used so far."""
        return sum(map(processor_seconds, self.processes()))

    def kill(self) -> None:
        """End all of its processes as `kill -9` does, and wait for that."""
        end_with_its_group(self.process)
        until(lambda: not self.processes() and not _listens(self.port), "all of it has ended")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop, and wait; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(
    data: Path,
    *,
    database: str | None = None,
    workers: int = 1,
    rate_limit: bool = False,
    port: int | None = None,
    log: Path | None = None,
    environment: Mapping[str, str] | None = None,
    is_awaited: bool = True,
) -> Iterator[Server]:
    """A service that answers, on a free port if none is given; whatever is left of it is killed at the end.

    ``data`` is its folder, ``database`` an address for PostgreSQL. It gets nothing of the service from the environment
    of the tests, except for ``environment``. What it writes is appended to ``log``, by default beside the
    folder. Unless it is awaited, it may not answer yet.
    """
    port = free_port() if port is None else port
    log = data.with_name(f"{data.name}.log") if log is None else log
    since = log.stat().st_size if log.exists() else 0
    passing = log.with_name(f"{log.name}.tmp")  # one that is killed clears nothing away
    passing.mkdir(exist_ok=True)
    with (
        log.open("ab") as sink,
        started(
            serve_command(data, port, workers=workers, rate_limit=rate_limit),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            env=serve_environment(database, {"TMPDIR": str(passing)} | dict(environment or {})),
        ) as process,
    ):
        server = Server(port, process, data, log)
        if is_awaited:
            _wait_for(server, since)
        yield server


def serve_command(data: Path, port: int, *, workers: int = 1, rate_limit: bool = False) -> list[Argument]:
    command: list[Argument] = [TEN18, "serve", "--host", HOST, "--port", str(port), "--data", data]
    return [*command, "--workers", str(workers), *([] if rate_limit else ["--no-rate-limit"])]


def serve_environment(database: str | None = None, changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Its environment: nothing of the service from that of the tests, but where the solved tables are."""
    kept = {
        name: text
        for name, text in clean_environment({}).items()
        if name in KEPT or not name.startswith(("TEN18_", "GRANIAN_"))
    }
    kept["TEN18_TABLES"] = "off"  # the tables of duels take a minute: a test that needs them says so
    return kept | ({} if database is None else {"TEN18_DATABASE_URL": database}) | dict(changes or {})


def free_port() -> int:
    """A port to which nothing listens, and that no connection gets by chance."""
    while True:
        port = next(_PORTS)
        with socket.socket() as found, suppress(OSError):
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((HOST, port))
            return port


def health_of(port: int, timeout: float = 5) -> tuple[int, bytes]:
    """Status and body of GET /health; an ``OSError`` where nothing answers."""
    connection = http.client.HTTPConnection(HOST, port, timeout=timeout)
    try:
        connection.request("GET", "/health")
        answer = connection.getresponse()
        return answer.status, answer.read()
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from error
    finally:
        connection.close()


def _wait_for(server: Server, since: int) -> None:
    """Until it has said, after this many bytes, where it listens (another may listen there), and answers."""
    deadline = time.monotonic() + PATIENCE
    status = 0
    while status != 200:
        if server.url.encode() in server.log.read_bytes()[since:]:
            with suppress(OSError):
                status, _ = health_of(server.port)
        assert server.process.poll() is None, f"ended with {server.process.returncode}: {server.text()}"
        assert time.monotonic() < deadline, f"GET /health says {status or 'nothing'}: {server.text()}"
        if status != 200:
            time.sleep(0.02)


def _listens(port: int) -> bool:
    """Whether anybody does: a process that is gone may have a thread that is not."""
    with socket.socket() as found:
        return found.connect_ex((HOST, port)) != errno.ECONNREFUSED


def _resident(number: int) -> int:
    with suppress(OSError, IndexError, ValueError):
        pages = int((PROCESSES / str(number) / "statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def processor_seconds(number: int) -> float:
    with suppress(OSError, IndexError, ValueError):
        fields = (PROCESSES / str(number) / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
