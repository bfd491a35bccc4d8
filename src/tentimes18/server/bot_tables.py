"""The solved tables of the bots `hunter` and `equilibrium`: files, made when such a duel is first asked for.

A process that answers requests loads no table; it looks whether the files exist. Another process plays by them
(`bot_process`). If a file is missing, a process with the lowest priority makes it: one at a time among all that share
the folder, because the thread that starts it holds a lock. The others read from a note beside it how far it is.
"""

import logging
import multiprocessing
import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic, sleep, time
from typing import Any

from filelock import FileLock, Timeout
from msgspec import Struct

from tentimes18.errors import Ten18Error
from tentimes18.files import cache_folder
from tentimes18.game import Game
from tentimes18.tables import table_path

KINDS = {"hunter": "response", "equilibrium": "equilibrium"}
"""The strategies whose tables are files, and what the files are called."""

NOTE_SECONDS = 0.25  # between two notes of the progress
FRESH_SECONDS = 5.0  # an older note is of a process that has ended
RETRY_SECONDS = 120.0  # after a failure
GRACE = 5.0  # seconds that a process has to end
SOON = 5  # seconds after which to ask again
LOWEST_PRIORITY = 19
FIRST_TO_GO = "1000"  # when memory runs out

_LOG = logging.getLogger(__name__)


class Table(Struct):
    """Whether a solved table exists; else how much of it is made, from 0 to 1, or why it cannot be made."""

    ready: bool
    progress: float | None
    problem: str | None


class NotReady(Ten18Error):
    """The table of a strategy is missing: says how far it is; ``retry_after`` is in seconds."""

    retry_after: int = SOON


class DuelTables:
    """The tables of a game in a folder. With ``makes``, a missing one is made when somebody asks for it."""

    def __init__(
        self, game: Game | None = None, folder: Path | None = None, *, makes: bool = True, retry: float = RETRY_SECONDS
    ) -> None:
        self.game = game or Game.classic()
        self.folder = (folder or cache_folder()).absolute()
        self.makes = makes
        self.retry = retry
        self.maker: int | None = None
        """The id of the process that makes a table for this one."""
        self._paths = {name: table_path(kind, self.game, self.folder) for name, kind in KINDS.items()}
        self._unusable: dict[str, float] = {}  # when a file was written that could not be read
        self._problems: dict[str, str] = {}
        self._not_before = 0.0
        beside = table_path("duels", self.game, self.folder)
        self._lock = FileLock(beside.with_suffix(".lock"), timeout=0)
        self._note = beside.with_suffix(".making")
        self._stopped = Event()
        self._starting = Lock()
        self._thread: Thread | None = None

    def stop(self) -> None:
        """End the process that makes a table."""
        with self._starting:
            self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def is_ready(self, name: str) -> bool:
        """Whether the strategy of this name needs no table, or its table exists."""
        if name not in self._paths:
            return True
        try:
            return self._paths[name].stat().st_mtime != self._unusable.get(name)
        except OSError:
            return False

    def state(self) -> dict[str, Table]:
        note, tables = self._read_note(), {}
        for name in KINDS:
            ready = self.is_ready(name)
            tables[name] = Table(ready, None if ready else note.get(name), None if ready else self._problems.get(name))
        return tables

    def verify_ready(self, name: str) -> None:
        """Raise ``NotReady`` if the strategy of this name needs a table that is missing, and start to make it."""
        if self.is_ready(name):
            return
        self._start(name)
        table = self.state()[name]
        if table.progress is not None:
            how = f"is being made ({table.progress:.0%} so far)"
        elif table.problem is not None:
            how = f"could not be made yet ({table.problem})"
        else:
            how = "is being made" if self.makes else "is missing, and this server makes none"
        raise NotReady(f"its table {how}; ask again soon", "against", name)

    def reject(self, name: str) -> None:
        """Do not use this file any more: it is damaged."""
        with suppress(OSError):
            self._unusable[name] = self._paths[name].stat().st_mtime
            _LOG.warning("the table of %s cannot be read", name)

    def _start(self, name: str) -> None:
        with self._starting:
            is_busy = self._thread is not None and self._thread.is_alive()
            if self.makes and not is_busy and not self._stopped.is_set() and monotonic() >= self._not_before:
                self._thread = Thread(target=self._make, args=(name,), name="tables of duels", daemon=True)
                self._thread.start()

    def _make(self, name: str) -> None:
        """Start the process that makes a table, unless there is one, and wait until it ends, or this is stopped."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._lock:
                problem = self._run_maker(name)
        except Timeout:
            return
        except OSError as error:
            problem = f"the cache folder cannot be used: {error.strerror or error}"
        if problem is None:
            self._problems.pop(name, None)
        else:
            self._problems[name] = problem
            self._not_before = monotonic() + self.retry
            where = (name, self.folder, problem, self.retry)
            _LOG.warning("could not make the table of %s in %s: %s; next attempt in %.0f s", *where)

    def _run_maker(self, name: str) -> str | None:
        context = multiprocessing.get_context("spawn")
        share = context.Value("d", 0.0)
        ours, theirs = context.Pipe(duplex=False)
        maker = context.Process(
            target=_serve, args=(name, str(self.game.dice), self.game.slots, self.folder, share, theirs)
        )
        _LOG.info("making the table of %s", name)
        maker.start()
        theirs.close()
        self.maker = maker.pid
        while not self._stopped.is_set() and maker.is_alive():
            self._note.write_text(f"{name} {share.value}", encoding="ascii")
            maker.join(NOTE_SECONDS)
        self.maker = None
        self._note.unlink(missing_ok=True)
        if self._stopped.is_set():
            maker.terminate()
            maker.join(GRACE)
            if maker.is_alive():
                maker.kill()
            maker.join()
            return None
        maker.join()
        with suppress(EOFError):
            problem: str | None = ours.recv()
            return problem
        code = maker.exitcode or 0
        return (
            f"its process ended with {f'signal {-code} ({signal.Signals(-code).name})' if code < 0 else f'code {code}'}"
        )

    def _read_note(self) -> dict[str, float]:
        with suppress(OSError, ValueError):
            if time() - self._note.stat().st_mtime < FRESH_SECONDS:
                name, share = self._note.read_text(encoding="ascii").split()
                return {name: float(share)}
        return {}


def _serve(name: str, dice: str, slots: str, folder: Path, share: Any, answer: Connection) -> None:
    """Make a table behind all other work, in a process of its own, and end with the parent."""
    from tentimes18.server.bot_process import make_table  # compiled code, which the parent does without

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
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
