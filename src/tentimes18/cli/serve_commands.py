"""`ten18 serve`, `backup` and `restore`: the game on the web, and what it keeps."""

import os
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated, TypeAlias
from urllib.request import ProxyHandler, build_opener

import typer

from tentimes18.cli.command import Result, add_command
from tentimes18.cli.output import progress_bar, write
from tentimes18.cli.tables import Column, Entry, table
from tentimes18.errors import Ten18Error
from tentimes18.files import DATA_VARIABLE, verify_place

if TYPE_CHECKING:
    from tentimes18.server.store.backup import BackupAnswer

DataOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data", metavar="FOLDER", help="The folder of the games.", show_default="TEN18_DATA, or the user's"),
]

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
PATIENCE = 60.0  # seconds, for a service to be ready
PAUSE = 0.1
_DIRECT = build_opener(ProxyHandler({}))  # what runs here is not asked for through a proxy
NEEDED = ("alembic", "granian", "litestar", "psycopg", "sqlalchemy")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(serve)
    add_command(app, backup, tables=["rows"])
    add_command(app, restore, tables=["rows"])


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Listen here; 0.0.0.0 for all networks.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Listen at this port.")] = 8018,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Keep games and the secret here.", show_default="TEN18_DATA, or the user's"
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="So many processes.")] = 1,
    no_rate_limit: Annotated[bool, typer.Option("--no-rate-limit", help="Take as many requests as come.")] = False,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy", help="Take the word of a proxy in front on addresses and TLS (X-Forwarded-...)."
        ),
    ] = False,
    no_access_log: Annotated[bool, typer.Option("--no-access-log", help="Log no requests.")] = False,
    opens: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser, at the next free port where this is taken.")
    ] = False,
) -> None:
    """The game on the web: play alone, the daily game, and duels; Ctrl-C stops it.

    Games are kept in SQLite in the data folder, or in the PostgreSQL that TEN18_DATABASE_URL names. Requests are
    logged to standard error, one JSON object a line.
    """
    require_web()
    from tentimes18.server.server import address_of, free_port_from
    from tentimes18.server.server import serve as run
    from tentimes18.server.settings import Service

    if opens:
        if is_ours(there := address_of(seen_from_here(host), port)):
            write(f"Ten times eighteen runs already: {there}\n")
            open_page(there)
            return
        port = free_port_from(host, port)
    use_data(data)
    service = Service.from_environment()
    service = replace(
        service,
        has_rate_limits=service.has_rate_limits and not no_rate_limit,
        is_behind_proxy=service.is_behind_proxy or behind_proxy,
        has_access_log=service.has_access_log and not no_access_log,
    )

    def tell(address: str) -> None:
        write(f"Ten times eighteen: {address} (Ctrl-C stops it)\n")
        if opens:
            open_when_ready(address_of(seen_from_here(host), port))

    run(service, host, port, workers, tell)


def backup(
    copy: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Write it there; a file that is there is replaced.", show_default=False),
    ],
    data: DataOption = None,
) -> Result:
    """Copy all that a service keeps into one file, while it runs or not.

    The file is a SQLite database, also where the service uses PostgreSQL (TEN18_DATABASE_URL). It holds rolls that
    nobody may know yet: keep it safe. The secret that signs cookies is not in it: keep a copy of that file as well.
    """
    require_web()
    from tentimes18.server.settings import Service
    from tentimes18.server.store.backup import back_up
    from tentimes18.server.store.database import Database

    use_data(data)
    verify_place(copy, "file")
    database = Database(Service.from_environment().database_url)
    if database.path is not None and not database.path.is_file():
        raise Ten18Error("there are no games there", "data", str(database.path.parent))
    with progress_bar("copying") as progress, closing(database), unavailable_told():
        answer = back_up(database, copy, progress)
    return _copied("Copied to", answer)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that backup wrote.", show_default=False)],
    data: DataOption = None,
) -> Result:
    """Copy all that a backup holds into a database that has no games yet, all of it or nothing."""
    require_web()
    from tentimes18.server.settings import Service
    from tentimes18.server.store.backup import restore as bring_back
    from tentimes18.server.store.database import Database

    use_data(data)
    database = Database(Service.from_environment().database_url)
    with progress_bar("copying") as progress, closing(database), unavailable_told():
        answer = bring_back(file, database, progress)
    return _copied("Restored from", answer)


def _copied(what: str, answer: "BackupAnswer") -> Result:
    grid = table(
        f"{what} {answer['file']} ({answer['bytes'] / 1e6:,.1f} MB)", Column("rows"), label="table", name="rows"
    )
    for name, rows in answer["rows"].items():
        grid.add_row(name, Entry(rows, f"{rows:,}"))
    return Result(answer, lambda: [grid], lambda: [grid])


@contextmanager
def unavailable_told() -> Iterator[None]:
    """Inside, a database that cannot be used is told in one line."""
    from tentimes18.server.store.database import StoreUnavailable

    try:
        yield
    except StoreUnavailable as error:
        raise Ten18Error(f"the database cannot be used: {error}", "data") from None


def use_data(data: Path | None) -> None:
    """Have this folder be the data folder of this process and of those that it starts."""
    if data is not None:
        os.environ[DATA_VARIABLE] = str(data.absolute())


def require_web() -> None:
    """Raise ``Ten18Error`` where a package that the service needs is not installed."""
    if missing := [name for name in NEEDED if not _is_installed(name)]:
        raise Ten18Error(f"the service needs {', '.join(missing)}: pip install 'tentimes18[web]'")


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # it was taken away on purpose
        return False


def seen_from_here(host: str) -> str:
    """The host by which this machine finds what listens at this one."""
    return EVERYWHERE.get(host, host)


def is_ours(address: str) -> bool:
    """Whether this game is served there, and ready."""
    try:
        with _DIRECT.open(f"{address}/health", timeout=2.0) as answer:
            return bool(answer.headers.get("server") == "ten18")
    except (OSError, HTTPException):
        return False


def open_page(address: str) -> None:
    """Open the browser there, or say that there is none."""
    if not _opened(address):
        write(f"No browser can be opened here: go to {address}\n")


def _opened(address: str) -> bool:
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser and "BROWSER" not in os.environ:
        return False  # one that would take the terminal
    return browser.open(address)


def open_when_ready(address: str) -> None:
    """Open the browser there as soon as somebody answers; returns at once."""

    def wait() -> None:
        end = monotonic() + PATIENCE
        while not is_ours(address) and monotonic() < end:
            sleep(PAUSE)
        open_page(address)

    Thread(target=wait, name="ten18 browser", daemon=True).start()
