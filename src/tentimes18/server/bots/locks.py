"""A lock of the operating system on a file, across processes: the process that holds it gives it back when it ends.

A process that was started with the descriptor of the lock holds it too, which `filelock` does not offer. The file
stays: if it were deleted while another process waits for it, two processes could hold the lock.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def only_one(path: Path) -> Iterator[int | None]:
    """Yield the descriptor of the lock, or None if another process has it; raise ``OSError`` if there can be no file.

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
        yield descriptor if _take(descriptor, fcntl.LOCK_EX) else None
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Return whether a process holds the lock; nobody does if there is no such file."""
    with suppress(OSError), path.open("rb") as file:
        return not _take(file.fileno(), fcntl.LOCK_SH)
    return False


def _take(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
