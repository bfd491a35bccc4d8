"""Run the torture, all classes or those named: ``python -m tools.torture [load] [kills] ... [--short]``.

What a class found is kept in .torture/, and the page docs/torture.md is written from that: one that was changed can be
run again alone, and one that was never run is named as such. The exit code is 1 where one does not pass.
"""

import argparse
import sys
from time import perf_counter

from rich.console import Console

from tests.support.process import default_signals
from tools.torture.classes import ALL
from tools.torture.kept import keep, kept_rows
from tools.torture.page import PAGE, markdown, show
from tools.torture.yard import Row, yard


def main(arguments: list[str]) -> int:
    """Run the classes with these names, or all."""
    parser = argparse.ArgumentParser("python -m tools.torture", description="What the service must stand.")
    parser.add_argument("names", nargs="*", metavar="CLASS", help=f"of {', '.join(ALL)}; all by default")
    parser.add_argument("--short", action="store_true", help="seconds for each, and no page is written")
    parser.add_argument("--seed", type=int, help="for the moments and places that are left to chance")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(ALL):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(ALL)}")
    default_signals()
    console = Console()
    rows: list[Row] = []
    with yard(is_short=given.short, tell=console.print, seed=given.seed) as place:
        for name, run in ALL.items():
            if given.names and name not in given.names:
                continue
            began, found = perf_counter(), list[Row]()
            for row in run(place):
                found.append(row)
                console.print(f"{'passes' if row.passes else 'FAILS'}  {row.kind}: {row.test}: {row.figures}")
                for text in row.wrong:
                    console.print(f"       {text}", markup=False)
            console.print(f"{name}: {perf_counter() - began:.0f} s")
            rows += found
            if not given.short:
                keep(name, found)
        show(rows, console)
        if not given.short:
            PAGE.write_text(markdown(kept_rows(ALL), place), encoding="utf-8")
    return 0 if all(row.passes for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
