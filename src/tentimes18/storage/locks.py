"""One at a time, across processes: a lock of the operating system on a file.

Whoever holds it, however that process ends, gives it back by ending. The file stays: one that is removed while another
waits for it would let two in.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["is_held", "only_one"]


@contextmanager
def only_one(path: Path) -> Iterator[bool]:
    """Whether this is the one inside, at once; raises ``OSError`` where the file cannot be made.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with only_one(Path(folder) / "a.lock") as first, only_one(Path(folder) / "a.lock") as second:
    ...         first, second, is_held(Path(folder) / "a.lock")
    ...     is_held(Path(folder) / "a.lock")
    (True, False, True)
    False
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield _taken(descriptor, fcntl.LOCK_EX)
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock; nobody does where there is no such file."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _taken(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _taken(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
