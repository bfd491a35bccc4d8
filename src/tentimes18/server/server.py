"""The server: worker processes that share one address, one database and one secret, and what fits a process for it."""

import errno
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from multiprocessing import parent_process
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import MPServer

from tentimes18.errors import Ten18Error
from tentimes18.server.settings import METRICS_VARIABLE, Service
from tentimes18.server.store.database import Database, StoreUnavailable, bring_up_to_date

if TYPE_CHECKING:
    from tentimes18.server.app import Application

STOP_SECONDS = 10  # for requests that are under way
RESPAWN_SECONDS = 0.1
CONNECTIONS = 1024  # that wait to be accepted
HEADER_MILLISECONDS = 15_000  # for a request's head, and for one that keeps its connection
MAX_HEADER_BYTES = 32_768  # of a request's head
PORTS_TRIED = 20
PARENT_SECONDS = 0.5  # between two looks at it
END_SECONDS = 10.0  # for what is under way when it is gone
SWITCH_SECONDS = 0.0005  # that one thread may keep the others waiting: the writer asks for its turn often

# New objects until those are looked at, and how often until those that stayed once, and those that stayed for good.
COLLECT = (2_000, 20, 1_000)

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"bare": {"format": "%(message)s"}, "plain": {"format": "%(asctime)s %(levelname)s %(message)s"}},
    "handlers": {
        "bare": {"class": "logging.StreamHandler", "formatter": "bare", "stream": "ext://sys.stderr"},
        "plain": {"class": "logging.StreamHandler", "formatter": "plain", "stream": "ext://sys.stderr"},
    },
    "loggers": {
        "_granian": {"handlers": ["plain"], "propagate": False},
        "tentimes18": {"handlers": ["plain"], "level": "INFO", "propagate": False},
        "tentimes18.access": {"handlers": ["bare"], "level": "INFO", "propagate": False},
    },
}
"""What a process of the service logs, and where to: for `logging.config`."""


def address_of(host: str, port: int) -> str:
    """The address that a browser takes."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(service: Service, host: str, port: int, workers: int, tell: Callable[[str], None]) -> None:
    """Serve until a signal says to stop; ``tell`` gets the address. Whatever is wrong is raised before that."""
    _verify_address(host, port)
    _verify_store(service)
    with TemporaryDirectory(prefix="ten18-") as run:
        os.environ.update(service.environment() | {METRICS_VARIABLE: run})
        _run(host, port, workers, tell)


def _run(host: str, port: int, workers: int, tell: Callable[[str], None]) -> None:
    server = MPServer(
        "tentimes18.server.server:worker_app",
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        factory=True,
        workers=workers,
        http=HTTPModes.http1,
        websockets=False,
        backlog=CONNECTIONS,
        log_access=False,
        log_dictconfig=LOGGING,
        log_level=LogLevels.warning,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_MILLISECONDS, max_buffer_size=MAX_HEADER_BYTES),
        respawn_failed_workers=True,
        respawn_interval=RESPAWN_SECONDS,
        workers_kill_timeout=STOP_SECONDS,
    )
    server.on_startup(lambda: tell(address_of(host, port)))
    server.serve()


def free_port_from(host: str, port: int) -> int:
    """The first free port from this one on; where there is none near, what is wrong with this one is raised."""
    for tried in range(port, min(port + PORTS_TRIED, 65536)):
        try:
            _verify_address(host, tried)
        except Ten18Error as error:
            if error.field != "port":
                raise
        else:
            return tried
    _verify_address(host, port)
    return port


def _verify_address(host: str, port: int) -> None:
    """Raise ``Ten18Error`` unless one can listen there."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError):
        raise Ten18Error("not an address of this machine; accepted: 127.0.0.1, 0.0.0.0, ::1", "host", host) from None
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            blamed = "host" if error.errno == errno.EADDRNOTAVAIL else "port"
            given = host if blamed == "host" else port
            raise Ten18Error(f"cannot listen there: {error.strerror or error}", blamed, given) from None


def _verify_store(service: Service) -> None:
    """Raise ``Ten18Error`` unless the database is there, and bring it up to date."""
    database = Database(service.database_url)
    try:
        bring_up_to_date(database)
    except (StoreUnavailable, OSError) as error:
        where = database.url.render_as_string(hide_password=True)
        raise Ten18Error(f"the database cannot be used: {error}", "data", where) from None
    finally:
        database.close()


def worker_app() -> "Application":
    """The application of the service that the environment describes: what a worker process runs.

    A worker whose parent was killed stops as well: it would go on listening, and nobody would know of it.
    """
    is_open = Event()

    def settle() -> None:
        _settle()
        is_open.set()

    Thread(target=_stop_with, args=(os.getppid(), is_open), name="parent", daemon=True).start()
    sys.setswitchinterval(SWITCH_SECONDS)
    from tentimes18.server.app import Application  # in a worker alone

    return Application(Service.from_environment(), when_open=settle)


def _settle() -> None:
    """Have the collector leave alone what is there from the start, and seldom go through what has stayed since.

    The first takes it a tenth of a second; the second half of that, every few seconds under load. None is served then.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)


def _stop_with(parent: int, is_open: Event) -> None:
    """Wait for the parent's end, then end this process: what is under way gets some seconds, where it can have begun.

    One signal, and not before it is heard: the server waits for ever in a second one that comes before it serves.
    """
    server = parent_process()  # it may have been killed before this one was ready to ask for its number
    while os.getppid() == parent and (server is None or server.is_alive()):
        time.sleep(PARENT_SECONDS)
    if is_open.is_set():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(END_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)
