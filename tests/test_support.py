"""What the tests themselves stand on: processes that can be interrupted and leave nothing, and the command in here."""

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from tests.support.command import Run, clean_environment, problems, read_json, run_here
from tests.support.days import within_a_day
from tests.support.process import SIGNALS, Process, default_signals, finished, left_behind, started
from tests.support.steps import counted
from tests.support.terminal import Terminal, on_terminal, without_escapes
from tests.support.warm import Warm

SHOWN_SIGNALS = """
import signal
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
    print(signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler), end=" ")
print(sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
"""
WITH_A_CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], stdout=subprocess.DEVNULL)
print(child.pid, flush=True)
"""


@pytest.fixture
def deaf() -> Iterator[None]:
    """This process ignores or holds back what `nohup` and a shell in the background make it ignore."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    yield
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("deaf")
def test_a_process_has_default_signals() -> None:
    default_signals()
    assert finished((sys.executable, "-c", SHOWN_SIGNALS)).stdout == b"True True True True []\n"
    os.kill(os.getpid(), signal.SIGHUP)  # what was ignored before still ends nothing here


@pytest.mark.usefixtures("deaf")
def test_ignored_signals_are_seen_before_a_process_starts() -> None:
    with pytest.raises(AssertionError, match="SIGINT"), started(("true",)):
        pass


def is_alive(number: int) -> bool:
    try:
        return (Path("/proc") / str(number) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def child_of(process: Process) -> int:
    assert process.stdout is not None
    child = int(process.stdout.readline())
    assert is_alive(child)
    return child


def assert_ends(number: int) -> None:
    deadline = time.monotonic() + 10
    while is_alive(number):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here")
@pytest.mark.parametrize("program", [WITH_A_CHILD, WITH_A_CHILD + "time.sleep(60)"], ids=["ended", "running"])
def test_a_process_ends_with_all_that_it_started(program: str) -> None:
    command = (sys.executable, "-c", program)
    with started(command, stdout=subprocess.PIPE) as process:
        child = child_of(process)
    assert_ends(child)
    with pytest.raises(ZeroDivisionError), started(command, stdout=subprocess.PIPE) as process:
        child = child_of(process)
        raise ZeroDivisionError
    assert_ends(child)
    assert process.returncode is not None


def test_a_process_that_takes_too_long_fails_the_test() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"still at work after 0\.3 seconds: sleep 60"):
        finished(("sleep", "60"), timeout=0.3)
    assert not any("sleep 60" in line for line in left_behind(patience=0))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here")
def test_a_process_that_is_left_is_seen() -> None:
    with started(("sleep", "61")):
        assert "sleep 61" in left_behind(patience=0)
    assert "sleep 61" not in left_behind(patience=0)


def test_a_terminal_is_that_of_its_command() -> None:
    """Ctrl-C comes from there, and it ends with the block."""
    with Terminal("play", "--seed", "18") as terminal:
        terminal.expect("1 of 10")
        assert os.tcgetpgrp(terminal.master) == terminal.process.pid
    assert terminal.process.returncode == -signal.SIGKILL


def both(run: Run, *arguments: str, **more: str) -> None:
    assert run_here(*arguments, **more) == run(*arguments, **more)


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        (["--help"], {}),
        (["solve", "--help"], {}),
        (["advise", "--roll", "9"], {}),
        (["advise", "--roll", "9", "--json"], {}),
        (["advise", "--roll", "9", "--free", "1,11"], {}),
        (["solve", "--exact", "--slots", "1-3"], {}),
        (["review", "-"], {"stdin": "8@5 4@1; name=Zoë 🎲"}),
        (["review", "-", "--json"], {"stdin": "8@5; name=Zoë 🎲", "PYTHONIOENCODING": "ascii"}),
        (["review", "nowhere"], {}),
        (["history"], {"TEN18_DATA": "/dev/null/nowhere"}),
        (["nonsense"], {}),
    ],
    ids=lambda value: " ".join(value),
)
def test_here_and_alone_are_the_same(run: Run, arguments: list[str], more: dict[str, str]) -> None:
    both(run, *arguments, **more)


def test_nothing_is_changed(tmp_path: Path) -> None:
    state = [sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.path[:], dict(os.environ)]
    numbers = sys.get_int_max_str_digits(), csv.field_size_limit()
    (tmp_path / "first.py").write_text("from neighbour import last")
    (tmp_path / "neighbour.py").write_text("def last(board, roll): return board.free_slots[-1]")
    arguments = ("--strategy", f"{tmp_path}/first.py:last", "--games", "10", "--json")
    assert read_json(run_here("simulate", *arguments, COLUMNS="70"))["games"] == 10
    (tmp_path / "long.csv").write_text("moves,name\n8@5," + "x" * 200_000)
    assert run_here("review", str(tmp_path / "long.csv")).code == 0
    assert problems(run_here("review", str(tmp_path)), str(tmp_path)) == []
    assert [sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.path, dict(os.environ)] == state
    assert (sys.get_int_max_str_digits(), csv.field_size_limit()) == numbers
    assert "neighbour" not in sys.modules


def test_threads_take_turns() -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda roll: run_here("advise", "--roll", str(roll), "--json"), range(3, 19)))
    assert [read_json(result)["roll"] for result in results] == list(range(3, 19))


def test_a_terminal_shows_colour_and_a_pipe_does_not() -> None:
    shown = on_terminal("advise", "--roll", "9")
    assert "\x1b[" in shown
    assert "\x1b[" not in without_escapes(shown)
    assert "\x1b[" not in run_here("advise", "--roll", "9", FORCE_COLOR="").out


def test_the_environment_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    monkeypatch.setenv("HERE", "1")
    assert clean_environment({"NEW": "2"}).items() >= {"HERE": "1", "NEW": "2"}.items()
    assert clean_environment({}).keys().isdisjoint({"FORCE_COLOR", "PYTHONWARNINGS"})


@pytest.mark.parametrize(
    ("days", "fails", "runs", "is_passed"),
    [("1", 0, 1, True), ("12", 1, 2, True), ("12", 2, 2, False), ("11", 1, 1, False)],
)
def test_a_test_of_one_day_is_run_again_where_another_began(days: str, fails: int, runs: int, is_passed: bool) -> None:
    shown = iter(days)
    ran: list[str] = []

    def test(name: str) -> None:
        ran.append(name)
        assert len(ran) > fails

    run = within_a_day(test, lambda: date(2026, 11, int(next(shown))))
    if is_passed:
        run("daily")
    else:
        with pytest.raises(AssertionError):
            run("daily")
    assert ran == ["daily"] * runs


def test_steps_are_counted_and_not_timed() -> None:
    def work(rounds: int) -> None:
        for _ in range(rounds):
            time.sleep(0)

    def count(rounds: int) -> int:
        with counted() as steps:
            work(rounds)
        return steps.count

    assert count(20) - count(10) == 10 * 2
    assert count(10) == count(10)


SHOWN: Final = """
import os, sys
print(sys.argv[1:], sorted(os.environ), os.getcwd(), input(), "numba" in sys.modules)
print([name for name in sys.modules if name.startswith("tentimes18")], file=sys.stderr)
sys.exit(7)
"""


def test_a_fork_of_a_warm_process_has_what_it_is_given_and_nothing_of_ours(warm: Warm, tmp_path: Path) -> None:
    done = warm.run(SHOWN, "one", "two", env={"ONLY": "this"}, cwd=tmp_path, stdin="said\n")
    assert done.stdout.decode() == f"['one', 'two'] ['ONLY'] {tmp_path} said True\n"
    assert (done.stderr, done.returncode) == (b"[]\n", 7)
    assert warm.run("pass", env={}).returncode == 0


def test_what_goes_wrong_in_a_fork_is_seen(warm: Warm) -> None:
    done = warm.run("print('before')\n1 / 0", env={})
    assert (done.stdout, done.returncode) == (b"before\n", 1)
    assert b"ZeroDivisionError" in done.stderr
    with pytest.raises(AssertionError, match=r"still at work after 0\.2 seconds"):
        warm.run("import time\ntime.sleep(60)", env={}, timeout=0.2)


def test_a_fork_reads_the_variables_of_numba(warm: Warm) -> None:
    program = "import numba\nprint(numba.config.DISABLE_JIT, numba.config.CACHE_DIR)"
    assert warm.run(program, env={"NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": "/there"}).stdout == b"1 /there\n"
    assert warm.run(program, env={}).stdout == b"0 \n"
