"""Run the benchmarks, all or those named: ``python -m benchmarks [thresholds] [subsets] ...``.

Each writes its section of docs/research/benchmarks.md; a run of all of them starts a new page. The exit code is 1 if a
goal is missed.
"""

import sys
from importlib import import_module
from pathlib import Path

from rich.console import Console

from benchmarks.report import HEADING, show, with_section

PAGE = Path(__file__).parents[1] / "docs" / "research" / "benchmarks.md"
NAMES = (
    "thresholds",
    "subsets",
    "peers",
    "scores",
    "targets",
    "simulation",
    "review",
    "duel",
    "table",
    "multisecretary",
    "startup",
    "pages",
    "assignment",
    "envs",
    "accuracy",
)


def main(names: list[str]) -> int:
    """Run the benchmarks with these names, or all."""
    if unknown := set(names) - set(NAMES):
        print(f"unknown: {', '.join(sorted(unknown))}; accepted: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    console = Console()
    page = PAGE.read_text() if names else HEADING
    missed = []
    for name in names or NAMES:
        section = import_module(f"benchmarks.{name}").run()
        show(section, console)
        page = with_section(page, section)
        PAGE.write_text(page)
        missed += [claim.what for claim in section.claims if not claim.met]
    for what in missed:
        console.print(f"[red]goal missed:[/] {what}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
