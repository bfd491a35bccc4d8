"""Long runs on a terminal: their progress, and what Ctrl-C leaves."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Self

import pytest

from tests.support.command import TEN18, Result, clean_environment
from tests.support.command import Run as RunTen18
from tests.support.terminal import PATIENCE


def default_signals() -> None:
    """Whatever started the tests, the command can be interrupted."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


class Watched:
    """``ten18`` with its standard error on a terminal and its standard output in a pipe; gone when the test ends."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [TEN18, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=slave,
            env=clean_environment({"TERM": "xterm-256color", "COLUMNS": "80"}),
            start_new_session=True,
            preexec_fn=default_signals,
        )
        os.close(slave)
        self.shown = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):  # it has ended, and all that it started
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        os.close(self.master)

    def wait_for(self, text: bytes) -> None:
        """Read until this is shown."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert self._read(deadline), self.shown

    def interrupt(self) -> Result:
        """Ctrl-C; gives what came of it."""
        self.process.send_signal(signal.SIGINT)
        return self.end()

    def end(self) -> Result:
        """Read to the end; gives what came of it."""
        # The terminal is read as well: it holds little, and a program that writes to it would wait.
        with ThreadPoolExecutor(1) as pool:
            output = pool.submit(self.process.communicate, timeout=PATIENCE)
            deadline = time.monotonic() + PATIENCE
            while self._read(deadline):
                pass
            out, _ = output.result()
        return Result(self.process.returncode, out.decode(), self.shown.decode())

    def _read(self, deadline: float) -> bool:
        """Read on; whether there was something before the deadline, and before the end."""
        if not select.select([self.master], [], [], max(0, deadline - time.monotonic()))[0]:
            return False
        try:
            piece = os.read(self.master, 65536)
        except OSError:  # Linux says so at the end, where others give nothing
            return False
        self.shown += piece
        return bool(piece)


def test_progress_on_a_terminal() -> None:
    with Watched("simulate", "--games", "20000000", "--json") as terminal:
        result = terminal.end()
    assert result.code == 0
    assert "games" in result.err
    assert "\x1b[" in result.err
    assert json.loads(result.out)["games"] == 20_000_000


def test_no_progress_elsewhere(run: RunTen18) -> None:
    assert run("simulate", "--games", "3000000", "--json").err == ""


def interrupted(*arguments: str, while_it_shows: bytes = b"games", after: float = 1) -> Result:
    """What a command leaves that is interrupted so many seconds after it first shows this."""
    with Watched(*arguments) as terminal:
        terminal.wait_for(while_it_shows)
        time.sleep(after)
        result = terminal.interrupt()
    assert result.code == 128 + signal.SIGINT
    assert "Traceback" not in result.err
    return result


@pytest.mark.parametrize("as_json", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_interrupted(as_json: bool) -> None:
    """Ctrl-C in the middle: what has been simulated so far, as if it had been asked for, and exit code 130."""
    result = interrupted("simulate", "--games", "100000000000", *(["--json"] if as_json else []))
    if as_json:
        found = json.loads(result.out)
        assert 0 < found["games"] < 100_000_000_000
        assert sum(count for _, count in found["histogram"]) == found["games"]
        assert found["fit"]["p_value"] > 1e-4
    else:
        assert re.search(r"^[\d,]+ games of optimal", result.out, re.MULTILINE)
        assert "million games a second" in result.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["duel", "play", "optimal", "hindsight"],
        ["tournament", "--strategies", "optimal,random,hindsight"],
    ],
    ids=" ".join,
)
def test_interrupted_with_many(arguments: list[str]) -> None:
    result = interrupted(*arguments, "--games", "100000000000", "--json")
    assert 0 < json.loads(result.out)["games"] < 100_000_000_000


def test_interrupted_while_saving(tmp_path: Path) -> None:
    """Games are saved as a whole or not at all."""
    saving = ("simulate", "--games", "9000000", "--save", str(tmp_path / "games.csv"), "--json")
    result = interrupted(*saving, while_it_shows=b"saving", after=0.5)
    assert result.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_interrupted_function_of_a_user(mine: Path) -> None:
    """Also where the games are played one board at a time."""
    result = interrupted("simulate", "--strategy", f"{mine}:highest", "--games", "1000000000", "--json", after=2)
    assert 0 < json.loads(result.out)["games"] < 1_000_000_000
