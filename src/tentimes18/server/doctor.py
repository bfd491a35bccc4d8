"""`ten18 doctor`: look at everything a server depends on, change nothing, and say what to do.

Each check is a function that returns a `Check` or several. A check that fails for a reason of its own is a problem too,
so that one broken part hides no other.
"""

import os
import platform
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import time
from typing import Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import func, select, text

from tentimes18 import __version__
from tentimes18.errors import Ten18Error
from tentimes18.files import DATA_VARIABLE, cache_folder, data_folder
from tentimes18.server import settings
from tentimes18.server.bots import DuelTables
from tentimes18.server.settings import DATABASE_VARIABLE, PROXY_VARIABLE, SECRET_VARIABLE
from tentimes18.server.store.database import SCRIPT, Database, StoreUnavailable, revision_of
from tentimes18.server.store.schema import games, moves, players

MIN_FREE = 1_000_000_000  # bytes on disk
MIN_FILES = 4096  # open files
MAX_AHEAD = 60.0  # seconds by which the clock may be behind the newest row
LIBRARIES = ("granian", "litestar", "sqlalchemy", "numpy", "numba")

Status: TypeAlias = Literal["ok", "note", "problem"]


class Check(Struct, frozen=True):
    """What was looked at, how it is, and what to do about it."""

    name: str
    status: Status
    detail: str
    advice: str = ""


class DoctorAnswer(Struct, frozen=True):
    checks: list[Check]
    problems: int


def examine(environment: Mapping[str, str] = os.environ) -> DoctorAnswer:
    """Run every check on the server that these environment variables describe."""
    data = Path(folder) if (folder := environment.get(DATA_VARIABLE)) else data_folder()
    parts = (  # each of them runs when its checks are taken
        check_variables(environment),
        check_folder(data),
        check_secret(data, environment),
        check_database(data, environment),
        check_disk(data),
        check_open_files(),
        check_proxy(environment),
        check_tables(),
    )
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    own = f"tentimes18 {__version__}, Python {platform.python_version()}, {libraries}"
    checks = [Check("version", "ok", own)]
    for part in parts:
        try:
            checks += part
        except (Ten18Error, StoreUnavailable, OSError) as error:
            checks.append(Check(getattr(error, "field", None) or "error", "problem", str(error)))
    return DoctorAnswer(checks, sum(check.status == "problem" for check in checks))


def check_variables(environment: Mapping[str, str]) -> Iterator[Check]:
    switches = [name for name, _ in settings.SWITCHES.values()]
    for name in switches:
        if environment.get(name, "") not in ("", "on", "off"):
            yield Check("variables", "problem", f"{name} is {environment[name]!r}", "Set it to on or off.")
    known = {value for name, value in vars(settings).items() if name.endswith("_VARIABLE")}.union(switches)
    known |= {DATA_VARIABLE, "TEN18_CACHE", "TEN18_CACHE_LIMIT", "TEN18_MEMORY", "TEN18_TIME", "TEN18_BROWSER"}
    ours = sorted(name for name in environment if name.startswith("TEN18_"))
    if unknown := [name for name in ours if name not in known]:
        yield Check("variables", "problem", f"unknown: {', '.join(unknown)}", "Correct or remove them.")
    else:
        yield Check("variables", "ok", ", ".join(ours) or "none set")


def check_folder(data: Path) -> Iterator[Check]:
    if not data.is_dir():
        parent = next(folder for folder in (data, *data.absolute().parents) if folder.exists())
        if parent.is_dir() and os.access(parent, os.W_OK | os.X_OK):
            yield Check("data", "note", f"{data} does not exist", "ten18 serve makes it.")
        else:
            yield Check("data", "problem", f"{data} cannot be made", "Name another folder with --data.")
        return
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        advice = f"Give it to the user that runs the server: chown -R USER {data}"
        yield Check("data", "problem", f"{data} cannot be written", advice)
        return
    yield Check("data", "ok", str(data))
    for path in settings.readable_by_others(data):
        mode = stat.S_IMODE(path.stat().st_mode)
        yield Check("mode", "problem", f"{path} has mode {mode:o}: other users can open it", f"chmod 600 {path}")


def check_secret(data: Path, environment: Mapping[str, str]) -> Iterator[Check]:
    file = data / settings.SECRET_FILE
    if environment.get(SECRET_VARIABLE) or file.is_file():
        settings.read_secret(data, environment)
        yield Check("secret", "ok", f"from {SECRET_VARIABLE if environment.get(SECRET_VARIABLE) else file}")
    else:
        yield Check("secret", "note", "none yet", "ten18 serve makes one. Copy it with your backups.")


def check_database(data: Path, environment: Mapping[str, str]) -> Iterator[Check]:
    service = settings.Service(data, b"", given_database=environment.get(DATABASE_VARIABLE) or None)
    with closing(Database(service.database_url)) as database:
        if database.path is not None and not database.path.is_file():
            yield Check("database", "note", f"{database.path} does not exist", "ten18 serve makes it.")
            return
        with database.reading() as connection:
            where = str(database.path) if database.path else database.url.render_as_string(hide_password=True)
            known, head = revision_of(connection), SCRIPT.get_current_head()
            if known != head:
                advice = "Back up, then start ten18 serve, which brings it up to date."
                yield Check("schema", "note" if known else "problem", f"revision {known}, needed: {head}", advice)
                return
            yield Check("schema", "ok", f"revision {head}")
            if database.is_sqlite and (damage := connection.execute(text("PRAGMA quick_check")).scalar()) != "ok":
                detail = f"{where} is damaged: {damage}"
                yield Check("database", "problem", detail, "Restore a backup: ten18 restore FILE")
                return
            counts = [connection.scalar(select(func.count()).select_from(table)) for table in (players, games)]
            yield Check("database", "ok", f"{where}: {counts[0]:,} players, {counts[1]:,} games")
            newest = connection.scalar(select(func.max(moves.c.made))) or 0
    if (ahead := newest / 1000 - time()) > MAX_AHEAD:
        detail = f"the newest move was made {ahead:,.0f} seconds from now"
        yield Check("clock", "problem", detail, "Set the clock (timedatectl), or wait until it has caught up.")
    else:
        yield Check("clock", "ok", datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"))


def check_disk(data: Path) -> Iterator[Check]:
    for name, folder in (("disk", data), ("disk of the cache", cache_folder())):
        there = next((path for path in (folder, *folder.parents) if path.is_dir()), Path("/"))
        free = shutil.disk_usage(there).free
        status: Status = "ok" if free >= MIN_FREE else "problem"
        yield Check(name, status, f"{free / 1e9:,.1f} GB free in {folder}", "" if status == "ok" else "Make room.")


def check_proxy(environment: Mapping[str, str]) -> Iterator[Check]:
    is_behind, hosts = environment.get(PROXY_VARIABLE) == "on", environment.get(settings.HOSTS_VARIABLE)
    if is_behind or hosts:
        proxy = "behind a proxy" if is_behind else "no proxy"
        yield Check("proxy", "ok", f"{proxy}; names of the server: {hosts or 'any'}")
    else:
        advice = f"Set {PROXY_VARIABLE}=on behind a proxy, and {settings.HOSTS_VARIABLE} to the names of the server."
        yield Check("proxy", "note", "no proxy; the server answers to local names and addresses only", advice)


def check_tables() -> Iterator[Check]:
    for name, table in DuelTables(makes=False).state().items():
        advice = "" if table.ready else "ten18 serve makes it when somebody first asks for such a duel."
        yield Check(f"table of {name}", "ok" if table.ready else "note", "ready" if table.ready else "none yet", advice)


def check_open_files() -> Iterator[Check]:
    if sys.platform == "win32":
        return
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit < MIN_FILES:
        advice = "Raise it for many players: ulimit -n 65536, or LimitNOFILE=65536 in the systemd unit."
        yield Check("open files", "note", f"at most {limit:,}", advice)
    else:
        yield Check("open files", "ok", f"at most {limit:,}")
