"""Run the benchmarks, all or those named: ``python -m benchmarks [thresholds] [subsets] ...``.

The page docs/benchmarks.md is written when all of them ran. The exit code is 1 when a goal is missed.
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
    plans,
    review,
    scores,
    simulation,
    startup,
    subsets,
    table,
    targets,
    thresholds,
)
from benchmarks.report import markdown, show

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
    "plans": plans.run,
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
    sections = []
    for name, run in ALL.items():
        if not names or name in names:
            sections.append(run())
            show(sections[-1], console)
    if not names:
        PAGE.write_text(markdown(sections))
    missed = [claim.what for section in sections for claim in section.claims if not claim.met]
    for what in missed:
        console.print(f"[red]goal missed:[/] {what}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
