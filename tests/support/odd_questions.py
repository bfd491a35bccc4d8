"""Questions that nobody should ask a process: slow, greedy and deadly ones. `answer` takes the place of the queries."""

import json
import os
import signal
import time
from collections.abc import Mapping
from typing import Any

from tentimes18 import limits

_asked: list[object] = []


def answer(question: str, data: Mapping[str, Any]) -> bytes:
    return json.dumps(_answer(question, dict(data))).encode()


def _answer(question: str, data: dict[str, Any]) -> object:
    match question:
        case "sleep" | "target":
            time.sleep(data.get("seconds", 600))
            return {"slept": data["seconds"]}
        case "count":  # how many such questions this process was asked
            _asked.append(data)
            return {"asked": len(_asked)}
        case "hold":  # one operation that lets no other thread run for minutes, nor any handler of a signal
            return {"rest": ((1 << (1 << 26)) - 1) % ((1 << (1 << 25)) - 1)}
        case "greedy":
            return {"size": len(bytearray(data["size"]))}
        case "limits":
            names = ("TEN18_SECRET", "TEN18_DATABASE_URL")
            return {"bytes": limits.max_bytes(), "secrets": [name for name in names if name in os.environ]}
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "pid":
            return {"pid": os.getpid()}
    raise RuntimeError("a fault")
