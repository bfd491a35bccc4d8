"""The results for a terminal, and as a page of the documentation."""

import platform
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from benchmarks.harness import Claim, Section, Table
from tentimes18.solve.parallel import thread_count

HEAD = ("claim", "goal", "measured", "met", "for scale", "peer")
MARK = "\n## "
PACKAGES = ("numpy", "numba", "scipy", "gymnasium", "quantecon", "stormpy")
HEADING = """# Benchmarks

Written by `make bench`. Each section names the date, commit and machine of its run; ours and all peers of a section are
measured in that one run. A time is the best of several, and warm: what numba compiles is compiled before the clock
starts. A goal is met if the measured number is not above it. *For scale* gives the work behind a number, or another
number of the same kind to judge it by; it is not a bound.
"""


def show(section: Section, console: Console) -> None:
    """Print one section."""
    console.rule(section.title)
    for table in (_claims(section.claims), *section.tables):
        grid = RichTable(*table.head, box=box.SIMPLE_HEAD)
        for row in table.rows:
            grid.add_row(*row)
        console.print(grid)


def with_section(page: str, section: Section) -> str:
    """The page with this section: in place of the one with its title, or at the end."""
    _, *sections = page.split(MARK)
    by_title = {text.partition("\n")[0]: text for text in sections}
    by_title[section.title] = "\n".join(_lines(section))
    return MARK.join([HEADING, *by_title.values()])


def machine() -> str:
    """The date and commit of a run, its processor, and the versions of what it uses."""
    commit = subprocess.run(
        ("git", "describe", "--always", "--dirty"), capture_output=True, text=True, check=False
    ).stdout.strip()
    versions = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    when = f"{datetime.now(UTC):%Y-%m-%d}, {f'commit {commit}' if commit else 'no commit'}"
    return f"{when}, {_processor()}, {thread_count()} threads, {', '.join(versions)}."


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _lines(section: Section) -> Iterator[str]:
    yield f"{section.title}\n\n{section.text}\n\n{machine()}"
    for table in (_claims(section.claims), *section.tables):
        yield ""
        yield from _rows([table.head, ["---"] * len(table.head), *table.rows])
    yield ""


def _claims(claims: Sequence[Claim]) -> Table:
    rows = [
        (
            claim.what,
            claim.show(claim.goal),
            claim.show(claim.measured),
            "yes" if claim.met else "NO",
            claim.limit,
            claim.peer,
        )
        for claim in claims
    ]
    return Table(HEAD, rows)


def _rows(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        yield "| " + " | ".join(row) + " |"
