"""Processes that a test starts: with the signals of a user's shell, in a session of their own, and gone at its end.

`nohup make test &` ignores SIGHUP and SIGINT, and what is ignored is passed on to every process below. A signal that a
Python function handles is not: `default_signals` gives such a function to those that are ignored here. Whatever started
the tests, a process of theirs can be interrupted, and the tests themselves go on as they were meant to.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

import pytest

Argument: TypeAlias = str | bytes | Path
Process: TypeAlias = subprocess.Popen[bytes]

SIGNALS: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGPIPE)
PATIENCE: Final = 60.0  # seconds
PROCESSES: Final = Path("/proc")
STAYING: Final = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")


def default_signals() -> None:
    """From now on a process started here has the default for each of `SIGNALS`; in the main thread, once."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    for number in SIGNALS:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@contextmanager
def started(command: Sequence[Argument], **options: Any) -> Iterator[Process]:
    """A process, with the options of Popen; at the end of the block it is killed, and all that it started."""
    ignored = [number.name for number in SIGNALS if signal.getsignal(number) == signal.SIG_IGN]
    assert not ignored or ignored == ["SIGPIPE"], f"{ignored} would be ignored"  # Popen itself restores SIGPIPE
    with subprocess.Popen(command, **options, start_new_session=True) as process:
        try:
            yield process
        finally:
            end_with_its_group(process)


def end_with_its_group(process: Process) -> None:
    """Kill a process that leads a group, and the group, whether or not it has ended itself."""
    with suppress(ProcessLookupError, PermissionError):  # the group has ended; it says the second on some systems
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)


def finished(
    command: Sequence[Argument],
    *,
    stdin: str | bytes = b"",
    stdout: IO[bytes] | IO[str] | int = subprocess.PIPE,
    timeout: float = PATIENCE,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    **more: Any,
) -> "subprocess.CompletedProcess[bytes]":
    """A process run to its end, with what it wrote; the test fails where that takes longer than ``timeout`` seconds.

    ``more`` are options of Popen.
    """
    streams = {"stdin": subprocess.PIPE, "stdout": stdout, "stderr": subprocess.PIPE}
    with started(command, env=env, cwd=cwd, **streams, **more) as process:
        try:
            out, err = process.communicate(stdin.encode() if isinstance(stdin, str) else stdin, timeout)
        except subprocess.TimeoutExpired:
            pytest.fail(f"still at work after {timeout:g} seconds: {line_of(process.pid) or command}")
    return subprocess.CompletedProcess(command, process.returncode, out or b"", err)


def left_behind(patience: float = 5) -> list[str]:
    """The command lines of processes that were started here and still run, after some patience."""
    deadline = time.monotonic() + patience
    while (found := children_of(os.getpid())) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def running() -> Iterator[tuple[int, int, int]]:
    """The numbers of each process that has not ended, of its parent and of its group; none where there is no /proc."""
    for file in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):  # it may end meanwhile
            state, parent, group = file.read_text().rpartition(")")[2].split()[:3]
            if state not in "ZX":
                yield int(file.parent.name), int(parent), int(group)


def children_of(parent: int) -> list[str]:
    """The command lines of the processes that this one started and that still run.

    The helpers of `multiprocessing` do not count: they stay as long as the process does.
    """
    lines = [line_of(number) for number, parent_of_it, _ in running() if parent_of_it == parent]
    return [line for line in lines if not any(name in line for name in STAYING)]


def line_of(number: int) -> str:
    with suppress(OSError):
        return (PROCESSES / str(number) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    return ""


def until(is_so: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Wait until something is so; the test fails where that takes too long."""
    deadline = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < deadline, f"not after {patience:g} seconds: {what}"
        time.sleep(0.02)
