"""The table for a terminal, and as a page of the documentation."""

import os
import platform
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table

from tools.torture.cost import measured_in, plan_text
from tools.torture.yard import Row, Yard

__all__ = ["PAGE", "machine", "markdown", "show"]

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "torture.md"
HEAD: Final = ("class", "test", "found", "passes")
PACKAGES: Final = ("litestar", "granian", "uvloop", "sqlalchemy", "psycopg")
PROCESSORS: Final = Path("/proc/cpuinfo")


def show(rows: Iterable[Row], console: Console) -> None:
    """Print the table."""
    grid = Table(*HEAD, box=box.SIMPLE_HEAD)
    for row in rows:
        grid.add_row(*_cells(row))
    console.print(grid)


def markdown(rows: Sequence[Row], place: Yard) -> str:
    """The page with the table."""
    return "\n".join(_lines(rows, place))


def _lines(rows: Sequence[Row], place: Yard) -> Iterator[str]:
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    yield "# What the service stands\n"
    yield "Written by `make torture`: a real service, its players and its database on one machine. A move counts when"
    yield "it is acknowledged, and it is acknowledged when it is on disk.\n"
    yield f"{datetime.now(UTC):%Y-%m-%d}; {machine()}; Python {platform.python_version()}, {packages}, SQLite "
    yield f"{sqlite3.sqlite_version}, PostgreSQL {place.postgres.version()}.\n"
    yield from _table([HEAD, ["---"] * len(HEAD), *map(_cells, rows)])
    yield ""
    found = measured_in(rows)
    if found is not None:
        yield plan_text(found)


def machine() -> str:
    """The processors of this machine."""
    names = [line.partition(":")[2].strip() for line in _read(PROCESSORS) if line.startswith("model name")]
    return f"{os.cpu_count()} processors, {names[0] if names else platform.machine()}"


def _read(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _cells(row: Row) -> tuple[str, str, str, str]:
    found = "; ".join([row.figures, *(f"WRONG: {text}" for text in row.wrong)])
    return row.kind, row.test, found, "yes" if row.passes else "NO"


def _table(rows: Iterable[Iterable[str]]) -> Iterator[str]:
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
