"""`ten18 serve`: the game on the web."""

import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from tentimes18.cli.output import write
from tentimes18.errors import Ten18Error
from tentimes18.storage.folders import DATA_VARIABLE

__all__ = ["register"]

NEEDED: Final = ("alembic", "fastapi", "granian", "psycopg", "sqlalchemy")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(serve)


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
) -> None:
    """The game on the web: play alone, the daily game, and duels; Ctrl-C stops it.

    Games are kept in SQLite in the data folder, or in the PostgreSQL that TEN18_DATABASE_URL names. Requests are
    logged to standard error, one JSON object a line.
    """
    require_web()
    from tentimes18.web.server import serve as run
    from tentimes18.web.settings import Service

    if data is not None:
        os.environ[DATA_VARIABLE] = str(data.absolute())
    service = Service.from_environment()
    service = replace(
        service,
        has_rate_limits=service.has_rate_limits and not no_rate_limit,
        is_behind_proxy=service.is_behind_proxy or behind_proxy,
        has_access_log=service.has_access_log and not no_access_log,
    )
    run(service, host, port, workers, lambda address: write(f"Ten times eighteen: {address} (Ctrl-C stops it)\n"))


def require_web() -> None:
    """Raise ``Ten18Error`` where a package that the service needs is not installed."""
    if missing := [name for name in NEEDED if not _is_installed(name)]:
        raise Ten18Error(f"the service needs {', '.join(missing)}: pip install 'tentimes18[web]'")


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # it was taken away on purpose
        return False
