"""What is refused of JSON before anybody reads it: a name that is given twice, a number too long, too many levels.

Of a name that is given twice readers keep the first, or the last, or both: whoever stands between may have understood
something else. What is no JSON at all is for whoever reads it to say.
"""

import json
import sys
from typing import Any, Final

from tentimes18.errors import quoted
from tentimes18.server.problems import Problem

__all__ = ["MOST_LEVELS", "verify_json"]

MOST_LEVELS: Final = 50  # of lists and objects within each other


def verify_json(body: bytes) -> None:
    """Raise a ``Problem`` where this is JSON that nobody should have to read.

    >>> verify_json(b'{"round": 1, "slot": 5}')
    >>> verify_json(b'{"round": 1, "round": 2}')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tentimes18.server.problems.Problem: ...
    """
    try:
        value = _DECODER.decode(body.decode(json.detect_encoding(body)))
    except RecursionError:
        raise _too_deep() from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        return
    except ValueError:  # the one that is left: of a number that Python does not read
        most = sys.get_int_max_str_digits()
        raise Problem("bad-request", f"too large a number; accepted: at most {most:,} digits") from None
    if body.count(b"[") + body.count(b"{") > MOST_LEVELS and _is_deep(value):
        raise _too_deep()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Problem("bad-request", f"{quoted(twice)} is given twice in one object; accepted: each name once")
    return found


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object)


def _too_deep() -> Problem:
    return Problem("bad-request", f"lists and objects too deep in each other; accepted: at most {MOST_LEVELS} levels")


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MOST_LEVELS + 1):
        within = [part for part in level if isinstance(part, list | dict)]
        if not within:
            return False
        level = [inner for part in within for inner in (part if isinstance(part, list) else part.values())]
    return True
