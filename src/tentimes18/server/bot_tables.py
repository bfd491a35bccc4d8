"""The solved tables that bots play by: mapped from disk, and made in the background where they are missing.

The tables of `hunter` and `equilibrium` are files in the cache folder. A thread of each process looks for them. If one
is missing, a process with the lowest priority makes it: one at a time, among all processes that share the folder,
because the thread that starts it holds a lock. The others wait for the file, and read from a note beside it how far it
is. A table on disk is mapped: however many processes use it, it is in memory once.

The table of ``target:700`` is small: each process makes its own.
"""

import logging
import multiprocessing
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep, time
from typing import Any

from filelock import FileLock, Timeout
from msgspec import Struct

from tentimes18.duel.best_response import Response
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.errors import Ten18Error
from tentimes18.files import LIMIT_VARIABLE, cache_folder, cache_limit
from tentimes18.game import Board, Game, Position
from tentimes18.play.opponents import seat
from tentimes18.strategies import solved
from tentimes18.tables import MissingTable, State, list_cache, remove, table_path

TARGET = "target:700"
KINDS = {"hunter": "response", "equilibrium": "equilibrium"}
"""The strategies whose tables are files, and what the files are called."""

LOOK_SECONDS = 0.25  # from one look at the folder to the next
SELDOM_SECONDS = 2.0  # if tables are not made here
RETRY_SECONDS = 120.0  # after a failure
FRESH_SECONDS = 5.0  # a note that is older is of a process that has ended
GRACE = 5.0  # seconds that a process has to end
SOON = 5  # seconds after which to ask again
LOWEST_PRIORITY = 19
FIRST_TO_GO = "1000"  # where memory runs out

_LOG = logging.getLogger(__name__)


class Table(Struct):
    """Whether this process has a solved table; else how much of it is made, from 0 to 1, or what is in its way."""

    ready: bool
    progress: float | None
    problem: str | None


class NotReady(Ten18Error):
    """The table of a strategy is missing: says how far it is; ``retry_after`` is in seconds."""

    retry_after: int = SOON


@dataclass(slots=True)
class _Wanted:
    """A table that this process needs."""

    name: str
    load: Callable[[], Any]
    table: Any = None
    progress: float | None = None
    problem: str | None = None
    not_before: float = 0.0
    unusable: float = 0.0
    """When the file was written that could not be read."""


class DuelTables:
    """The tables of a process, for a game: each is there, or `verify_ready` and the others raise ``NotReady``.

    Between `start` and `stop` a thread brings them. Without ``makes`` it waits for files that others make.
    """

    def __init__(
        self,
        game: Game | None = None,
        folder: Path | None = None,
        *,
        makes: bool = True,
        retry: float = RETRY_SECONDS,
    ) -> None:
        self.game = game or Game.classic()
        self.folder = (folder or cache_folder()).absolute()
        self.makes = makes
        self.retry = retry
        self.maker: int | None = None
        """The id of the process that makes a table for this one."""
        start, roll = Position(Board(self.game), Board(self.game)), self.game.dice.support[0]

        # Each with a move, so that the first one of a player finds the code loaded.
        def hunter() -> Response:
            table = solved.load_hunter(self.game, folder)
            table.choose_on(start, roll)
            return table

        def equilibrium() -> Equilibrium:
            table = solved.load_equilibrium(self.game, folder)
            table.moves_on(start, roll)
            return table

        def target() -> Any:
            choose = seat(TARGET, self.game)
            choose(0, start.board, start.theirs, roll)
            return choose

        loads = {TARGET: target, "hunter": hunter, "equilibrium": equilibrium}
        self._wanted = {name: _Wanted(name, load) for name, load in loads.items()}
        if not makes:
            for name in KINDS:
                self._wanted[name].problem = "it is not there, and this service has no tables made"
        beside = table_path("duels", self.game, self.folder)
        self._lock = FileLock(beside.with_suffix(".lock"), timeout=0)
        self._note = beside.with_suffix(".making")
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="tables of duels", daemon=True)

    def start(self) -> None:
        """Begin to bring the tables."""
        self._thread.start()

    def stop(self) -> None:
        """End what was begun; tables that are there stay."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def is_ready(self) -> bool:
        """Whether all are there."""
        return all(wanted.table is not None for wanted in self._wanted.values())

    def state(self) -> dict[str, Table]:
        """How each table stands, by the name of the strategy that plays by it."""
        return {
            name: Table(wanted.table is not None, wanted.progress, wanted.problem)
            for name, wanted in self._wanted.items()
        }

    def verify_ready(self, name: str) -> None:
        """Raise ``NotReady`` if the strategy of this name needs a table that is missing."""
        wanted = self._wanted.get(name)
        if wanted is None or wanted.table is not None:
            return
        if wanted.progress is not None:
            how = f"is being made ({wanted.progress:.0%} so far)"
        else:
            how = f"could not be made yet ({wanted.problem})" if wanted.problem else "is not made yet"
        raise NotReady(f"the table that it plays by {how}; ask again soon", "against", name)

    def hunter(self, game: Game) -> Response:
        """The best response to `optimal`."""
        return self._table("hunter", game)  # type: ignore[no-any-return]

    def equilibrium(self, game: Game) -> Equilibrium:
        """The equilibrium."""
        return self._table("equilibrium", game)  # type: ignore[no-any-return]

    def _table(self, name: str, game: Game) -> Any:
        if game != self.game:
            raise Ten18Error(f"its table is of {self.game} alone", "against", name)
        self.verify_ready(name)
        return self._wanted[name].table

    def _run(self) -> None:
        while not self._stopped.is_set() and not self.is_ready:
            try:
                self._look()
                due = [self._wanted[name] for name in KINDS]
                due = [one for one in due if one.table is None and one.not_before <= monotonic()]
                if self.makes and due:
                    self._make(min(due, key=lambda one: one.not_before))
            except Exception as error:  # nobody else looks after this thread
                _LOG.exception("the tables of duels cannot be brought")
                for wanted in self._wanted.values():
                    if wanted.table is None:
                        self._failed(wanted, f"it cannot be brought: {type(error).__name__}")
            self._stopped.wait(LOOK_SECONDS if self.makes else SELDOM_SECONDS)

    def _look(self) -> None:
        """Take the tables that are there."""
        note = self._read_note()
        for wanted in self._wanted.values():
            if wanted.table is not None:
                continue
            wanted.progress = note.get(wanted.name)
            written = 0.0
            if wanted.name in KINDS:
                with suppress(OSError):
                    written = table_path(KINDS[wanted.name], self.game, self.folder).stat().st_mtime
                if written == wanted.unusable:  # none, or the same as before
                    continue
            elif wanted.not_before > monotonic():
                continue
            try:
                wanted.table = wanted.load()
            except MissingTable as error:  # damaged, or of another version
                wanted.unusable = written
                _LOG.warning("%s", error)
            except Exception as error:
                wanted.unusable = written
                _LOG.exception("the table of %s cannot be used", wanted.name)
                self._failed(wanted, f"it cannot be used: {type(error).__name__}")
            else:
                wanted.progress = wanted.problem = None
                _LOG.info("the table of %s is there", wanted.name)

    def _read_note(self) -> dict[str, float]:
        with suppress(OSError, ValueError):
            if time() - self._note.stat().st_mtime < FRESH_SECONDS:
                name, share = self._note.read_text(encoding="ascii").split()
                return {name: float(share)}
        return {}

    def _make(self, wanted: _Wanted) -> None:
        """Start the process that makes a table, unless another one does, and wait until it ends, or this is stopped."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._lock:
                self._run_maker(wanted)
        except Timeout:
            return
        except OSError as error:
            self._failed(wanted, f"the cache folder cannot be used: {error.strerror or error}")

    def _run_maker(self, wanted: _Wanted) -> None:
        context = multiprocessing.get_context("spawn")
        share = context.Value("d", 0.0)
        ours, theirs = context.Pipe(duplex=False)
        order = (wanted.name, str(self.game.dice), self.game.slots, self.folder)
        maker = context.Process(target=_serve, args=(order, share, theirs))
        _LOG.info("the table of %s is to be made", wanted.name)
        maker.start()
        theirs.close()
        self.maker = maker.pid
        while not self._stopped.is_set() and maker.is_alive():
            self._note.write_text(f"{wanted.name} {share.value}", encoding="ascii")
            self._look()
            maker.join(LOOK_SECONDS)
        self.maker = wanted.progress = None
        self._note.unlink(missing_ok=True)
        if self._stopped.is_set():
            _end(maker)
            return
        maker.join()
        problem: str | None = f"the process that was making it has ended with {_cause(maker.exitcode or 0)}"
        with suppress(EOFError):
            problem = ours.recv()
        if problem is None:
            self._look()
            if wanted.table is None:
                problem = "it was made, and cannot be read"
        if problem is not None:
            self._failed(wanted, problem)

    def _failed(self, wanted: _Wanted, problem: str) -> None:
        wanted.problem = problem
        wanted.not_before = monotonic() + self.retry
        where = (wanted.name, self.folder, problem, self.retry)
        _LOG.warning("the table of %s is not in %s: %s; the next try is in %.0f s", *where)


def _end(process: BaseProcess) -> None:
    process.terminate()
    process.join(GRACE)
    if process.is_alive():
        process.kill()
        process.join()


def _cause(code: int) -> str:
    return f"signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"code {code}"


# What follows runs in the process that makes a table.


def make_table(name: str, game: Game, folder: Path, progress: Callable[[int, int], None] | None = None) -> str | None:
    """Make a table and keep it, unless it is there; returns the problem in one line, if there is one."""
    lines: list[str] = []
    try:
        size = 8 * DuelWindows(game, half=name == "equilibrium").cells
        limit, free = cache_limit(), shutil.disk_usage(folder).free
        if limit is not None and size > limit:
            return f"the table takes {size / 1e6:,.1f} MB, more than all tables may ({LIMIT_VARIABLE})"
        if size > free:
            return f"the table takes {size / 1e6:,.1f} MB, and {free / 1e6:,.1f} MB are free on its disk"
        for entry in list_cache(folder).entries:
            if entry.state is State.unfinished:  # of a process that was killed
                remove(entry)
        start, roll = Position(Board(game), Board(game)), game.dice.support[0]
        if name == "hunter":  # with a move, so that its compiled code is kept as well
            solved.hunter(game, progress, folder, lines.append).choose_on(start, roll)
        else:
            solved.equilibrium(game, progress, folder, lines.append).moves_on(start, roll)
        if not table_path(KINDS[name], game, folder).is_file():
            return lines[-1].replace(str(folder.absolute()), "the cache folder") if lines else "it was not kept"
    except OSError as error:
        return f"the cache folder cannot be used: {error.strerror or error}"
    except Ten18Error as error:
        return str(error)
    except MemoryError:
        return "there is not enough memory"
    return None


def _serve(order: tuple[str, str, str, Path], share: Any, answer: Connection) -> None:
    """Make a table behind all others, and end with the parent."""
    name, dice, slots, folder = order
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which ends this process
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(OSError):
        os.nice(LOWEST_PRIORITY)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_GO)

    def progress(done: int, total: int) -> None:
        share.value = done / max(1, total)

    answer.send(make_table(name, Game.parse(dice, slots), folder, progress))


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # so that nothing unfinished is left
        sleep(GRACE)
        os._exit(1)
