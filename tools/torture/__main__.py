"""Run the torture, all classes or those named: ``python -m tools.torture [load] [kills] ... [--short]``.

What a class found is kept in .torture/, and the page docs/server/stress-tests.md is written from that: one that was
changed can be run again alone, and one that was never run is named as such. The exit code is 1 if one does not pass.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from time import perf_counter

from rich.console import Console

from tests.support.process import default_signals
from tools.torture import consistency, durability, load, repeated, truth
from tools.torture.report import PAGE, Row, keep, kept_rows, page
from tools.torture.setup import Setup, set_up

CLASSES: dict[str, Callable[[Setup], Iterator[Row]]] = {
    "load": load.load,
    "overload": load.overload,
    "kills": durability.kills,
    "power": durability.power,
    "disk": durability.disk,
    "races": consistency.races,
    "time": consistency.time,
    "secrecy": repeated.secrecy,
    "fairness": truth.fairness,
    "forgery": repeated.forgery,
    "junk": repeated.junk,
    "truth": truth.truth,
    "machines": repeated.machines,
}


def main(arguments: list[str]) -> int:
    """Run the classes with these names, or all."""
    parser = argparse.ArgumentParser("python -m tools.torture", description="Stress tests of the server.")
    parser.add_argument("names", nargs="*", metavar="CLASS", help=f"of {', '.join(CLASSES)}; all by default")
    parser.add_argument("--short", action="store_true", help="a quarter of an hour for all, and no page is written")
    parser.add_argument("--write", action="store_true", help="write the page also after a short run")
    parser.add_argument("--seed", type=int, help="for the moments and places that are left to chance")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(CLASSES):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(CLASSES)}")
    default_signals()
    console = Console()
    rows: list[Row] = []
    with set_up(is_short=given.short, seed=given.seed) as setup:
        for name in given.names or CLASSES:
            began, found = perf_counter(), list[Row]()
            for row in CLASSES[name](setup):
                found.append(row)
                console.print(f"{'passes' if row.passes else 'FAILS'}  {row.kind}: {row.test}: {row.figures}")
                for text in row.wrong:
                    console.print(f"       {text}", markup=False)
            console.print(f"{name}: {perf_counter() - began:.0f} s")
            rows += found
            if not given.short or given.write:
                keep(name, found)
        if not given.short or given.write:
            PAGE.write_text(page(kept_rows(CLASSES), setup.postgres.version()), encoding="utf-8")
    return 0 if all(row.passes for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
