"""The command, very often: one process has everything loaded, and each run of ``ten18`` is a fork of it.

A run has a folder, limits of time and memory, and an end of its own, and costs milliseconds: for tests that try
thousands of arguments. `forking` is the side of the test; ``python -m tests.support.forks`` is the other one.
"""

import json
import os
import resource
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.support.process import line_of, running, started

LONGEST_OUTPUT: Final = 2_000_000
PATIENCE: Final = 2.0  # seconds, with what a run started


@dataclass(frozen=True, slots=True)
class Forked:
    """What a run left behind: its exit code (minus the signal that ended it), and what it wrote.

    Seconds are those of a processor, of which a run has one: however busy the machine is. Bytes are those beyond the
    start's. Processes that still ran a moment after it are named.
    """

    code: int
    out: str
    err: str
    seconds: float
    memory: int
    processes: list[str]


@contextmanager
def forking(folder: Path, seconds: float, environment: Mapping[str, str]) -> Iterator[Callable[..., Forked]]:
    """A function that runs ``ten18`` with these arguments, this input, and these variables besides.

    A run that does not end is ended after these seconds of a clock.
    """
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "80", **environment}
    streams: dict[str, Any] = {"stdin": -1, "stdout": -1, "env": env, "cwd": Path.cwd()}
    with started((sys.executable, "-m", "tests.support.forks"), **streams) as process:

        def run(arguments: Sequence[str], stdin: str = "", **environment: str) -> Forked:
            run = {"arguments": list(arguments), "stdin": stdin, "environment": environment}
            request = {"folder": str(folder), "seconds": seconds, **run}
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            return Forked(**json.loads(process.stdout.readline()))

        yield run


def _serve() -> None:
    if hasattr(os, "sched_setaffinity"):
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {processors[os.getpid() % len(processors)]})
    _load_everything()
    assert threading.active_count() == 1  # a fork has only the thread that made it
    for line in sys.stdin:
        json.dump(_forked(json.loads(line)), sys.stdout)
        sys.stdout.write("\n")
        sys.stdout.flush()


def _load_everything() -> None:
    """What a run needs is imported before it, so that it is there in each fork; nothing is started."""
    import pkgutil
    from importlib import import_module

    import matplotlib as _  # noqa: F401

    import tentimes18

    for module in pkgutil.walk_packages(tentimes18.__path__, "tentimes18."):
        if not module.name.endswith("__main__") and ".migrations" not in module.name:  # Alembic runs these
            import_module(module.name)


def _forked(request: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        source.write(request["stdin"].encode(errors="surrogateescape"))
        source.seek(0)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if not (child := os.fork()):
            for place, file in enumerate((source, out, err)):
                os.dup2(file.fileno(), place)
            _run(request)
        _, status, usage = os.wait4(child, 0)
        processes = _left_of(child)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # whatever it may have started
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read(LONGEST_OUTPUT).decode(errors="replace"))
        return {
            "code": os.waitstatus_to_exitcode(status),
            "out": texts[0],
            "err": texts[1],
            "seconds": usage.ru_utime + usage.ru_stime,
            "memory": max(0, usage.ru_maxrss - before) * 1024,
            "processes": processes,
        }


def _left_of(group: int) -> list[str]:
    """The command lines of the processes of a group that still run after some patience."""
    deadline = time.monotonic() + PATIENCE
    while (found := [number for number, _, its in running() if its == group]) and time.monotonic() < deadline:
        time.sleep(0.01)
    return list(map(line_of, found))


def _run(request: dict[str, Any]) -> None:
    from tentimes18.cli import main

    os.setsid()
    signal.setitimer(signal.ITIMER_REAL, request["seconds"])
    os.chdir(request["folder"])
    os.environ.update(request["environment"])
    for place, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        errors = "backslashreplace" if name == "stderr" else "strict"
        setattr(sys, name, os.fdopen(place, mode, encoding="utf-8", errors=errors))
    sys.argv = ["ten18", *request["arguments"]]
    code: object = 1
    try:
        main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    _serve()
