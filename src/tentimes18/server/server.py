"""The server: worker processes that share one address, one database and one secret."""

import errno
import os
import socket
from collections.abc import Callable
from tempfile import TemporaryDirectory

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import MPServer

from tentimes18.errors import Ten18Error
from tentimes18.server.access_log import LOGGING
from tentimes18.server.settings import METRICS_VARIABLE, Service
from tentimes18.server.store.database import Database, StoreUnavailable
from tentimes18.server.store.migration import bring_up_to_date

STOP_SECONDS = 10  # for requests that are under way
RESPAWN_SECONDS = 0.1
CONNECTIONS = 1024  # that wait to be accepted
HEADER_MILLISECONDS = 15_000  # for a request's head, and for one that keeps its connection
MAX_HEADER_BYTES = 32_768  # of a request's head
PORTS_TRIED = 20


def address_of(host: str, port: int) -> str:
    """The address that a browser takes.

    >>> address_of("127.0.0.1", 8018), address_of("::1", 80)
    ('http://127.0.0.1:8018', 'http://[::1]:80')
    """
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
        "tentimes18.server.worker:worker_app",
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
