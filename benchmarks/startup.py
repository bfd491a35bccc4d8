"""Claim: advice is there in less than twice the time that Python needs to import the command line's libraries."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.harness import Claim, Section, seconds

ADVICE = (str(Path(sys.executable).with_name("ten18")), "advise", "--free", "1,4,7", "--roll", "9")
IMPORTS = (sys.executable, "-c", "import typer, rich")
GOAL = 2.0
RUNS = 15


def run() -> Section:
    pairs = [(_time(ADVICE), _time(IMPORTS)) for _ in range(RUNS)]
    advice, imports = (min(times) for times in zip(*pairs, strict=True))
    return Section(
        "Start",
        '`ten18 advise --free 1,4,7 --roll 9` from start to end, against `python -c "import typer, rich"`: advice '
        "imports nothing that it does not need.",
        [
            Claim(
                "advice, whole process, in units of the imports",
                GOAL,
                advice / imports,
                "1: a command line of typer and rich cannot start sooner",
                f"advice {seconds(advice)}, imports {seconds(imports)}",
                lambda ratio: f"{ratio:.2f}",
            )
        ],
    )


def _time(command: Sequence[str]) -> float:
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start
