"""The process that answers questions: it runs one declared query after another, within limits.

It imports no part of the web framework, so that it is small and starts quickly.
"""

import json
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, TypeAlias

from tentimes18 import limits
from tentimes18.errors import Ten18Error, TooLarge, quoted
from tentimes18.files import LIMIT_VARIABLE
from tentimes18.queries import QUERIES, to_json
from tentimes18.server.game_limits import read_dice, verify_game_of
from tentimes18.server.settings import DATABASE_VARIABLE, SECRET_VARIABLE
from tentimes18.solve.parallel import thread_count
from tentimes18.tables import table_cache

Function: TypeAlias = Callable[[str, Mapping[str, Any]], bytes]
"""Answers a question, given its name and its parameters."""

PLANNED_SECONDS = 4.0  # of one core, for a question
GRACE = 5.0  # seconds until the system kills the process, if nobody else does
KEPT_SHARE = 0.5  # of the memory of a question, for solved tables
LIBRARIES = 300_000_000  # bytes: numpy, numba and what they load
STACK = 16_000_000  # bytes of a thread
NICE = 5  # moves go first
MAX_ANSWER_BYTES = 4_000_000
NO_MEMORY = 77  # exit code
FAULT = "fault"


class Failure(NamedTuple):
    """What a process gives in place of an answer: an error of ours, as plain text."""

    kind: str
    problem: str = ""
    field: str | None = None
    value: str | None = None


def answer_query(name: str, data: Mapping[str, Any]) -> bytes:
    """Run a declared query, within the limits of games for strangers: the same bytes as the command writes.

    Games ask for the slot of a bot and for the chances in a duel here, too.
    """
    if name not in QUERIES:
        from tentimes18.server import bot_process  # compiled code, which other questions do without

        return json.dumps(bot_process.QUESTIONS[name](**data)).encode()
    verify_game_of(data["record"] if isinstance(data.get("record"), Mapping) else data)
    for dice in data["dice"] if isinstance(data.get("dice"), list) else ():
        read_dice(dice)
    body = to_json(QUERIES[name](**data)) + b"\n"
    if len(body) > MAX_ANSWER_BYTES:
        size = f"the answer takes {len(body) / 1e6:.1f} MB, at most {MAX_ANSWER_BYTES / 1e6:g} MB are sent"
        raise TooLarge(f"{size}: ask for a summary, or for plain numbers")
    return body


def run(function: Function, name: str, data: dict[str, Any], seconds: float) -> bytes | Failure:
    """Answer a question."""
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE)  # the system ends this process, whatever it does then
    try:
        return function(name, data)
    except Ten18Error as error:
        value = error.value if error.value is None or isinstance(error.value, str) else quoted(error.value)
        return Failure(type(error).__name__, error.problem, error.field, value)
    except MemoryError:
        os._exit(NO_MEMORY)
    except Exception:
        traceback.print_exc()
        return Failure(FAULT)
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
        os._exit(1)


def _data_size() -> int:
    """The bytes that the limit counts, as far as the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
