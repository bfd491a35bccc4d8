"""The results for a terminal, and as a page of the documentation."""

import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from benchmarks.harness import Claim, Section, Table
from tentimes18.solve.parallel import thread_count

__all__ = ["heading", "show", "with_section"]

HEAD: Final = ("claim", "goal", "measured", "met", "bound", "peer")
MARK: Final = "\n## "
PACKAGES: Final = ("numpy", "numba", "quantecon", "stormpy")


def show(section: Section, console: Console) -> None:
    """Print one section."""
    console.rule(section.title)
    for table in (_claims(section.claims), *section.tables):
        grid = RichTable(*table.head, box=box.SIMPLE_HEAD)
        for row in table.rows:
            grid.add_row(*row)
        console.print(grid)


def heading() -> str:
    """The beginning of the page, which tells the machine."""
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    return (
        "# Benchmarks\n\n"
        "Written by `make bench`: ours and the peers of a section in one run, all sections on one machine. A time is\n"
        "the best of several runs, and warm: what numba compiles is compiled before the clock starts. A goal is met\n"
        "when the measured number is not above it.\n\n"
        f"Python {platform.python_version()}, {thread_count()} cores, {packages}.\n"
    )


def with_section(page: str, section: Section) -> str:
    """The page with this section: in the place of the one with its title, or at the end."""
    start, *sections = page.split(MARK)
    by_title = {text.partition("\n")[0]: text for text in sections}
    by_title[section.title] = "\n".join(_lines(section))
    return MARK.join([start, *by_title.values()])


def _lines(section: Section) -> Iterator[str]:
    yield f"{section.title}\n\n{section.text}"
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
