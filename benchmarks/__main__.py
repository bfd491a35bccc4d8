"""Run the benchmarks, all or those named: ``python -m benchmarks [thresholds] [subsets] ...``.

Each writes its section of docs/benchmarks.md; a run of all of them begins the page anew, and so does one on another
machine. The exit code is 1 when a goal is missed.
"""

import sys
from pathlib import Path
from typing import Final

from rich.console import Console

from benchmarks import (
    accuracy,
    assignment,
    duel,
    envs,
    multisecretary,
    pages,
    peers,
    review,
    scores,
    simulation,
    startup,
    subsets,
    table,
    targets,
    thresholds,
)
from benchmarks.report import heading, show, with_section

PAGE: Final = Path(__file__).parents[1] / "docs" / "benchmarks.md"
ALL: Final = {
    "thresholds": thresholds.run,
    "subsets": subsets.run,
    "peers": peers.run,
    "scores": scores.run,
    "targets": targets.run,
    "simulation": simulation.run,
    "review": review.run,
    "duel": duel.run,
    "table": table.run,
    "multisecretary": multisecretary.run,
    "startup": startup.run,
    "pages": pages.run,
    "assignment": assignment.run,
    "envs": envs.run,
    "accuracy": accuracy.run,
}


def main(names: list[str]) -> int:
    """Run the benchmarks with these names, or all."""
    if unknown := set(names) - set(ALL):
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(ALL)}", file=sys.stderr)
        return 2
    console = Console()
    page = PAGE.read_text() if names else ""
    if not page.startswith(heading()):
        page = heading()
    missed = []
    for name, run in ALL.items():
        if not names or name in names:
            section = run()
            show(section, console)
            page = with_section(page, section)
            PAGE.write_text(page)
            missed += [claim.what for claim in section.claims if not claim.met]
    for what in missed:
        console.print(f"[red]goal missed:[/] {what}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
