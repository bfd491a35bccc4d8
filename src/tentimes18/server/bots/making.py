"""The process that makes a solved table for the service: behind all others, one at a time, and gone with its parent.

It is started as ``python -m tentimes18.server.bots.making``. Its input is an order, one line of JSON, and then nothing,
for as long as the parent lives: when the input ends, so does this process, however the parent went. Its output is one
line of JSON, how it ended. In between a file beside the table says how far it is. The parent hands it the lock of the
game's tables, which it holds until it ends: of all processes that share a cache folder one makes.

It takes the lowest priority, and is the first to go where memory runs out.
"""

import json
import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Final, TypedDict

from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.errors import Ten18Error
from tentimes18.files import LIMIT_VARIABLE, cache_limit, write_whole
from tentimes18.game import Board, Game, Position
from tentimes18.strategies import solved
from tentimes18.tables import MissingTable, State, list_cache, load_table, remove, table_path

__all__ = ["KINDS", "MakersWord", "Order", "how_far", "lock_path", "make", "making_path"]

KINDS: Final = {"hunter": "response", "equilibrium": "equilibrium"}
"""The strategies whose tables are made, and what the tables are called on disk."""

LOWEST: Final = 19  # of all priorities
FIRST_TO_GO: Final = "1000"
SECONDS_A_NOTE: Final = 0.5
GRACE: Final = 3.0  # seconds to leave nothing behind
INPUT: Final = 0
OUTPUT: Final = 1


class Order(TypedDict):
    """What is to be made: the table of a strategy for a game, in a folder."""

    name: str
    dice: str
    slots: str
    folder: str


class MakersWord(TypedDict):
    """How it ended: the table was made, or there is a problem in one line; else it was there."""

    is_made: bool
    problem: str | None


def lock_path(game: Game, folder: Path) -> Path:
    """The lock of those who make tables of this game.

    >>> lock_path(Game.classic(), Path("kept")).name
    'duels-3d6-1-10-00e2c3dc2834.lock'
    """
    return table_path("duels", game, folder).with_suffix(".lock")


def making_path(game: Game, folder: Path) -> Path:
    """The file that says how far the one is who has the lock."""
    return table_path("duels", game, folder).with_suffix(".making")


def how_far(game: Game, folder: Path) -> tuple[str, float] | None:
    """Whose table was made last that is not done, and how much of it is, from 0 to 1; it means something under lock.

    >>> how_far(Game.classic(), Path("nowhere")) is None
    True
    """
    try:
        note = json.loads(making_path(game, folder).read_bytes())
        name, share = str(note["name"]), float(note["share"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return (name, share) if name in KINDS and 0 <= share <= 1 else None


def make(order: Order) -> MakersWord:
    """Make a table and keep it, unless it is there; whatever goes wrong is told in one line.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     make({"name": "hunter", "dice": "1d6", "slots": "1-3", "folder": folder})
    {'is_made': True, 'problem': None}
    """
    is_made, problem = False, None
    try:
        game, folder = Game.parse(order["dice"], order["slots"]), Path(order["folder"])
        is_made, problem = _make(order["name"], game, folder)
    except OSError as error:
        problem = f"the cache folder cannot be used: {error.strerror or error}"
    except Ten18Error as error:
        problem = str(error)
    except MemoryError:
        problem = "there is not enough memory"
    return {"is_made": is_made, "problem": problem}


def _make(name: str, game: Game, folder: Path) -> tuple[bool, str | None]:
    """Whether it was made, and the problem where there is one."""
    windows = DuelWindows(game, half=name == "equilibrium")
    with suppress(MissingTable):
        load_table(KINDS[name], game, windows.cells, folder)
        return False, None
    if problem := _no_room(8 * windows.cells, folder):
        return False, problem
    for entry in list_cache(folder).entries:
        if entry.state is State.unfinished:  # of one that was killed
            remove(entry)
    lines: list[str] = []
    note = _Note(name, making_path(game, folder))
    note(0, 1)
    start, roll = Position(Board(game), Board(game)), game.dice.support[0]
    try:
        # With a move, so that its compiled code is kept as well.
        if name == "hunter":
            solved.hunter(game, note, folder, lines.append).choose_on(start, roll)
        else:
            solved.equilibrium(game, note, folder, lines.append).moves_on(start, roll)
        load_table(KINDS[name], game, windows.cells, folder)
    except MissingTable as error:
        return False, lines[-1].replace(str(folder.absolute()), "the cache folder") if lines else str(error)
    finally:
        with suppress(OSError):
            note.path.unlink(missing_ok=True)
    return True, None


def _no_room(size: int, folder: Path) -> str | None:
    """What keeps a table of so many bytes from being kept: told before the work."""
    limit, free = cache_limit(), shutil.disk_usage(folder).free
    if limit is not None and size > limit:
        return f"the table takes {size / 1e6:,.1f} MB, more than all tables may ({LIMIT_VARIABLE})"
    if size > free:
        return f"the table takes {size / 1e6:,.1f} MB, and {free / 1e6:,.1f} MB are free on its disk"
    return None


class _Note:
    """Writes down how much is done, now and then."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self.next = 0.0

    def __call__(self, done: int, total: int) -> None:
        if (now := monotonic()) >= self.next:
            self.next = now + SECONDS_A_NOTE
            with suppress(OSError):  # then nobody knows how far it is
                write_whole(self.path, json.dumps({"name": self.name, "share": done / max(1, total)}).encode())


def _order() -> Order:
    text = b""
    while not text.endswith(b"\n"):
        if not (byte := os.read(INPUT, 1)):
            raise SystemExit(1)
        text += byte
    order: Order = json.loads(text)
    return order


def _leave(*_: object) -> None:
    raise SystemExit(1)


def _leave_with_the_parent() -> None:
    while os.read(INPUT, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    sleep(GRACE)
    os._exit(1)


def _serve() -> None:
    signal.signal(signal.SIGTERM, _leave)
    with suppress(OSError):
        os.nice(LOWEST)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_GO)
    order = _order()
    Thread(target=_leave_with_the_parent, daemon=True).start()
    os.write(OUTPUT, json.dumps(make(order)).encode() + b"\n")


if __name__ == "__main__":
    _serve()
