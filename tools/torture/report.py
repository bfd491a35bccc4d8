"""What a test has found, its files, and the page docs/server/stress-tests.md, with what the service costs."""

import json
import os
import platform
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / ".torture"
PLAN = Path(__file__).with_name("plan.md")
PAGE = ROOT / "docs" / "server" / "stress-tests.md"
HEAD = ("class", "test", "found", "passes")
PACKAGES = ("litestar", "granian", "uvloop", "sqlalchemy", "psycopg")
MAX_TOLD = 5
# What nobody has measured: how many players come per day, what they do, and when.
ASSUMED = {
    "players": 1_000_000,
    "games": 3,  # per player and day: the daily one and two others
    "moves": 10,  # per game
    "reads": 1,  # requests that only read, for every move
    "busiest_hour": 0.10,  # of the day's games
    "burst": 2.0,  # the busiest second of that hour, against its mean
    "headroom": 2.0,  # idle machines at the busiest second, relative to busy ones
}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what was done, what was found, and what was wrong with it."""

    kind: str
    test: str
    figures: str
    wrong: tuple[str, ...] = ()
    measured: Mapping[str, float] = field(default_factory=dict)  # for what is computed from it

    @classmethod
    def of(
        cls, kind: str, test: str, figures: str, wrong: Sequence[str], measured: Mapping[str, float] | None = None
    ) -> "Row":
        """A row with the first complaints, and how many more there are."""
        more = len(wrong) - MAX_TOLD
        told = (*wrong[:MAX_TOLD], f"and {more:,} more") if more > 0 else tuple(wrong)
        return cls(kind, test, figures, told, measured or {})

    @property
    def passes(self) -> bool:
        """Whether nothing was wrong."""
        return not self.wrong

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """The result in the table."""
        found = "; ".join([self.figures, *(f"WRONG: {text}" for text in self.wrong)])
        return self.kind, self.test, found, "yes" if self.passes else "NO"


def keep(name: str, rows: Sequence[Row]) -> None:
    """Keep what a class has found, instead of what it found before."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")


def kept_rows(names: Iterable[str]) -> list[Row]:
    """The rows of these classes in their order; of one that was not run yet a row that says so."""
    rows = []
    for name in names:
        path = RESULTS / f"{name}.json"
        if not path.exists():
            rows.append(Row(name, "whole", "not run", ("not run on this machine",)))
            continue
        for found in json.loads(path.read_text(encoding="utf-8")):
            rows.append(Row(**found | {"wrong": tuple(found["wrong"])}))
    return rows


def page(rows: Sequence[Row], postgres: str) -> str:
    """The page with the table."""
    packages = []
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            packages.append(f"{package} {version(package)}")
    table = [HEAD, ["---"] * len(HEAD), *(row.cells for row in rows)]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in table]
    head = f"""\
        # Stress-test results

        `make torture` writes this page: a real server, its players and its database run on one machine. A move counts
        once the server has acknowledged it, which it does when the move is on disk. Rows of one or a few trials are
        from the short form, `python -m tools.torture --short --write`.

        {datetime.now(UTC):%Y-%m-%d}; {_machine()}, load average {os.getloadavg()[2]:.0f} (above 3, other programs took
        processor time: compare rows, not machines); Python {platform.python_version()}, {", ".join(packages)}, SQLite
        {sqlite3.sqlite_version}, PostgreSQL {postgres}.

        """
    return dedent(head) + "\n".join(lines) + "\n" + costs(rows)


def _machine() -> str:
    names = []
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} processors, {names[0] if names else platform.machine()}"


def costs(rows: Iterable[Row]) -> str:
    """What a service costs by the load test, and a plan for a million players; empty if the load was not measured."""
    found: dict[str, float] = {}
    for row in rows:
        found = {**row.measured, **found}
    if not {"postgresql rate", "processor", "memory", "answer", "postgresql bytes"} <= found.keys():
        return ""
    games = round(ASSUMED["players"] * ASSUMED["games"])
    moves = round(games * ASSUMED["moves"])
    peak = moves * ASSUMED["busiest_hour"] / 3600 * ASSUMED["burst"]
    requests = peak * (1 + ASSUMED["reads"] + 1 / ASSUMED["moves"])
    bytes_per_day = moves * found["postgresql bytes"]
    table = (
        ("moves per day", f"{moves:,}"),
        ("moves per second, on average", f"{moves / 86_400:,.0f}"),
        ("moves per second, at most", f"{peak:,.0f}"),
        # The deal of the day is shared.
        ("rows per day (moves, games, deals)", f"{moves + games + (games - ASSUMED['players']):,.0f}"),
        ("bytes per day in PostgreSQL", f"{bytes_per_day / 1e9:.1f} GB"),
        ("bytes per year", f"{365 * bytes_per_day / 1e12:.1f} TB"),
        ("bytes of answers per second, at most", f"{requests * found['answer'] / 1e6:.1f} MB"),
        ("processors for the server", f"{requests * found['processor'] * ASSUMED['headroom']:.1f}"),
        ("processes that write, by the rate of one", f"{peak / found['postgresql rate'] * ASSUMED['headroom']:.1f}"),
    )
    lines = "\n".join(f"| {what} | {how_much} |" for what, how_much in table)
    return "\n" + PLAN.read_text(encoding="utf-8").format(
        **ASSUMED,
        processor=1e6 * found["processor"],
        answer=found["answer"] / 1e3,
        memory=found["memory"] / 1e6,
        row=found["postgresql bytes"],
        table=lines,
    )
