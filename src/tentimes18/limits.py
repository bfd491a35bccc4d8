"""Size limits: a job states its bytes and operations, and one that is beyond the limit is rejected before it starts.

The limits belong to the process. `TEN18_MEMORY` (for example 16G) sets the bytes, and `TEN18_TIME` (for example 10m)
the operations that one core does in about that time. The server sets lower limits in the processes that answer
strangers.
"""

import os
import re
from math import inf

from tentimes18.errors import Ten18Error, TooLarge

MAX_BYTES = 8e9
MAX_OPERATIONS = 1e14  # a day on one core, about
OPERATIONS_PER_SECOND = 1e9
MEMORY_VARIABLE = "TEN18_MEMORY"
TIME_VARIABLE = "TEN18_TIME"

_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) ?(?:([kmgt])(i?))?b?", re.IGNORECASE)
_DURATION = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) ?([smhd]?)", re.IGNORECASE)
_process_limits: dict[str, float] = {}


def set_limits(*, max_bytes: float, max_operations: float) -> None:
    """Set the limits of this process, whatever the environment says."""
    _process_limits.update(bytes=max_bytes, operations=max_operations)


def max_bytes() -> float:
    """The memory that one job may take in this process."""
    if _process_limits:
        return _process_limits["bytes"]
    text = os.environ.get(MEMORY_VARIABLE)
    return read_size(text) if text else MAX_BYTES


def max_operations() -> float:
    """The operations that one job may take in this process."""
    if _process_limits:
        return _process_limits["operations"]
    text = os.environ.get(TIME_VARIABLE)
    return read_duration(text) * OPERATIONS_PER_SECOND if text else MAX_OPERATIONS


def check_size(job: str, *, bytes: float = 0, operations: float = 0, field: str | None = "slots") -> None:  # noqa: A002
    """Raise `TooLarge` if a job needs more memory or elementary steps, from counts, than the limits of this process.

    ``job`` is what it computes, as the subject of a sentence, and ``field`` the parameter to blame.

    >>> check_size("the table of 3d6 1-40", bytes=3.2e12)
    Traceback (most recent call last):
    tentimes18.errors.TooLarge: slots: the table of 3d6 1-40 needs 3.2 TB of memory; the limit is 8 GB
    """
    most = max_bytes()
    if bytes > most:
        raise TooLarge(f"{job} needs {show_bytes(bytes)} of memory; the limit is {show_bytes(most)}", field)
    most = max_operations()
    if operations > most:
        raise TooLarge(f"{job} needs {_power(operations)} operations; the limit is {_power(most)}", field)


def power_of_two(exponent: int) -> float:
    """2^exponent as a count for `check_size`, infinite where it is too large for a float.

    >>> power_of_two(10), power_of_two(200_000)
    (1024.0, inf)
    """
    return 2.0**exponent if exponent < 1000 else inf


def as_float(count: int) -> float:
    """An integer as a count for `check_size`, infinite where it is too large for a float."""
    return float(count) if count < 10**300 else inf


def read_size(text: str) -> float:
    """Read a size in bytes.

    >>> read_size("500M"), read_size("1.5 GB"), read_size("2GiB")
    (500000000.0, 1500000000.0, 2147483648.0)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise Ten18Error("cannot read it; accepted: 500M, 8G, 2GiB", MEMORY_VARIABLE, text)
    power = " kmgt".index((match[2] or " ").lower())
    return float(float(match[1]) * (1024 if match[3] else 1000) ** power)


def read_duration(text: str) -> float:
    """Read a duration in seconds.

    >>> read_duration("90"), read_duration("10m")
    (90.0, 600.0)
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise Ten18Error("cannot read it; accepted: 600, 90s, 10m, 2h", TIME_VARIABLE, text)
    return float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}[match[2].lower()]


def show_bytes(size: float) -> str:
    """Write a size for people.

    >>> show_bytes(8e9), show_bytes(1234), show_bytes(float("inf"))
    ('8 GB', '1.23 kB', 'more than 10^24 bytes')
    """
    if size >= 1e24:
        return "more than 10^24 bytes"
    units = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB")
    power = next(power for power in range(len(units)) if size < 999.5 * 1000**power)
    return f"{size / 1000**power:.3g} {units[power]}"


def _power(count: float) -> str:
    if count >= 1e300:
        return "more than 10^300"
    digits, exponent = f"{count:.1e}".split("e")
    return f"{digits}·10^{int(exponent)}"
