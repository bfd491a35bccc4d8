"""The solved tables of duels in a process of the service: mapped from disk, made in the background where they are not.

The tables of `hunter` and `equilibrium` are files in the cache folder. A thread of each process looks for them; where
one is not there, and nobody makes tables, it starts a process that does (`bots.making`). Of all processes that share
the folder one makes at a time, and the others wait for the file. Whoever makes may die: the lock is free then, and
another tries, after a pause that doubles with each failure, up to a quarter of an hour. What a table holds is mapped:
however many processes use it, it is in memory once, and can be dropped and read again.

The table of ``target:700`` is small: each process makes its own in this thread, one after the other, so that code is
compiled once.
"""

import json
import logging
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import uniform
from threading import Event, Thread
from time import monotonic
from typing import Any, Final, TypedDict

from tentimes18.duel.best_response import Response
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.errors import Ten18Error
from tentimes18.files import cache_folder
from tentimes18.game import Board, Game, Position
from tentimes18.play.opponents import Seat, seat
from tentimes18.server.bots.locks import is_held, only_one
from tentimes18.server.bots.making import KINDS, MakersWord, Order, how_far, lock_path
from tentimes18.strategies.solved import load_equilibrium, load_hunter
from tentimes18.tables import MissingTable, table_path

__all__ = ["DuelTables", "NotReady", "TableState"]

MAKER: Final = (sys.executable, "-P", "-m", "tentimes18.server.bots.making")
TARGET: Final = "target:700"
LOOK: Final = 0.25  # seconds from one look at the folder to the next
SELDOM: Final = 2.0  # where tables are not made
FIRST_PAUSE: Final = 2.0  # seconds after a failure
LONGEST_PAUSE: Final = 900.0
GRACE: Final = 5.0  # seconds that a maker has to end
SOON: Final = 5  # seconds after which to ask again

_log: Final = logging.getLogger(__name__)


class TableState(TypedDict):
    """A table: whether this process has it, how much of it is made from 0 to 1, and what keeps it from being there."""

    ready: bool
    progress: float | None
    problem: str | None


class NotReady(Ten18Error):
    """What a strategy plays by is not there yet: says how far it is; ``retry_after`` is in seconds.

    >>> str(NotReady("the table of 'hunter' is being made (18% so far)", "against", "hunter"))
    "against 'hunter': the table of 'hunter' is being made (18% so far)"
    """

    retry_after: int = SOON


@dataclass(slots=True)
class _Wanted:
    """A table that is to come."""

    name: str
    load: Callable[[], Any]
    table: Any = None
    progress: float | None = None
    problem: str | None = None
    failures: int = 0
    not_before: float = 0.0
    useless: tuple[int, ...] = ()
    """The file that could not be read, as `os.stat` sees it."""


class DuelTables:
    """What the strategies of duels play by, in this process: each is there, or raises ``NotReady``.

    Without ``makes`` tables that are not there are waited for, and made by nobody here.

    Between `start` and `stop` a thread brings them; neither of the two, nor any look at the tables, waits for that but
    `stop`, which waits until the thread and the process that it started have ended.

    >>> tables = DuelTables(Game.parse("1d6", "1-3"), Path("nowhere"))
    >>> tables.state()["hunter"]
    {'ready': False, 'progress': None, 'problem': None}
    >>> tables.hunter(tables.game)
    Traceback (most recent call last):
    tentimes18.server.bots.tables.NotReady: against 'hunter': the table that it plays by is not made yet; ...
    """

    def __init__(
        self,
        game: Game | None = None,
        folder: Path | None = None,
        *,
        makes: bool = True,
        first_pause: float = FIRST_PAUSE,
    ) -> None:
        self.game = game or Game.classic()
        self.folder = (folder or cache_folder()).absolute()
        self.makes = makes
        self.first_pause = first_pause
        self._given = folder  # tables that others of this process use have the same name in its memory
        self._start = Position(Board(self.game), Board(self.game))
        self._roll = self.game.dice.support[0]
        self._wanted = {
            TARGET: _Wanted(TARGET, self._target),
            "hunter": _Wanted("hunter", self._hunter),
            "equilibrium": _Wanted("equilibrium", self._equilibrium),
        }
        if not makes:
            for name in KINDS:
                self._wanted[name].problem = "it is not there, and this service has no tables made"
        self._stopped = Event()
        self._thread: Thread | None = None
        self._maker: subprocess.Popen[bytes] | None = None
        self._seen: str | None = None
        """Whose table another process was making at the last look."""

    def start(self) -> None:
        """Begin to bring the tables."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="tables of duels", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End what was begun; tables that are there stay."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def maker(self) -> int | None:
        """The number of the process that this one has started to make a table, while it runs."""
        return None if self._maker is None else self._maker.pid

    @property
    def is_ready(self) -> bool:
        """Whether all are there."""
        return all(wanted.table is not None for wanted in self._wanted.values())

    def state(self) -> dict[str, TableState]:
        """How each table stands, by the name of the strategy that plays by it."""
        return {
            name: {"ready": wanted.table is not None, "progress": wanted.progress, "problem": wanted.problem}
            for name, wanted in self._wanted.items()
        }

    def verify_ready(self, name: str) -> None:
        """Raise ``NotReady`` where the strategy of this name needs a table that is not there."""
        if (wanted := self._wanted.get(name)) is not None and wanted.table is None:
            raise NotReady(f"the table that it plays by {_so_far(wanted)}; ask again soon", "against", name)

    def hunter(self, game: Game) -> Response:
        """The best response to `optimal`."""
        table: Response = self._there("hunter", game)
        return table

    def equilibrium(self, game: Game) -> Equilibrium:
        """The equilibrium."""
        table: Equilibrium = self._there("equilibrium", game)
        return table

    def _there(self, name: str, game: Game) -> Any:
        if game != self.game:
            raise Ten18Error(f"its table is of {self.game} alone", "against", name)
        self.verify_ready(name)
        return self._wanted[name].table

    def _run(self) -> None:
        while not self._stopped.is_set() and (pending := [one for one in self._wanted.values() if one.table is None]):
            try:
                self._bring(pending)
            except Exception as error:  # nobody else looks after this thread
                _log.exception("the tables of duels cannot be brought")
                for wanted in pending:
                    self._failed(wanted, f"it cannot be brought: {type(error).__name__}")
                self._stopped.wait(SELDOM)

    def _bring(self, pending: Sequence[_Wanted]) -> None:
        """Take what is there; have one made that is not, or wait a little."""
        held = is_held(lock_path(self.game, self.folder))  # before the files: whoever has made one lets go after it
        making = how_far(self.game, self.folder) if held else None
        for wanted in pending:
            wanted.progress = making[1] if making and making[0] == wanted.name else None
            self._look_for(wanted)
        if self._seen and not held and self._wanted[self._seen].table is None:
            self._failed(self._wanted[self._seen], "the process that was making it has ended before it was done")
        self._seen = making[0] if making else self._seen if held else None
        due = [one for one in pending if one.table is None and one.name in KINDS and one.not_before <= monotonic()]
        if not self.makes:
            self._stopped.wait(SELDOM)
        elif due and not held:
            self._have_made(due[0])
        else:
            self._stopped.wait(LOOK)

    def _look_for(self, wanted: _Wanted) -> None:
        """Take a table that is there."""
        is_file = wanted.name in KINDS
        stamp = self._stamp(wanted.name) if is_file else ()
        if (stamp in ((), wanted.useless)) if is_file else wanted.not_before > monotonic():
            return
        try:
            table = wanted.load()
        except MissingTable as error:  # damaged, or of another version: it will be made anew
            wanted.useless = stamp
            _log.warning("%s", error)
        except Exception as error:
            wanted.useless = stamp
            _log.exception("the table of %s cannot be used", wanted.name)
            self._failed(wanted, f"it cannot be used: {type(error).__name__}")
        else:
            if table is None:
                return
            wanted.progress = wanted.problem = None
            wanted.table = table
            _log.info("the table of %s is there", wanted.name)

    def _look_for_others(self, made: _Wanted) -> None:
        for wanted in self._wanted.values():
            if wanted is not made and wanted.table is None:
                self._look_for(wanted)

    def _stamp(self, name: str) -> tuple[int, ...]:
        try:
            status = table_path(KINDS[name], self.game, self.folder).stat()
        except OSError:
            return ()
        return status.st_ino, status.st_size, status.st_mtime_ns

    # Each with a move, so that the first one of a player finds the code loaded.

    def _hunter(self) -> Response:
        table = load_hunter(self.game, self._given)
        table.choose_on(self._start, self._roll)
        return table

    def _equilibrium(self) -> Equilibrium:
        table = load_equilibrium(self.game, self._given)
        table.moves_on(self._start, self._roll)
        return table

    def _target(self) -> Seat | None:
        lock = table_path("target", self.game, self.folder).with_suffix(".lock")
        try:
            lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with only_one(lock) as mine:
                return None if mine is None else self._seat(TARGET)  # not yet: whoever is inside may be compiling
        except OSError:  # no folder to share
            return self._seat(TARGET)

    def _seat(self, name: str) -> Seat:
        choose = seat(name, self.game)
        choose(0, self._start.board, self._start.theirs, self._roll)
        return choose

    def _have_made(self, wanted: _Wanted) -> None:
        """Start the process that makes a table, unless another one does, and wait until it ends, or this is stopped."""
        try:
            maker = self._started(wanted.name)
        except OSError as error:
            self._failed(wanted, f"it cannot be made here: {error.strerror or error}")
            return
        if maker is None:
            return
        with maker:
            self._maker = maker
            assert maker.stdout is not None
            while maker.poll() is None and not self._stopped.wait(LOOK):
                making = how_far(self.game, self.folder)
                wanted.progress = making[1] if making and making[0] == wanted.name else None
                self._look_for_others(wanted)
            self._maker = None
            if self._stopped.is_set():
                _end(maker)
            else:
                self._ended(wanted, maker.returncode, maker.stdout.read())

    def _started(self, name: str) -> "subprocess.Popen[bytes] | None":
        order: Order = {
            "name": name,
            "dice": str(self.game.dice),
            "slots": self.game.slots,
            "folder": str(self.folder),
        }
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with only_one(lock_path(self.game, self.folder)) as lock:
            if lock is None:
                return None
            _log.info("the table of %s is to be made", name)
            # A session of its own: Ctrl-C at a terminal is for the service, which ends it.
            maker = subprocess.Popen(
                MAKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[lock], start_new_session=True
            )
        assert maker.stdin is not None
        with suppress(BrokenPipeError):
            maker.stdin.write(json.dumps(order).encode() + b"\n")
            maker.stdin.flush()
        return maker

    def _ended(self, wanted: _Wanted, code: int, output: bytes) -> None:
        wanted.progress = None
        try:
            word: MakersWord = json.loads(output)
        except ValueError:
            how = f"signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"code {code}"
            self._failed(wanted, f"the process that was making it has ended with {how}")
            return
        if word["problem"]:
            self._failed(wanted, word["problem"])
            return
        if word["is_made"]:
            _log.info("the table of %s is made", wanted.name)
        self._look_for(wanted)
        if wanted.table is None and wanted.problem is None:
            self._failed(wanted, "it was made, and cannot be read")

    def _failed(self, wanted: _Wanted, problem: str) -> None:
        pause = min(LONGEST_PAUSE, self.first_pause * 2.0**wanted.failures) * uniform(1.0, 1.25)
        wanted.problem = problem
        wanted.failures += 1
        wanted.not_before = monotonic() + pause
        _log.warning(
            "the table of %s is not in %s: %s; the next try is in %.0f s", wanted.name, self.folder, problem, pause
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()


def _so_far(wanted: _Wanted) -> str:
    if wanted.progress is not None:
        return f"is being made ({wanted.progress:.0%} so far)"
    return f"could not be made yet ({wanted.problem})" if wanted.problem else "is not made yet"
