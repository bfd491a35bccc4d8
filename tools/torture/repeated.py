"""Classes that are tests of `make test`, run many times, with more examples, against real services.

Secrecy: nothing that is sent or logged depends on what is not open. Forgery: games of others, edited cookies, requests
of other sites, scores that a client sends. Bad input: requests made from the service's own description by schemathesis,
raw junk, ten megabytes, slow clients. Two machines: duels across two services on one PostgreSQL, one of them killed.
"""

import os
import re
import sys
from collections.abc import Iterator
from time import perf_counter

from tests.support.process import finished
from tools.torture.report import ROOT, Row
from tools.torture.setup import Setup

EXAMPLES = 1_000  # for an operation
HOURS = 6


def secrecy(setup: Setup) -> Iterator[Row]:
    """Every byte that is sent or logged, searched for what nobody may know yet."""
    yield _repeated(setup, "secrecy", "test_secrecy.py", 5)


def forgery(setup: Setup) -> Iterator[Row]:
    """All of it is rejected, and changes nothing."""
    yield _repeated(setup, "forgery", "test_forgery.py", 20)


def junk(setup: Setup) -> Iterator[Row]:
    """Nobody is answered with 5xx, and the others are served as before."""
    yield _repeated(setup, "bad input", "test_bad_input.py", 1)


def machines(setup: Setup) -> Iterator[Row]:
    """Nothing of a game is in a process: a player who finds the other service continues the game there."""
    yield _repeated(setup, "two machines", "test_several_processes.py", 10)


def _repeated(setup: Setup, kind: str, file: str, times: int) -> Row:
    times, examples, passed, wrong = setup.pick(times, 1), setup.pick(EXAMPLES, 1), 0, list[str]()
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "tests" / "web" / file)
    environment = {**os.environ, "FUZZ_EXAMPLES": str(examples)}
    began = perf_counter()
    for _ in range(times):
        done = finished(command, timeout=HOURS * 3600, env=environment)
        text = done.stdout.decode(errors="replace")
        passed += sum(map(int, re.findall(r"(\d+) passed", text)))
        if done.returncode:
            wrong += re.findall(r"^FAILED (.+)$", text, re.MULTILINE) or [f"exit code {done.returncode}"]
    test = f"tests/web/{file}, {times} times" + f", {examples:,} examples an operation" * (kind == "bad input")
    return Row.of(kind, test, f"{passed:,} tests passed in {perf_counter() - began:.0f} s", wrong)
