"""Single keys from a terminal, which is given back as it was."""

import os
import pty
import signal
import sys
import termios
from collections.abc import Iterator

import pytest

from tentimes18.cli.terminal.screen import Key, Keys

GIVEN_BACK = (signal.SIGTERM, signal.SIGHUP, signal.SIGCONT, signal.SIGWINCH)


def nothing() -> None:
    """For answers that are not needed."""


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
