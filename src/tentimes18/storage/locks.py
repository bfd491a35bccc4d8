"""One at a time, across processes: a lock of the operating system on a file.

Whoever holds it, however that process ends, gives it back by ending. The file stays: one that is removed while another
waits for it would let two in. There are two kinds: with ``only_one`` who comes second is told so at once, and a process
that was started with its descriptor holds the lock as well; with ``in_turn`` who comes second waits, and a process that
is inside may enter again.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

__all__ = ["in_turn", "is_held", "only_one"]


@contextmanager
def only_one(path: Path) -> Iterator[int | None]:
    """The descriptor of the lock, or None where another is inside, at once; ``OSError`` where there can be no file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with only_one(Path(folder) / "a.lock") as first, only_one(Path(folder) / "a.lock") as second:
    ...         first is None, second is None, is_held(Path(folder) / "a.lock")
    ...     is_held(Path(folder) / "a.lock")
    (False, True, True)
    False
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield descriptor if _taken(descriptor, fcntl.LOCK_EX) else None
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock; nobody does where there is no such file, or no locks."""
    with suppress(OSError), path.open("rb") as file:
        return not _taken(file.fileno(), fcntl.LOCK_SH)
    return False


@contextmanager
def in_turn(path: Path, name: str) -> Iterator[None]:
    """One process after the other inside, for each name; whoever cannot have the file need not wait.

    A name is one byte of the file, which this process keeps open: closing it would give back all that it holds there.
    """
    place = int.from_bytes(blake2b(name.encode(), digest_size=4).digest())
    with suppress(OSError):
        fcntl.lockf(_kept_open(path), fcntl.LOCK_EX, 1, place)
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.lockf(_kept_open(path), fcntl.LOCK_UN, 1, place)


@cache
def _kept_open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _taken(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
