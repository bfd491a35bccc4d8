"""The process that answers questions: it runs one declared query after another, within limits.

The bots ask here for their slots by solved tables, and for the chances in a duel; another process makes the tables.
These processes import no part of the web framework, so that they are small and start quickly, and only they load
compiled code.
"""

import json
import multiprocessing
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any, TypeAlias

from tentimes18 import limits
from tentimes18.errors import Ten18Error, TooLarge, quoted
from tentimes18.files import LIMIT_VARIABLE, cache_limit
from tentimes18.game import Board, Game, Position
from tentimes18.play.opponents import seat
from tentimes18.queries import QUERIES, to_json
from tentimes18.server.game_limits import read_dice, verify_game_of
from tentimes18.server.settings import DATABASE_VARIABLE, SECRET_VARIABLE
from tentimes18.solve.parallel import thread_count
from tentimes18.tables import State, list_cache, remove, table_cache, table_path

Function: TypeAlias = Callable[[str, Mapping[str, Any]], bytes]
"""Answers a question, given its name and its parameters."""

PLANNED_SECONDS = 4.0  # of one core, for a question
GRACE = 5.0  # seconds that a process has to end
KEPT_SHARE = 0.5  # of the memory of a question, for solved tables
LIBRARIES = 300_000_000  # bytes: numpy, numba and what they load
STACK = 16_000_000  # bytes of a thread
NICE = 5  # moves go first
LOWEST_PRIORITY = 19
FIRST_TO_GO = "1000"  # when memory runs out
MAX_ANSWER_BYTES = 4_000_000
NO_MEMORY = 77  # exit code


class Fault(Exception):
    """A bug in a query, which the process has logged."""


TABLES = {"hunter": "response", "equilibrium": "equilibrium"}
"""The bots whose tables are files, and what the files are called."""

_seat = lru_cache(maxsize=32)(seat)


def bot_slot(bot: str, seed: str, folder: Path, mine: Board, theirs: Board, roll: int) -> int:
    """The slot of a bot for a roll, from its own board and the player's, both without this roll."""
    choose = _seat(bot, mine.game, folder=folder, is_stored=True)
    return choose(int(seed, 16), mine, theirs, roll)


def duel_chances(folder: Path, mine: Board, theirs: Board) -> list[float]:
    """My chance to win, draws at one half, before the first round and after each, if both play the equilibrium.

    This is the least that the equilibrium secures against any opponent; a player who knows the rule of a bot such as
    `optimal` has a higher chance. With full boards it is 1, 1/2 or 0.
    """
    from tentimes18.strategies import solved  # compiled code, which most questions do without

    table = solved.equilibrium(mine.game, folder=folder, is_stored=True)
    boards = (
        [Board(mine.game, board.placements[:rounds]) for board in (mine, theirs)] for rounds in range(mine.rounds + 1)
    )
    return [table.value_on(Position(*pair)) for pair in boards]


OF_BOTS: Mapping[str, Callable[..., object]] = {"bot_slot": bot_slot, "duel_chances": duel_chances}


def answer_query(name: str, data: Mapping[str, Any]) -> bytes:
    """Run a declared query, within the limits of games for strangers: the same bytes as the command writes.

    Games ask for the slot of a bot and for the chances in a duel here, too.
    """
    if name in OF_BOTS:
        return json.dumps(OF_BOTS[name](**data)).encode()
    verify_game_of(data["record"] if isinstance(data.get("record"), Mapping) else data)
    for dice in data["dice"] if isinstance(data.get("dice"), list) else ():
        read_dice(dice)
    body = to_json(QUERIES[name](**data)) + b"\n"
    if len(body) > MAX_ANSWER_BYTES:
        size = f"the answer takes {len(body) / 1e6:.1f} MB, at most {MAX_ANSWER_BYTES / 1e6:g} MB are sent"
        raise TooLarge(f"{size}: ask for a summary, or for plain numbers")
    return body


def run(function: Function, name: str, data: dict[str, Any], seconds: float) -> bytes:
    """Answer a question; raises ``Ten18Error``, with its value as plain text, or ``Fault``."""
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE)  # the system ends this process, whatever it does then
    try:
        return function(name, data)
    except Ten18Error as error:
        value = error.value if error.value is None or isinstance(error.value, str) else quoted(error.value)
        raise type(error)(error.problem, error.field, value) from None
    except MemoryError:
        os._exit(NO_MEMORY)
    except Exception:
        traceback.print_exc()
        raise Fault from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def prepare(memory: float, function: Function, warm: tuple[tuple[str, Mapping[str, Any]], ...]) -> None:
    """Prepare a process for the questions of strangers: no secrets, limits, no tables written, and its parent's end."""
    Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.modules["scipy"] = None  # type: ignore[assignment]  # numba would load it, only to look at its version
    for name in (SECRET_VARIABLE, DATABASE_VARIABLE):
        os.environ.pop(name, None)
    os.environ[LIMIT_VARIABLE] = "0"
    limits.set_limits(max_bytes=memory, max_operations=PLANNED_SECONDS * limits.OPERATIONS_PER_SECOND)
    table_cache.max_bytes = int(KEPT_SHARE * memory)
    with suppress(AttributeError, OSError):
        os.nice(NICE)
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = int(_data_size() + LIBRARIES + STACK * thread_count() + (1 + 2 * KEPT_SHARE) * memory)
        hardest = resource.getrlimit(resource.RLIMIT_DATA)[1]
        if hardest == resource.RLIM_INFINITY or most < hardest:
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    for name, data in warm:
        with suppress(Exception):
            function(name, data)


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # so that no file is left that is not whole
        sleep(GRACE)
        os._exit(1)


def _data_size() -> int:
    """The bytes that the limit counts, as far as the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def make_table(name: str, game: Game, folder: Path, progress: Callable[[int, int], None] | None = None) -> str | None:
    """Make a table and keep it, unless it exists; returns the problem in one line, if there is one."""
    from tentimes18.duel.lead_windows import DuelWindows
    from tentimes18.strategies import solved

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
        if not table_path(TABLES[name], game, folder).is_file():
            return lines[-1].replace(str(folder.absolute()), "the cache folder") if lines else "it was not kept"
    except OSError as error:
        return f"the cache folder cannot be used: {error.strerror or error}"
    except Ten18Error as error:
        return str(error)
    except MemoryError:
        return "there is not enough memory"
    return None


def serve_maker(name: str, game: Game, folder: Path, share: Any, answer: Connection) -> None:
    """Make a table behind all other work, in a process of its own, and end with the parent."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(OSError):
        os.nice(LOWEST_PRIORITY)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_GO)

    def progress(done: int, total: int) -> None:
        share.value = done / max(1, total)

    answer.send(make_table(name, game, folder, progress))
