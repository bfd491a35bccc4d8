"""A terminal: a command runs in it, keys are sent to it, its window gets another size, and what it shows is read."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self

from tests.support.command import TEN18, Result, clean_environment
from tests.support.process import started

RIGHT, LEFT, ENTER, CTRL_C, CTRL_D = "\x1b[C", "\x1b[D", "\r", "\x03", "\x04"

COLOUR: Final = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
PATIENCE: Final = 90.0  # seconds: code may have to be compiled first
_PIECE: Final = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|(.)", re.DOTALL)
_CUT: Final = re.compile(r"\x1b(\[[0-9;?]*)?$")


class Row(list[str]):
    """A row of the screen; ``goes_on`` where it is the rest of the one above, which was too long for the window."""

    goes_on = False


class Terminal:
    """``ten18`` with these arguments in a terminal of its own; `written` is all that it wrote, `lines` what is seen."""

    STREAMS = '<>"$0" >&0 2>&0'

    def __init__(self, *arguments: str | Path, height: int = 30, width: int = 80, **environment: str) -> None:
        self._stack = ExitStack()
        self._stack.callback(self.hang_up)
        self.master, slave = pty.openpty()
        self.slave: int | None = slave
        self._set_size(height, width)
        self.modes = termios.tcgetattr(slave)
        # The first terminal that the leader of a session opens is the one that Ctrl-C and a hang-up come from.
        opened = ("sh", "-c", f'exec "$@" {self.STREAMS}', os.ttyname(slave), TEN18, *arguments)
        env = clean_environment({"TERM": "xterm-256color"} | environment)
        self.process = self._stack.enter_context(started(opened, env=env, stdin=subprocess.DEVNULL))
        self.written = ""
        self._raw = b""
        self._place = 0
        self.rows = [Row()]
        self.row = self.column = self.top = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def lines(self) -> list[str]:
        """What the screen shows, and what went above it."""
        return ["".join(row).rstrip() for row in self.rows]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def window(self) -> list[str]:
        return self.lines[self.top :]

    def resize(self, height: int, width: int) -> None:
        """Give the window another size, as people do with the mouse; what no longer fits goes on in the next row."""
        lines: list[Row] = []
        line = offset = 0
        for number, row in enumerate(self.rows):
            if not row.goes_on:
                lines.append(Row())
            if number == self.row:
                line, offset = len(lines) - 1, len(lines[-1]) + self.column
            lines[-1] += row
        self.rows.clear()
        for number, whole in enumerate(lines):
            starts = range(0, max(1, len(whole), offset if number == line else 0), width)
            for start in starts:
                row = Row(whole[start : start + width])
                row.goes_on = start > 0
                if number == line and start <= offset:
                    self.row, self.column = len(self.rows), offset - start
                self.rows.append(row)
        self.top = max(0, self.row - height + 1)
        self._set_size(height, width)

    def _set_size(self, height: int, width: int) -> None:
        self.height = height
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def send(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def expect(self, *texts: str) -> str:
        """Wait until the screen shows all of these; gives what it shows."""
        deadline = time.monotonic() + PATIENCE
        while not all(text in self.text for text in texts):
            assert self._read(deadline), f"{texts} not seen on:\n{self.text}"
        return self.text

    def read(self) -> bool:
        """Read on; whether there was something."""
        return self._read(time.monotonic() + PATIENCE)

    def wait(self) -> int:
        """Read to the end; gives the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline, until_end=True):
            pass
        return self.process.wait(PATIENCE)

    def end_by(self, number: signal.Signals) -> int:
        """Send a signal; gives the exit code."""
        self.process.send_signal(number)
        return self.wait()

    def hang_up(self) -> None:
        for file in (self.master, self.slave):
            if file is not None:
                with suppress(OSError):
                    os.close(file)
        self.slave = None

    def has_its_modes(self) -> bool:
        assert self.slave is not None
        return termios.tcgetattr(self.slave) == self.modes

    def wait_for_single_keys(self) -> None:
        """Wait until the command has changed the modes."""
        deadline = time.monotonic() + PATIENCE
        while self.has_its_modes():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def restore_modes(self) -> None:
        assert self.slave is not None
        termios.tcsetattr(self.slave, termios.TCSANOW, self.modes)

    def _read(self, deadline: float, *, until_end: bool = False) -> bool:
        """Read on; whether there was something before the deadline, and before the end."""
        while time.monotonic() < deadline:
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    self._raw += os.read(self.master, 65536)
                except OSError:
                    return False
                self._show()
                return True
            if self.process.poll() is not None and not select.select([self.master], [], [], 0)[0]:
                return False
        assert not until_end, f"still running:\n{self.text}"
        return False

    def _show(self) -> None:
        """Follow what was written, up to an escape sequence that is not whole yet."""
        self.written = self._raw.decode(errors="ignore")
        whole = self.written[: cut.start()] if (cut := _CUT.search(self.written)) else self.written
        for piece in _PIECE.finditer(whole, self._place):
            if piece[3] is None:
                self._obey(piece[2], int(piece[1]) if piece[1].isdecimal() else 0)
            else:
                self._put(piece[3])
        self._place = len(whole)

    def _obey(self, command: str, count: int) -> None:
        if command == "A":
            self.row = max(self.top, self.row - max(1, count))
        elif command == "H" and count == 0:
            self.row, self.column = self.top, 0
        elif command == "J" and count == 0:
            del self.rows[self.row + 1 :]
            del self.rows[self.row][self.column :]
        elif command == "K" and count == 2:
            self.rows[self.row].clear()
        else:
            assert command in ("m", "h", "l"), f"escape sequence {command} {count}"

    def _put(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
            if self.row == len(self.rows):
                self.rows.append(Row())
            self.top = max(self.top, self.row - self.height + 1)
        else:
            row = self.rows[self.row]
            row += [" "] * (self.column + 1 - len(row))
            row[self.column] = character
            self.column += 1


def on_terminal(*arguments: str | Path, **environment: str) -> str:
    """What a command that succeeds shows on a terminal of 80 columns, with its escape sequences."""
    with Terminal(*arguments, height=24, width=80, **environment) as terminal:
        assert terminal.wait() == 0, terminal.text
        return terminal.written.replace("\r\n", "\n")


def without_escapes(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


class Watched(Terminal):
    """``ten18`` with its standard error on a terminal, and its standard output in a file."""

    STREAMS = '</dev/null >"$OUTPUT" 2<>"$0"'

    def __init__(self, *arguments: str | Path) -> None:
        self.folder = TemporaryDirectory()
        self.output = Path(self.folder.name) / "output"
        super().__init__(*arguments, OUTPUT=str(self.output))
        self._stack.callback(self.folder.cleanup)

    def interrupt(self) -> Result:
        self.process.send_signal(signal.SIGINT)
        return self.end()

    def end(self) -> Result:
        """Read to the end; gives what came of it."""
        return Result(self.wait(), self.output.read_text(), self.written)
