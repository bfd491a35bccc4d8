"""The results for a terminal, and as a page of the documentation."""

import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from benchmarks.harness import Claim, Section, Table
from tentimes18.solve.layers import thread_count

__all__ = ["markdown", "show"]

HEAD: Final = ("claim", "goal", "measured", "met", "bound", "peer")
PACKAGES: Final = ("numpy", "numba", "quantecon", "stormpy")


def show(section: Section, console: Console) -> None:
    """Print one section."""
    console.rule(section.title)
    for table in (_claims(section.claims), *section.tables):
        grid = RichTable(*table.head, box=box.SIMPLE_HEAD)
        for row in table.rows:
            grid.add_row(*row)
        console.print(grid)


def markdown(sections: Iterable[Section]) -> str:
    """The page with all sections."""
    return "\n".join(_lines(sections))


def _lines(sections: Iterable[Section]) -> Iterator[str]:
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    yield "# Benchmarks\n"
    yield "Written by `make bench`: ours and the peers in one run, on one machine. A time is the best of several runs,"
    yield "and warm: what numba compiles is compiled before the clock starts. A goal is met when the measured number is"
    yield "not above it.\n"
    yield f"Python {platform.python_version()}, {thread_count()} cores, {packages}."
    for section in sections:
        yield f"\n## {section.title}\n\n{section.text}"
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
