"""`ten18 serve`, `backup`, `restore` and `doctor`: the game on the web, its database, and what both need."""

import os
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
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
from tentimes18.cli.grid import Column, data_table, table
from tentimes18.cli.output import progress_bar, write
from tentimes18.errors import Ten18Error
from tentimes18.files import DATA_VARIABLE, data_folder, verify_place

if TYPE_CHECKING:
    from tentimes18.server.store.backup import BackupAnswer
    from tentimes18.server.store.database import Database

DataOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="FOLDER", help="The folder with the games.", show_default="TEN18_DATA, or your data folder"
    ),
]

LOCAL = {"0.0.0.0": "127.0.0.1", "::": "::1"}
MAX_WAIT = 60.0  # seconds, for the server to be ready
PAUSE = 0.1
_DIRECT = build_opener(ProxyHandler({}))  # no proxy for this machine
NEEDED = ("alembic", "granian", "litestar", "sqlalchemy")


def register(app: typer.Typer) -> None:
    app.command()(serve)
    add_command(app, backup, tables=["rows"])
    add_command(app, restore, tables=["rows"])
    add_command(app, doctor, tables=["checks"])


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on; 0.0.0.0 for all networks.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8018,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder for the games and the secret.",
            show_default="TEN18_DATA, or your data folder",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="The number of processes.")] = 1,
    no_rate_limit: Annotated[bool, typer.Option("--no-rate-limit", help="Do not limit the rate of requests.")] = False,
    behind_proxy: Annotated[
        bool,
        typer.Option("--behind-proxy", help="Trust the X-Forwarded headers of a proxy for addresses and TLS."),
    ] = False,
    no_access_log: Annotated[bool, typer.Option("--no-access-log", help="Do not log requests.")] = False,
    opens: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser; if the port is taken, use the next free one.")
    ] = False,
) -> None:
    """Serve the game on the web: single games, the daily game and duels.

    Ctrl-C stops it. Games are stored in SQLite in the data folder, or in the PostgreSQL database that
    TEN18_DATABASE_URL names. Requests are logged to standard error, one JSON object per line.
    """
    require_web()
    from tentimes18.server import server, settings

    if opens:
        if is_ours(there := server.address_of(LOCAL.get(host, host), port)):
            write(f"Ten times eighteen is already running: {there}\n")
            open_page(there)
            return
        port = server.free_port_from(host, port)
    use_data(data)
    service = settings.Service.from_environment()
    service = replace(
        service,
        has_rate_limits=service.has_rate_limits and not no_rate_limit,
        is_behind_proxy=service.is_behind_proxy or behind_proxy,
        has_access_log=service.has_access_log and not no_access_log,
    )

    def report(address: str) -> None:
        write(f"Ten times eighteen: {address} (Ctrl-C stops it)\n")
        if opens:
            open_when_ready(server.address_of(LOCAL.get(host, host), port))

    try:
        server.serve(service, host, port, workers, report)
    except SystemExit:  # the workers end as soon as they start: the log says why
        raise typer.Exit(1) from None


def backup(
    copy: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The file to write; an existing file is replaced.", show_default=False),
    ],
    with_secret: Annotated[
        bool, typer.Option("--with-secret", help="Also copy the secret that signs cookies, to FILE.secret.")
    ] = False,
    data: DataOption = None,
) -> Result:
    """Copy everything that a server stores into one file.

    The server may be running. The file is a SQLite database, even if the server uses PostgreSQL (TEN18_DATABASE_URL).
    It holds rolls that are still secret: keep it safe. The secret that signs cookies is not in it; --with-secret copies
    it to a second file, which you put into the data folder of a restored server under the name secret.
    """
    require_web()
    from tentimes18.server.settings import read_secret
    from tentimes18.server.store.backup import STAMP, back_up

    verify_place(copy, "file")
    with progress_bar("copying") as progress, server_database(data, must_exist=True) as database:
        answer = back_up(database, copy, progress)
    if with_secret:
        private_file(copy.with_name(f"{copy.name}.secret"), read_secret(data_folder()))
    with suppress(OSError):
        (data_folder() / STAMP).touch()
    return _copied("Copied to", answer)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by ten18 backup.", show_default=False)],
    data: DataOption = None,
) -> Result:
    """Copy a backup into a database that has no games yet.

    If anything fails, the database stays as it was.
    """
    require_web()
    from tentimes18.server.store import backup

    with progress_bar("copying") as progress, server_database(data) as database:
        answer = backup.restore(file, database, progress)
    return _copied("Restored from", answer)


def doctor(data: DataOption = None) -> Result:
    """Check everything a server depends on, and say what to do.

    The command looks at the environment variables, the data folder and its modes, the secret, the database and its
    schema, the clock, the disk and the limit of open files. It changes nothing. It exits with 1 if there is a problem.
    """
    require_web()
    from tentimes18.server.doctor import examine

    use_data(data)
    answer = examine()
    rows = ((check.name, check.status, check.detail, check.advice) for check in answer.checks)
    grid = data_table("checks", ("check", "status", "detail", "advice"), rows)
    lines = []
    for check in answer.checks:
        lines.append(f" {check.status:8} {check.name:18} {check.detail}")
        if check.advice:
            lines.append(f" {'':8} {'':18} {check.advice}")
    lines += ["", "No problems." if not answer.problems else f"Problems: {answer.problems}"]
    return Result(answer, lambda: ["\n".join(lines)], lambda: [grid], code=1 if answer.problems else 0)


def private_file(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def _copied(what: str, answer: "BackupAnswer") -> Result:
    title = f"{what} {answer['file']} ({answer['bytes'] / 1e6:,.1f} MB)"
    grid = table(title, Column("rows", form=","), label="table", name="rows", rows=answer["rows"].items())
    return Result(answer, lambda: [grid])


@contextmanager
def server_database(data: Path | None, *, must_exist: bool = False) -> "Iterator[Database]":
    """The database of the server, with one line for what is wrong with it."""
    from tentimes18.server import settings
    from tentimes18.server.store import database

    use_data(data)
    own_file = None if os.environ.get(settings.DATABASE_VARIABLE) else data_folder() / settings.DATABASE_FILE
    if must_exist and own_file is not None and not own_file.is_file():  # before a secret is made there
        raise Ten18Error("there are no games in this folder", "data", str(own_file.parent))
    try:
        with closing(database.Database(settings.Service.from_environment().database_url)) as opened:
            if must_exist and opened.path is not None and not opened.path.is_file():
                raise Ten18Error("there are no games in this folder", "data", str(opened.path.parent))
            yield opened
    except database.StoreUnavailable as error:
        raise Ten18Error(f"cannot use the database: {error}", "data") from None


def use_data(data: Path | None) -> None:
    """Make this the data folder of this process and its children."""
    if data is not None:
        os.environ[DATA_VARIABLE] = str(data.absolute())


def require_web() -> None:
    if missing := [name for name in NEEDED if not _is_installed(name)]:
        raise Ten18Error(f"the server needs {', '.join(missing)}: pip install 'tentimes18[web]'")


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # it was taken away on purpose
        return False


def is_ours(address: str) -> bool:
    try:
        with _DIRECT.open(f"{address}/health", timeout=2.0) as answer:
            return bool(answer.headers.get("server") == "ten18")
    except (OSError, HTTPException):
        return False


def open_page(address: str) -> None:
    """Open the page in the browser, or say that there is none."""
    if not _opened(address):
        write(f"Cannot open a browser here: go to {address}\n")


def _opened(address: str) -> bool:
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser and "BROWSER" not in os.environ:
        return False  # one that would take the terminal
    return browser.open(address)


def open_when_ready(address: str) -> None:
    """Open the browser as soon as the server answers; returns at once."""

    def wait() -> None:
        end = monotonic() + MAX_WAIT
        while not is_ours(address) and monotonic() < end:
            sleep(PAUSE)
        open_page(address)

    Thread(target=wait, name="ten18 browser", daemon=True).start()
