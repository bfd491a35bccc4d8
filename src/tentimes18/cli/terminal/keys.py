"""Single keys from a terminal, which is left as it was, however the program ends short of being killed."""

import os
import re
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from types import FrameType, TracebackType
from typing import Any

try:
    import termios
    import tty
except ImportError:  # Windows has neither
    HAS_TERMINALS = False
else:
    HAS_TERMINALS = True


class Key(Enum):
    """A key that is not a character; ``other`` for all keys without a name here."""

    up = auto()
    down = auto()
    left = auto()
    right = auto()
    enter = auto()
    backspace = auto()
    escape = auto()
    other = auto()
    end = auto()
    """What is read when the terminal is gone, or at Ctrl-D."""


ESCAPE_WAIT = 0.05  # seconds until a lone Escape is one, and not the start of an arrow
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])")
_START = re.compile(r"\x1b(?:O|\[[0-9;]*)?")
_ARROWS = {"A": Key.up, "B": Key.down, "C": Key.right, "D": Key.left}
_CONTROLS = {
    "\r": Key.enter,
    "\n": Key.enter,
    "\x7f": Key.backspace,
    "\b": Key.backspace,
    "\x04": Key.end,
}


class Ended(Exception):
    """A signal asks the program to end."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.signal_number = signal_number


def has_keys() -> bool:
    if not HAS_TERMINALS or sys.stdin is None:
        return False
    return sys.stdin.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown")


class Keys:
    """The keys of standard input; within ``with`` they are not shown, and need no Enter.

    ``resumed`` is called after Ctrl-Z and fg, ``resized`` as soon as the window has another size.
    """

    def __init__(self, resumed: Callable[[], None], resized: Callable[[], None]) -> None:
        self._resumed, self._resized = resumed, resized
        self._file = sys.stdin.fileno()
        self._unread = ""
        self._woken = self._wakes = -1
        self._modes: list[Any] = []
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> "Keys":
        self._modes = termios.tcgetattr(self._file)
        self._woken, self._wakes = os.pipe()
        os.set_blocking(self._wakes, False)
        signal.set_wakeup_fd(self._wakes, warn_on_full_buffer=False)
        handlers: dict[signal.Signals, Callable[[int, FrameType | None], Any]] = {
            signal.SIGTERM: _end,
            signal.SIGHUP: _end,
            signal.SIGCONT: lambda *_: self._resume(),
            signal.SIGWINCH: lambda *_: self._resized(),
        }
        self._handlers = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        self._listen()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(-1)
        os.close(self._woken)
        os.close(self._wakes)
        with suppress(termios.error):
            termios.tcsetattr(self._file, termios.TCSANOW, self._modes)

    def _resume(self) -> None:
        self._listen()  # the shell has set its own modes
        self._resumed()

    def _listen(self) -> None:
        with suppress(termios.error):
            tty.setcbreak(self._file, termios.TCSANOW)

    def read(self) -> str | Key:
        if not self._unread and not self._more():
            return Key.end
        if self._unread[0] == "\x1b":
            return self._escape()
        key, self._unread = self._unread[0], self._unread[1:]
        return _CONTROLS.get(key, key)

    def _more(self) -> bool:
        try:
            # A signal may reach another thread, and would then wait for the next key.
            while self._file not in (ready := select.select([self._file, self._woken], [], [])[0]):
                os.read(ready[0], 1024)
            read = os.read(self._file, 1024)
        except OSError:  # the terminal is gone
            return False
        self._unread += read.decode(errors="replace")
        return bool(read)

    def _escape(self) -> Key:
        while not (match := _SEQUENCE.match(self._unread)):
            is_start = _START.fullmatch(self._unread)
            if not is_start or not select.select([self._file], [], [], ESCAPE_WAIT)[0] or not self._more():
                self._unread = self._unread[1:]
                return Key.escape
        self._unread = self._unread[match.end() :]
        return _ARROWS.get(match[0][-1], Key.other)


def _end(signal_number: int, _: FrameType | None) -> None:
    raise Ended(signal_number)
