"""`ten18 serve`, `backup`, `restore`, `doctor` and `admin`: the game on the web, its database and its players."""

import os
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Annotated, TypeAlias
from urllib.request import ProxyHandler, build_opener

import typer
from msgspec.structs import astuple

from tentimes18.cli.command import Result, add_command, add_group, add_plain
from tentimes18.cli.grid import Column, data_table, table
from tentimes18.cli.output import progress_bar, write
from tentimes18.errors import Ten18Error
from tentimes18.files import DATA_VARIABLE, data_folder, verify_place
from tentimes18.queries import Doc

if TYPE_CHECKING:
    from tentimes18.server.store.admin import Admin, AdminAnswer, BackupAnswer
    from tentimes18.server.store.database import Database

DATA_DEFAULT = "TEN18_DATA, or your data folder"
DataOption: TypeAlias = Annotated[
    Path | None, Doc("The folder with the games.", metavar="FOLDER", default=DATA_DEFAULT)
]
PlayerArgument: TypeAlias = Annotated[
    str, Doc("The id of a player, from ten18 admin players.", metavar="PLAYER", is_argument=True)
]

LOCAL = {"0.0.0.0": "127.0.0.1", "::": "::1"}
MAX_WAIT = 60.0  # seconds, for the server to be ready
PAUSE = 0.1
_DIRECT = build_opener(ProxyHandler({}))  # no proxy for this machine
NEEDED = ("alembic", "granian", "litestar", "sqlalchemy")


def register(app: typer.Typer) -> None:
    add_plain(app, serve)
    add_command(app, backup, tables=["rows"])
    add_command(app, restore, tables=["rows"])
    add_command(app, doctor, tables=["checks"])
    admin = add_group(
        app,
        "admin",
        "Look after the players of a server, while it runs or not.\n\n"
        "The commands change the database that ten18 serve uses: the one in the data folder, or TEN18_DATABASE_URL. "
        "Every change adds a line to admin.log in the data folder.",
    )
    add_command(admin, players, tables=["players"])
    add_command(admin, sizes, tables=["tables"])
    for change in (rename, clear_name, hide, show, sign_out, delete_player, delete_group, end_duel):
        add_command(admin, change, tables=["result"], name=change.__name__.replace("_", "-"))


def serve(
    host: Annotated[str, Doc("The address to listen on; 0.0.0.0 for all networks.", metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, Doc("The port to listen on.", least=1, most=65535)] = 8018,
    data: Annotated[
        Path | None, Doc("The folder for the games and the secret.", metavar="FOLDER", default=DATA_DEFAULT)
    ] = None,
    workers: Annotated[int, Doc("The number of processes.", least=1, most=64)] = 1,
    no_rate_limit: Annotated[bool, Doc("Do not limit the rate of requests.")] = False,
    behind_proxy: Annotated[bool, Doc("Trust the X-Forwarded headers of a proxy for addresses and TLS.")] = False,
    no_access_log: Annotated[bool, Doc("Do not log requests.")] = False,
    opens: Annotated[
        bool, Doc("Open the page in the browser; if the port is taken, use the next free one.", option="--open")
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
    copy: Annotated[Path, Doc("The file to write; an existing file is replaced.", metavar="FILE", is_argument=True)],
    with_secret: Annotated[bool, Doc("Also copy the secret that signs cookies, to FILE.secret.")] = False,
    data: DataOption = None,
) -> Result:
    """Copy everything that a server stores into one file.

    The server may be running. The file is a SQLite database, even if the server uses PostgreSQL (TEN18_DATABASE_URL).
    It holds rolls that are still secret: keep it safe. The secret that signs cookies is not in it; --with-secret copies
    it to a second file, which you put into the data folder of a restored server under the name secret.
    """
    require_web()
    from tentimes18.server.settings import read_secret
    from tentimes18.server.store.admin import STAMP, back_up

    verify_place(copy, "file")
    with progress_bar("copying") as progress, server_database(data, must_exist=True) as database:
        answer = back_up(database, copy, progress)
    if with_secret:
        secret = copy.with_name(f"{copy.name}.secret")
        secret.unlink(missing_ok=True)
        with os.fdopen(os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # its owner's only
            file.write(read_secret(data_folder()))
    with suppress(OSError):
        (data_folder() / STAMP).touch()
    return _copied("Copied to", answer)


def restore(
    file: Annotated[Path, Doc("A file written by ten18 backup.", metavar="FILE", is_argument=True)],
    data: DataOption = None,
) -> Result:
    """Copy a backup into a database that has no games yet.

    If anything fails, the database stays as it was.
    """
    require_web()
    from tentimes18.server.store import admin

    with progress_bar("copying") as progress, server_database(data) as database:
        answer = admin.restore(file, database, progress)
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
    with suppress(webbrowser.Error):
        browser = webbrowser.get()
        takes_terminal = type(browser) is webbrowser.GenericBrowser and "BROWSER" not in os.environ
        if not takes_terminal and browser.open(address):
            return
    write(f"Cannot open a browser here: go to {address}\n")


def open_when_ready(address: str) -> None:
    """Open the browser as soon as the server answers; returns at once."""

    def wait() -> None:
        end = monotonic() + MAX_WAIT
        while not is_ours(address) and monotonic() < end:
            sleep(PAUSE)
        open_page(address)

    Thread(target=wait, name="ten18 browser", daemon=True).start()


# Its players.


def players(
    search: Annotated[str | None, Doc("A part of the name, or the whole id.", metavar="TEXT")] = None,
    limit: Annotated[int, Doc("The largest number of players to list.", least=1, most=10_000)] = 50,
    data: DataOption = None,
) -> Result:
    """List players, the newest first, or search them by name."""
    with _admin(data) as admin:
        answer = admin.players(search, limit)
    heads = ("name", "created", "games", "finished", "last game", "hidden")
    columns = (Column(head, left=True) for head in heads)
    rows = (
        (
            *(row.id, row.name or "", row.created[:10], row.games, row.finished, (row.last_game or "")[:10]),
            "yes" if row.hidden else "",
        )
        for row in answer.players
    )
    grid = table("Players", *columns, key="id", name="players", rows=rows)
    return Result(answer, lambda: [grid if answer.players else "No players."], lambda: [grid])


def sizes(data: DataOption = None) -> Result:
    """Show the rows of each table and the size of the database."""
    with _admin(data) as admin:
        answer = admin.sizes()
    title, columns = f"Database: {answer.bytes / 1e6:,.1f} MB", [Column("rows", form=",")]
    grid = table(title, *columns, label="table", name="tables", rows=map(astuple, answer.tables))
    return Result(answer, lambda: [grid])


def rename(
    player: PlayerArgument,
    name: Annotated[str, Doc("The new name.", metavar="NAME", is_argument=True)],
    data: DataOption = None,
) -> Result:
    """Give a player another name."""
    return _changed("Renamed", data, lambda admin: admin.rename(player, name))


def clear_name(player: PlayerArgument, data: DataOption = None) -> Result:
    """Remove the name of a player; others then see a guest."""
    return _changed("Removed the name of", data, lambda admin: admin.rename(player, None))


def hide(player: PlayerArgument, data: DataOption = None) -> Result:
    """Take a player out of the lists that others see."""
    return _changed("Hid", data, lambda admin: admin.hide(player, hidden=True))


def show(player: PlayerArgument, data: DataOption = None) -> Result:
    """Put a hidden player back into the lists."""
    return _changed("No longer hidden:", data, lambda admin: admin.hide(player, hidden=False))


def sign_out(player: PlayerArgument, data: DataOption = None) -> Result:
    """Sign out all devices of a player, for example after a cookie was stolen.

    The player gets a new id. The command prints a code: the address of the server with /history# and the code makes one
    browser this player again. It works once, within a day.
    """
    return _changed("Signed out", data, lambda admin: admin.sign_out(player))


def delete_player(player: PlayerArgument, data: DataOption = None) -> Result:
    """Delete a player with all of their games. This cannot be undone."""
    return _changed("Deleted", data, lambda admin: admin.delete_player(player))


def delete_group(
    code: Annotated[str, Doc("The code of a group.", metavar="CODE", is_argument=True)], data: DataOption = None
) -> Result:
    """Delete a group with all of its games. This cannot be undone."""
    return _changed("Deleted the group", data, lambda admin: admin.delete_group(code))


def end_duel(
    game: Annotated[str, Doc("The id of a game of the duel; its player loses.", metavar="GAME", is_argument=True)],
    data: DataOption = None,
) -> Result:
    """End an unfinished duel."""
    return _changed("Ended the duel of", data, lambda admin: admin.end_duel(game))


def _changed(what: str, data: Path | None, change: "Callable[[Admin], AdminAnswer]") -> Result:
    with _admin(data) as admin:
        answer = change(admin)
    line = f"{what} {answer.subject}" + (f": {answer.detail}" if answer.detail else "")
    grid = data_table("result", answer.__struct_fields__, [astuple(answer)])
    return Result(answer, lambda: [line], lambda: [grid])


@contextmanager
def _admin(data: Path | None) -> "Iterator[Admin]":
    require_web()
    from tentimes18.server.store.admin import Admin

    with server_database(data, must_exist=True) as database:
        yield Admin(database, data_folder(), lambda: int(time() * 1000))
