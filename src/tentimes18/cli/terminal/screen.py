"""What a player is shown and asked: by lines, or by single keys, one screen drawn over the other.

What single keys are asked for stays on the screen as a scene, which knows how to be drawn in any window: it is drawn
again at once when the window changes its size. The terminal is left as it was, however the program ends short of being
killed.
"""

import os
import re
import select
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from enum import Enum
from types import FrameType
from typing import Any, Self, TypeAlias, TypeVar

from rich.console import Console, ConsoleDimensions
from rich.text import Text

from tentimes18.cli.output import console, drop_output
from tentimes18.cli.terminal.board_screen import Note, View, note_lines, screen_lines, transcript_lines
from tentimes18.errors import Ten18Error

try:
    import termios
    import tty
except ImportError:  # Windows has neither
    HAS_TERMINALS = False
else:
    HAS_TERMINALS = True

WIDTH = 80
ONE_KEY_SLOTS = 10  # 0 is the tenth
MAX_DIGITS = 9
MAX_TYPED = 20

Answer = TypeVar("Answer")


# A key that is not a character: `other` has no name here, `end` is Ctrl-D, or a terminal that is gone.
Key = Enum("Key", "up down left right enter backspace escape other end")

ESCAPE_WAIT = 0.05  # seconds until a lone Escape is one, and not the start of an arrow
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])")
_START = re.compile(r"\x1b(?:O|\[[0-9;]*)?")
_ARROWS = {"A": Key.up, "B": Key.down, "C": Key.right, "D": Key.left}
_CONTROLS = {"\r": Key.enter, "\n": Key.enter, "\x7f": Key.backspace, "\b": Key.backspace, "\x04": Key.end}


class Ended(Exception):
    """A signal asks the program to end."""

    def __init__(self, signal_number: int) -> None:
        self.signal_number = signal_number


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

    def __exit__(self, *_: object) -> None:
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


class Request(Enum):
    """Other requests of a player; the value is the key for it."""

    hint = "h"
    help = "?"
    other_roll = "r"
    take_back = "u"


Action: TypeAlias = int | Request
"""What a player does: place the roll in this slot, which may not exist or not be free, or another request."""
REQUESTS = {request.value: request for request in Request}
TYPED_REQUESTS = (Request.help.value, Request.take_back.value)
"""What may be asked for while a text is typed, as long as nothing is."""


class Left(Exception):
    """The player leaves, with q or at the end of the input."""


class Ending(AbstractContextManager["Ending", bool]):
    """How a dialogue ends: at its end, because the player leaves, or by a signal; ``code`` is the exit code of each.

    >>> with Ending() as ending:
    ...     raise KeyboardInterrupt
    >>> ending.code
    130
    """

    code = 0

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        if isinstance(error, KeyboardInterrupt):
            self.code = 128 + signal.SIGINT
        elif isinstance(error, Ended):
            self.code = 128 + error.signal_number
        return isinstance(error, Left) or self.code != 0


class Dialogue(AbstractContextManager["Dialogue", None]):
    """Lines in, lines out; a line may hold several answers with blanks between them."""

    def __init__(self, screen: Console) -> None:
        self.screen = screen
        self._words: list[str] = []
        self._shown: View | None = None

    def __exit__(self, *error: object) -> None:
        if isinstance(error[1], KeyboardInterrupt):  # in the middle of a line
            self.screen.print()

    @property
    def width(self) -> int:
        return min(WIDTH, self.screen.width)

    def tell(self, text: str, style: str = "") -> None:
        """Say something about the game until the next move."""
        self.read_out([Note(text, style)])

    def tell_error(self, error: Ten18Error) -> None:
        self.tell(f"{error.problem[:1].upper()}{error.problem[1:]}.", "yellow")

    def choose(self, view: View) -> Action:
        self.close(view)
        while True:
            word = self._answer("slot:")
            if request := _request(word, view):
                return request
            if word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS:
                return _slot(word, view.record.board.game.size)
            self.tell(f"{word[:20]!r} is not a slot; type the number of a free one, h, u, ? or q.")

    def type_in(self, view: View, question: str) -> str | Request:
        self.close(view)
        word = self._answer(question)
        return REQUESTS[word] if word in TYPED_REQUESTS else word

    def ask(
        self, notes: Sequence[Note], question: str, answers: Mapping[str, Answer], view: View | None = None
    ) -> Answer:
        """The meaning of one of these answers, each one character; Enter gives the first if that is a letter."""
        if view:
            self.close(view)
        self.read_out(notes)
        while True:
            word = self._answer(question).lower()
            if (letter := {"yes": "y", "no": "n"}.get(word, word)) in answers:
                return answers[letter]
            self.tell(f"{word[:20]!r} is not an answer; accepted: {', '.join(answers)}, or q.")

    def read_out(self, notes: Sequence[Note]) -> None:
        """Show these notes until the player has read them."""
        for line in note_lines(notes, self.width):
            self.screen.print(line)

    def show(self, view: View, notes: Sequence[Note]) -> None:
        self.close(view)
        self.read_out(notes)

    def close(self, view: View) -> None:
        """Show the board, unless it has not changed; with keys, for the last time."""
        if view != self._shown:
            for line in transcript_lines(view, self.width):
                self.screen.print(line, no_wrap=True, overflow="crop", crop=True)
        self._shown = view

    @contextmanager
    def busy(self, what: str) -> Iterator[None]:
        if not self.screen.is_terminal or self.screen.is_dumb_terminal:
            yield
            return
        with self.screen.status(what, spinner="line", spinner_style=""):
            yield

    def _answer(self, question: str) -> str:
        self.screen.print(f" {question} ", end="")
        self.screen.file.flush()
        while not self._words:
            line = sys.stdin.buffer.readline() if sys.stdin else b""
            if not line:
                self.screen.print()
                raise Left
            self._words = line.decode(errors="replace").split()
        word = self._words.pop(0)
        if not sys.stdin.isatty():
            self.screen.print(word)
        if word.lower() in ("q", "quit"):
            raise Left
        return word


Scene: TypeAlias = Callable[[], Sequence[Text]]
"""Makes the lines of the current screen; the last one has the prompt and the text typed so far."""


class KeyDialogue(Dialogue):
    """Single keys; each screen replaces the one before."""

    def __init__(self, screen: Console) -> None:
        super().__init__(screen)
        self._keys = Keys(self._draw_again, lambda: self._draw_again(is_below=False))
        self._notes: list[Note] = []
        self._scene: Scene | None = None
        self._drawn: list[int] = []  # how long each line on the screen is
        self._is_drawing = False
        self._is_beyond = False  # whether a part has left the window at its top: it may come back when that grows
        self._size = screen.size  # of the window, when it was drawn

    @property
    def width(self) -> int:
        return self.screen.width

    def __enter__(self) -> Self:
        self._keys.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._keys.__exit__(*error)
        if self._scene is not None:
            with suppress(OSError):  # the terminal may be gone
                self._settle()

    def tell(self, text: str, style: str = "") -> None:
        self._notes.append(Note(text, style))

    def choose(self, view: View) -> Action:
        n, free = view.record.board.game.size, view.record.board.free_slots
        typed, cursor = "", None
        while True:
            self._draw_view(replace(view, cursor=cursor), lambda: invitation(view, self.width), typed)
            key = self._read()
            self._notes.clear()
            match key:
                case Key.left | Key.up:
                    cursor, typed = _step(free, cursor, -1), ""
                case Key.right | Key.down:
                    cursor, typed = _step(free, cursor, 1), ""
                case Key.enter if typed:
                    return int(typed)
                case Key.enter if cursor is not None:
                    return cursor
                case Key.enter:
                    self.tell("First choose a slot: by its number, or with the arrows.")
                case Key.escape:
                    cursor, typed = None, ""
                case Key.backspace if typed:
                    typed = typed[:-1]
                case Key.backspace:
                    return Request.take_back
                case str() if key.isdecimal() and key.isascii():
                    if n <= ONE_KEY_SLOTS:
                        return _slot(key, n)
                    cursor, typed = None, (typed + key)[-MAX_DIGITS:]
                case str() if request := _request(key, view):
                    return request

    def type_in(self, view: View, question: str) -> str | Request:
        typed = ""
        answer: str | Request | None = None
        while answer is None:
            self._draw_view(view, lambda: f" {question} ", typed)
            match key := self._read(typed):
                case Key.enter if typed:
                    answer = typed
                case Key.backspace if typed:
                    typed = typed[:-1]
                case Key.backspace:
                    answer = Request.take_back
                case str() if not typed and key in TYPED_REQUESTS:
                    answer = REQUESTS[key]
                case str() if key.isprintable() and len(typed) < MAX_TYPED:
                    typed += key
        self._notes.clear()
        return answer

    def ask(
        self, notes: Sequence[Note], question: str, answers: Mapping[str, Answer], view: View | None = None
    ) -> Answer:
        first = next(iter(answers))
        if view:
            self._draw_view(view, lambda: f" {question} ", below=notes)
        else:
            self._draw_notes(notes, f" {question} ")
        while True:
            key = self._read()
            if key is Key.enter and first.isalpha():
                key = first
            if isinstance(key, str) and key in answers:
                if view is None:
                    self._settle()
                return answers[key]

    def read_out(self, notes: Sequence[Note]) -> None:
        rest = list(notes)
        while rest:
            page = [rest.pop(0)]
            while rest and len(note_lines([*page, rest[0]], min(WIDTH, self.width))) < self.screen.height:
                page.append(rest.pop(0))
            self._draw_notes(page, " Press any key to continue. ")
            self._keys.read()

    def show(self, view: View, notes: Sequence[Note]) -> None:
        self._notes = list(notes)
        self._draw_view(view, lambda: " Press any key to continue, or q to quit. ")
        self._notes.clear()
        self._read()

    def close(self, view: View) -> None:
        self._draw_view(view, lambda: "")
        self._notes.clear()
        self._settle()

    def _read(self, typed: str = "") -> str | Key:
        key = self._keys.read()
        if isinstance(key, str):
            key = key.lower()
        if key is Key.end or (key == "q" and not typed):
            raise Left
        return key

    def _draw_view(self, view: View, prompt: Callable[[], str], typed: str = "", below: Sequence[Note] = ()) -> None:
        notes = (*self._notes, *below)  # as they are now: the scene may be drawn later, too

        def scene() -> Sequence[Text]:
            last = Text(prompt(), style="dim" if not typed else "").append(typed, "bold not dim")
            return [*screen_lines(view, notes, self.width, self.screen.height - 1), last]

        self._draw(scene)

    def _draw_notes(self, notes: Sequence[Note], prompt: str) -> None:
        self._draw(lambda: [*note_lines(notes, min(WIDTH, self.width)), Text(prompt, style="dim")])

    def _draw(self, scene: Scene) -> None:
        """Draw in the place of what was drawn before; again, where the window changes its size meanwhile."""
        self._scene = scene
        is_drawn = False
        while not is_drawn:
            self._is_drawing = True
            self._put(scene)
            self._is_drawing = False
            is_drawn = self._size == self.screen.size

    def _put(self, scene: Scene) -> None:
        size, before = self.screen.size, self._size
        self._size = size
        *lines, last = scene()
        with self.screen.capture() as captured:
            for line in lines:
                self.screen.print(line, no_wrap=True, overflow="crop", crop=True)
            self.screen.print(last, end="", no_wrap=True, overflow="crop", crop=True)
        clear = self._clear(size, is_resized=size != before)
        self._drawn = [min(size.width, len(line)) for line in (*lines, last)]
        self._write(clear + captured.get())

    def _clear(self, size: ConsoleDimensions, *, is_resized: bool) -> str:
        """Codes that clear the last screen: from its first row, or the whole window if it was too high."""
        # What no longer fits in the window goes on in the next row: that many rows are taken now.
        rows = sum(max(1, -(-length // size.width)) for length in self._drawn)
        self._is_beyond = self._is_beyond or rows > size.height
        if not rows:
            return ""
        if is_resized and self._is_beyond:
            return "\x1b[H\x1b[J"
        up = min(rows, size.height) - 1
        return f"\r\x1b[{up}A\x1b[J" if up else "\r\x1b[J"

    def _draw_again(self, *, is_below: bool = True) -> None:
        """Draw the scene once more; after a break, below what the shell wrote."""
        if self._scene is None or self._is_drawing:
            return
        try:
            if is_below:
                self._drawn = []
                self._write("\n")
            self._draw(self._scene)
        except OSError:  # a terminal that is closed wakes the program, too
            drop_output(self.screen.file)

    def _settle(self) -> None:
        self._drawn, self._scene = [], None
        self._write("\n")

    def _write(self, text: str) -> None:
        self.screen.file.write(text)
        self.screen.file.flush()


def dialogue_here(*, stderr: bool = False) -> Dialogue:
    """With keys if the terminal has them; on standard error if standard output is for a program."""
    screen = console(stderr=stderr, pipe_width=WIDTH)
    has_screen = screen.is_terminal and not screen.is_dumb_terminal
    has_keys = HAS_TERMINALS and sys.stdin is not None and sys.stdin.isatty()
    is_named = os.environ.get("TERM", "dumb") not in ("dumb", "unknown")
    return KeyDialogue(screen) if has_keys and is_named and has_screen else Dialogue(screen)


def invitation(view: View, width: int = WIDTH) -> str:
    """The keys that can be pressed, in as many words as fit."""
    n = view.record.board.game.size
    slots = f"1-{n}" if n < ONE_KEY_SLOTS else "1-9, 0 for 10" if n == ONE_KEY_SLOTS else f"1-{n} and Enter"
    keys = [f"1-{min(n, 9)}{', 0' if n == ONE_KEY_SLOTS else ''}" if n <= ONE_KEY_SLOTS else f"1-{n}", "←→"]
    roll, back = view.is_own_roll, view.can_take_back
    words = ["r other roll"] * roll + ["u take back"] * back + ["h hint", "? help", "q quit"]
    letters = ["r"] * roll + ["u"] * back + ["h", "?", "q quit"]
    for parts in ([f"slot {slots}", "←→ and Enter", *words], [*keys, *words]):
        if len(text := f" {' · '.join(parts)} ") <= width - (0 if n <= ONE_KEY_SLOTS else len(str(n))):
            return text
    return f" {' · '.join([*keys, *letters])} "


def _request(typed: str, view: View) -> Request | None:
    request = REQUESTS.get(typed)
    return None if request is Request.other_roll and not view.is_own_roll else request


def _slot(typed: str, n: int) -> int:
    return ONE_KEY_SLOTS if typed == "0" and n == ONE_KEY_SLOTS else int(typed)


def _step(free: Sequence[int], cursor: int | None, step: int) -> int:
    if cursor is None:
        return free[0 if step > 0 else -1]
    return free[(free.index(cursor) + step) % len(free)]
