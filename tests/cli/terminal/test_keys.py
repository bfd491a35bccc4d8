"""Single keys from a terminal, which is given back as it was."""

import os
import pty
import signal
import sys
import termios
from collections.abc import Iterator
from threading import Timer

import pytest

from tentimes18.cli.terminal.keys import Ended, Key, Keys, has_keys

GIVEN_BACK = (signal.SIGTERM, signal.SIGHUP, signal.SIGCONT, signal.SIGWINCH)


def nothing() -> None:
    """For whoever is not asked."""


@pytest.fixture
def master(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of a terminal that standard input is, here."""
    master, slave = pty.openpty()
    with os.fdopen(slave, "r") as file:
        monkeypatch.setattr(sys, "stdin", file)
        monkeypatch.setenv("TERM", "xterm-256color")
        yield master
    os.close(master)


def keys_of(master: int, written: str, count: int) -> list[str | Key]:
    with Keys(nothing, nothing) as keys:
        os.write(master, written.encode())
        return [keys.read() for _ in range(count)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("5q?", ["5", "q", "?"]),
        ("é", ["é"]),
        ("\x1b[A\x1b[B\x1b[C\x1b[D", [Key.up, Key.down, Key.right, Key.left]),
        ("\x1bOC\x1bOD", [Key.right, Key.left]),
        ("\x1b[H\x1b[F", [Key.other, Key.other]),
        ("\x1b[1;5C\x1b[5~x", [Key.right, Key.other, "x"]),
        ("\x1b", [Key.escape]),
        ("\x1bx", [Key.escape, "x"]),
        ("\r\n", [Key.enter, Key.enter]),
        ("\x7f\b", [Key.backspace, Key.backspace]),
        ("\x04", [Key.end]),
    ],
    ids=ascii,
)
def test_keys(master: int, written: str, expected: list[str | Key]) -> None:
    assert keys_of(master, written, len(expected)) == expected


def test_the_terminal_is_given_back(master: int) -> None:
    before = termios.tcgetattr(sys.stdin.fileno())
    handlers = [signal.getsignal(number) for number in GIVEN_BACK]
    with Keys(nothing, nothing):
        assert termios.tcgetattr(sys.stdin.fileno()) != before
    assert termios.tcgetattr(sys.stdin.fileno()) == before
    assert [signal.getsignal(number) for number in GIVEN_BACK] == handlers
    with pytest.raises(ZeroDivisionError), Keys(nothing, nothing):
        _ = 1 // 0
    assert termios.tcgetattr(sys.stdin.fileno()) == before
    assert os.isatty(master)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_waiting(master: int, number: signal.Signals) -> None:
    with pytest.raises(Ended) as ended, Keys(nothing, nothing) as keys:
        os.write(master, b"x")
        assert keys.read() == "x"
        os.kill(os.getpid(), number)
        keys.read()
    assert ended.value.signal_number == number


def test_after_a_break_the_player_sees_it_again(master: int) -> None:
    resumed = []
    with Keys(lambda: resumed.append(True), nothing) as keys:
        modes = termios.tcgetattr(sys.stdin.fileno())
        os.kill(os.getpid(), signal.SIGCONT)
        os.write(master, b"x")
        assert keys.read() == "x"
        assert termios.tcgetattr(sys.stdin.fileno()) == modes
    assert resumed == [True]


def test_another_size_is_told_at_once(master: int) -> None:
    """While a key is waited for, and without one: a key comes after it."""
    resized = []

    def told() -> None:
        resized.append(True)
        os.write(master, b"x")

    with Keys(nothing, told) as keys:
        Timer(0.05, os.kill, (os.getpid(), signal.SIGWINCH)).start()
        assert keys.read() == "x"
    assert resized == [True]


def test_a_terminal_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    with os.fdopen(slave, "r") as file:
        monkeypatch.setattr(sys, "stdin", file)
        with Keys(nothing, nothing) as keys:
            os.close(master)
            assert keys.read() is Key.end


def test_where_there_are_keys(master: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert os.isatty(master)
    assert has_keys()
    for name in ("dumb", "unknown"):
        monkeypatch.setenv("TERM", name)
        assert not has_keys()
    monkeypatch.setenv("TERM", "xterm")
    with open(os.devnull) as empty:  # noqa: PTH123 (no path)
        monkeypatch.setattr(sys, "stdin", empty)
        assert not has_keys()
    monkeypatch.setattr(sys, "stdin", None)
    assert not has_keys()
