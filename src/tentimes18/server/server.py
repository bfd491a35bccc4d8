"""The server: worker processes that share one address, one database and one secret, and what fits a process for it."""

import errno
import gc
import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import MPServer

from tentimes18.errors import Ten18Error
from tentimes18.server.settings import METRICS_VARIABLE, Service, readable_by_others

if TYPE_CHECKING:
    from tentimes18.server.app import Application

STOP_SECONDS = 1  # for requests that are under way
RESPAWN_SECONDS = 0.1
BACKLOG = 2048  # connections that wait to be accepted
MAX_CONNECTIONS = 16_384  # of a process
OTHER_FILES = 200  # open files of a process that are no connections
HEADER_MILLISECONDS = 15_000  # for a request's head, and for one that keeps its connection
MAX_OF_ADDRESS = 1000  # connections
MAX_HEADER_BYTES = 32_768  # of a request's head
PORTS_TRIED = 20
PARENT_SECONDS = 0.5  # between two looks at it
MAX_DIGITS = 4300  # of an integer, as Python has it: reading longer ones takes long
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
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(service: Service, host: str, port: int, workers: int, tell: Callable[[str], None]) -> None:
    """Serve until a signal says to stop; ``tell`` gets the address. Whatever is wrong is raised before that."""
    _verify_address(host, port)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # like Ctrl-C, until the server installs its own
    # In another process, so that this one, which only waits, has no database libraries in its memory.
    context: Any = get_context("fork" if sys.platform == "linux" else "spawn")
    answer, result = context.Pipe(duplex=False)
    context.Process(target=_send_problem, args=(service, result), daemon=True).start()  # daemon: it ends with this one
    result.close()
    if (problem := answer.recv()) is not None:
        raise problem
    for path in readable_by_others(service.data):
        sys.stderr.write(f"ten18: other users of this machine can open {path}: chmod 600 {path}\n")
    with TemporaryDirectory(prefix="ten18-") as run:
        os.environ.update(service.environment() | {METRICS_VARIABLE: run})
        server = MPServer(
            "tentimes18.server.server:worker_app",
            address=host,
            port=port,
            interface=Interfaces.ASGI,
            factory=True,
            workers=workers,
            http=HTTPModes.http1,
            websockets=False,
            backlog=BACKLOG,
            backpressure=_max_connections(),
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


def _send_problem(service: Service, result: Connection) -> None:
    """Verify the store in a process of its own, and send what is raised, or None."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C also reaches the server, which ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        verify_store(service)
        result.send(None)
    except Exception as error:
        result.send(error)


def _max_connections() -> int:
    """Raise the limit of open files as far as possible; return how many connections a process may have."""
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = MAX_CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    soft = needed if soft == resource.RLIM_INFINITY else soft
    return min(MAX_CONNECTIONS, max(soft - OTHER_FILES, soft // 2))


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
            value = host if blamed == "host" else port
            raise Ten18Error(f"cannot listen there: {error.strerror or error}", blamed, value) from None


def verify_store(service: Service) -> None:
    """Bring the tables up to date, and raise ``Ten18Error`` where they cannot be used."""
    from tentimes18.server.store.database import Database, StoreUnavailable, bring_up_to_date, verify_schema

    database = Database(service.database_url)
    try:
        bring_up_to_date(database)
        verify_schema(database)
    except (StoreUnavailable, OSError) as error:
        where = database.url.render_as_string(hide_password=True)
        field = "data" if database.is_sqlite else "TEN18_DATABASE_URL"
        raise Ten18Error(f"the database cannot be used: {error}", field, where) from None
    finally:
        database.close()


def worker_app() -> "Application":
    """The application that a worker process runs; it stops when its parent has been killed."""
    is_open = Event()

    def settle() -> None:
        """Keep pauses of the garbage collector short: ignore what exists now, and rarely visit old objects."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(*COLLECT)
        is_open.set()

    for number in (signal.SIGINT, signal.SIGTERM):  # the handlers of the parent came with the fork, and do nothing here
        signal.signal(number, signal.SIG_DFL)
    Thread(target=_stop_with, args=(os.getppid(), is_open), name="parent", daemon=True).start()
    sys.setswitchinterval(SWITCH_SECONDS)
    sys.set_int_max_str_digits(MAX_DIGITS)  # the command has lifted it
    from tentimes18.server.app import Application  # in a worker alone

    service = Service.from_environment()
    app = Application(service, when_open=settle)
    is_limited = service.has_rate_limits and not service.is_behind_proxy
    most = MAX_OF_ADDRESS if is_limited else MAX_CONNECTIONS
    Thread(target=app.metrics.watch_connections, args=(most,), name="connections", daemon=True).start()
    return app


def _stop_with(parent: int, is_open: Event) -> None:
    """Wait for the parent's end, then end this process; open requests get some seconds.

    Only one signal, and only when the server handles it: a second one before it serves would block it forever.
    """
    server = parent_process()  # it may have been killed before this one was ready to ask for its number
    while os.getppid() == parent and (server is None or server.is_alive()):
        time.sleep(PARENT_SECONDS)
    shutil.rmtree(os.environ.get(METRICS_VARIABLE, ""), ignore_errors=True)  # the parent can no longer do so
    if is_open.is_set():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(STOP_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)
