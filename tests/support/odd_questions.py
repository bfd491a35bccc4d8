"""A process that answers as those of the service do, but questions that none should have: slow, greedy, deadly ones."""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tentimes18.plan import Limits
from tentimes18.server.calculator.process import answer_questions

__all__ = ["COMMAND", "ODD_QUESTIONS"]

COMMAND: Final = (sys.executable, "-P", str(Path(__file__)))

Answer = Mapping[str, object]
_ASKED: Final[list[object]] = []


def _sleep(_: Limits, *, seconds: float) -> Answer:
    time.sleep(seconds)
    return {"slept": seconds}


def _never(_: Limits, **data: object) -> Answer:
    time.sleep(600)
    return data


def _count(_: Limits, **data: object) -> Answer:
    """How many such questions this process was asked."""
    _ASKED.append(data)
    return {"asked": len(_ASKED)}


def _hold(_: Limits) -> Answer:
    """One operation that lets no other thread run for minutes, nor any function that handles a signal."""
    return {"rest": ((1 << (1 << 26)) - 1) % ((1 << (1 << 25)) - 1)}


def _greedy(_: Limits, *, size: int) -> Answer:
    return {"size": len(bytearray(size))}


def _limits(limits: Limits) -> Answer:
    return {"memory": limits.memory, "seconds": limits.seconds}


def _die(_: Limits) -> Answer:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def _fail(_: Limits) -> Answer:
    raise RuntimeError("a fault")


def _print(_: Limits) -> Answer:
    sys.stdout.write("this is no answer\n")
    sys.stdout.flush()
    return {"pid": os.getpid()}


ODD_QUESTIONS: Final[Mapping[str, Callable[..., Answer]]] = {
    "sleep": _sleep,
    "target": _never,
    "count": _count,
    "hold": _hold,
    "greedy": _greedy,
    "limits": _limits,
    "die": _die,
    "fail": _fail,
    "print": _print,
}

if __name__ == "__main__":
    answer_questions(ODD_QUESTIONS)
