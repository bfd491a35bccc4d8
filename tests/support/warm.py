"""Programs that need numba, very often: one process has it loaded, nothing of ours, and each program is a fork of it.

To load numba, to compile with it for the first time, and to clear it away at the end takes most of the life of a short
process. A program here has an environment, a folder and standard streams of its own, and imports our package as a new
process does. What Python does at its start and at its end is not done for each of them: PYTHONPATH and PYTHONWARNINGS
are not read again, and nothing is run by `atexit`. `Warm` is the side of the test; ``python -m tests.support.warm`` is
the other one.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NoReturn

from tests.support import SOURCE
from tests.support.process import PATIENCE, started

__all__ = ["Warm", "warm_process"]

LOADED: Final = ("numba", "numpy.random", "rich.console", "typer")


class Warm:
    """Programs, one after another, as forks of a process."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def run(
        self,
        program: str,
        *arguments: str,
        env: Mapping[str, str],
        cwd: Path | None = None,
        stdin: str = "",
        timeout: float = PATIENCE,
    ) -> "subprocess.CompletedProcess[bytes]":
        """This Python, with these arguments; ended by an alarm where it takes longer than ``timeout`` seconds."""
        with tempfile.TemporaryDirectory() as folder:
            streams = [str(Path(folder) / name) for name in ("in", "out", "err")]
            Path(streams[0]).write_bytes(stdin.encode())
            request = {
                "program": program,
                "arguments": arguments,
                "env": dict(env),
                "cwd": str(cwd or Path.cwd()),
                "streams": streams,
                "timeout": timeout,
            }
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            code = int(self._process.stdout.readline())
            assert code != -signal.SIGALRM, f"still at work after {timeout:g} seconds: {arguments or program}"
            out, err = (Path(stream).read_bytes() for stream in streams[1:])
        return subprocess.CompletedProcess(arguments, code, out, err)


@contextmanager
def warm_process() -> Iterator[Warm]:
    """Such a process, for a block."""
    env = {name: text for name, text in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON"))}
    command = (sys.executable, "-m", "tests.support.warm")
    streams: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with started(
        command, env=env | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(SOURCE.parent)}, **streams
    ) as process:
        yield Warm(process)


def _serve() -> None:
    import numba

    for name in LOADED:
        __import__(name)
    numba.njit(lambda number: number + 1)(1)  # loads the rest
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if not (child := os.fork()):
            _run(request)
        _, status = os.waitpid(child, 0)
        answers.write(f"{os.waitstatus_to_exitcode(status)}\n")
        answers.flush()


def _run(request: dict[str, Any]) -> NoReturn:
    """Be the program, and end."""
    from numba.core.config import reload_config

    signal.setitimer(signal.ITIMER_REAL, request["timeout"])
    os.setsid()
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    reload_config()  # type: ignore[no-untyped-call]
    modes = {"stdin": os.O_RDONLY, "stdout": os.O_WRONLY | os.O_CREAT, "stderr": os.O_WRONLY | os.O_CREAT}
    for place, ((name, mode), path) in enumerate(zip(modes.items(), request["streams"], strict=True)):
        os.dup2(os.open(path, mode), place)
        errors = "backslashreplace" if name == "stderr" else "strict"
        way = "r" if place == 0 else "w"
        setattr(sys, name, os.fdopen(place, way, encoding="utf-8", errors=errors, closefd=False))
    sys.argv = ["ten18", *request["arguments"]]
    sys.modules["__main__"] = main = ModuleType("__main__")
    code: object = 1
    try:
        exec(compile(request["program"], "<program>", "exec"), main.__dict__)
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    _serve()
