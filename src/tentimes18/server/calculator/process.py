"""The process that answers questions: one after another, read from standard input, answered on standard output.

It ends when its input does, also in the midst of a question, so that it never outlives the process that asks; a timer
of the system ends it where a question takes longer than that process would wait. Memory beyond what it is told to keep
to is not given to it. What is written there to standard output otherwise goes to standard error.

Both ways go frames: a letter that says what it is, the length in four bytes, and JSON.
"""

import json
import os
import signal
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from struct import Struct
from threading import Thread
from typing import Any, BinaryIO, Final, TypeAlias

from tentimes18.errors import Ten18Error, TooLarge, quoted
from tentimes18.files import LIMIT_VARIABLE
from tentimes18.plan import MEMORY_VARIABLE, TIME_VARIABLE, Limits
from tentimes18.solve.parallel import thread_count
from tentimes18.tables import table_cache

__all__ = [
    "ANSWER",
    "ERROR",
    "FAULT",
    "FRAME",
    "NO_MEMORY",
    "QUESTION",
    "READY",
    "SETTINGS",
    "Question",
    "answer_bytes",
    "answer_questions",
]

FRAME: Final = Struct("!cI")
SETTINGS: Final = b"S"  # the first: what to keep to
QUESTION: Final = b"Q"
READY: Final = b"R"
ANSWER: Final = b"A"
ERROR: Final = b"E"  # of the core: its kind, its problem, its field and what was given
NO_MEMORY: Final = b"M"  # and this process ends
FAULT: Final = b"F"

GRACE: Final = 5.0  # seconds that the asking process has to end this one first
KEPT_SHARE: Final = 0.5  # of the memory of a question, for solved tables
LIBRARIES: Final = 300_000_000  # bytes: numpy, numba and what they load
STACK: Final = 16_000_000  # of a thread
NICE: Final = 5  # moves go first
MOST_ANSWER_BYTES: Final = 4_000_000

Question: TypeAlias = Callable[..., Mapping[str, object]]
"""Takes the limits of the process and the data of the question by name, and gives the answer."""


def answer_questions(questions: Mapping[str, Question]) -> None:
    """Answer until the input ends."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    frames = _received(os.fdopen(os.dup(0), "rb", buffering=0))
    _, settings = next(frames)
    _keep_to(float(settings["memory"]), float(settings["seconds"]))
    _send(output, READY)
    for _, asked in frames:
        _set_alarm(asked["seconds"] + GRACE)
        kind, body = _answer(questions, asked["question"], asked["data"])
        _set_alarm(0)
        _send(output, kind, body)
        if kind == NO_MEMORY:
            return


def _answer(questions: Mapping[str, Question], name: str, data: Mapping[str, Any]) -> tuple[bytes, bytes]:
    try:
        return ANSWER, answer_bytes(questions[name](Limits.here(), **data))
    except Ten18Error as error:
        given = error.given if error.given is None or isinstance(error.given, str) else quoted(error.given)
        told = {"kind": type(error).__name__, "problem": error.problem, "field": error.field, "given": given}
        return ERROR, json.dumps(told).encode()
    except MemoryError:
        return NO_MEMORY, b""
    except Exception:
        traceback.print_exc()
        return FAULT, b""


def answer_bytes(answer: Mapping[str, object]) -> bytes:
    r"""The answer as the command writes it: one line of JSON.

    >>> answer_bytes({"best": 4})
    b'{"best": 4}\n'
    """
    found = (json.dumps(answer, ensure_ascii=False) + "\n").encode(errors="replace")
    if len(found) > MOST_ANSWER_BYTES:
        raise TooLarge(
            f"the answer takes {len(found) / 1e6:.1f} MB, at most {MOST_ANSWER_BYTES / 1e6:g} MB are sent: "
            "ask for a summary, or for plain numbers"
        )
    return found


def _keep_to(memory: float, seconds: float) -> None:
    """What a job may take, for whoever looks at the limits of this process, and what the system gives it at all.

    A table that somebody else has made is read from disk; none that is made here is kept there, where it would take the
    place of others.
    """
    os.environ |= {MEMORY_VARIABLE: f"{memory:.0f}", TIME_VARIABLE: f"{seconds:.3f}", LIMIT_VARIABLE: "0"}
    table_cache.max_bytes = int(KEPT_SHARE * memory)
    for number in ("SIGINT", "SIGHUP"):  # meant for the process that asks
        if hasattr(signal, number):
            signal.signal(getattr(signal, number), signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(NICE)
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = int(_data_size() + LIBRARIES + STACK * thread_count() + (1 + 2 * KEPT_SHARE) * memory)
        hardest = resource.getrlimit(resource.RLIMIT_DATA)[1]
        if hardest == resource.RLIM_INFINITY or most < hardest:
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _data_size() -> int:
    """The bytes that the limit counts, as far as the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _set_alarm(seconds: float) -> None:
    """Have the system end this process after so long, whatever it does then."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _received(source: BinaryIO) -> Iterator[tuple[bytes, Any]]:
    """The frames of the input; where it ends, so does this process."""
    frames: SimpleQueue[tuple[bytes, Any]] = SimpleQueue()

    def read() -> None:
        with suppress(OSError):
            while head := _exactly(source, FRAME.size):
                kind, size = FRAME.unpack(head)
                frames.put((kind, json.loads(_exactly(source, size))))
        os._exit(0)

    Thread(target=read, daemon=True).start()
    while True:
        yield frames.get()


def _exactly(source: BinaryIO, size: int) -> bytes:
    """So many bytes; none at the end."""
    found = b""
    while len(found) < size:
        part = source.read(size - len(found))
        if not part:
            return b""
        found += part
    return found


def _send(output: BinaryIO, kind: bytes, body: bytes = b"") -> None:
    output.write(FRAME.pack(kind, len(body)) + body)
    output.flush()
