"""Numba functions whose machine code is cached on disk.

Numba's own cache does the work. This module chooses its folder and covers three cases that numba does not:

- The code of a kernel contains that of the kernels it calls, but numba's index looks at the kernel's own file only. So
  the name of the folder is a digest of the other files whose kernels are called, and of the constants that are
  imported: when a callee is edited, its callers are compiled again and no other kernels.
- Two processes that compile one function for two types may choose the same name for their code, and numba's index then
  gives one of them the code of the other. So each function has a lock file.
- No folder can be written, the disk is full, or a file is damaged: then the code is compiled in each run.

The code is run, so a cache folder that other users can write is not used. The folder beside the source is protected
like the source, and `NUMBA_CACHE_DIR` is the user's choice.
"""

import os
import warnings
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from pickle import UnpicklingError
from tempfile import TemporaryFile
from threading import RLock
from typing import Any, TypeVar

from filelock import FileLock

from tentimes18.errors import CacheWarning, Ten18Error
from tentimes18.files import CACHE_VARIABLE, COMPILED, cache_folder

try:
    import numba
except ValueError as error:  # of a variable such as NUMBA_NUM_THREADS
    raise Ten18Error(f"numba rejects an environment variable NUMBA_...: {error}") from None

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.config
_files: dict[Any, set[str]] = {}  # the source files of each kernel and of those it calls
_turn = RLock()  # before a file lock: a thread that waits for it holds no lock of numba


def compiled(**options: Any) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function when it is called, without the interpreter's lock.

    >>> @compiled()
    ... def double(number):
    ...     return 2 * number
    >>> double(21)
    42
    """

    def decorate(function: Function) -> Function:
        folder = _folder()
        if folder is None or _config.DISABLE_JIT:
            return numba.njit(nogil=True, **options)(function)  # type: ignore[no-any-return]
        values, own_file = function.__globals__, function.__code__.co_filename
        files = {own_file}.union(*(_files[value] for value in values.values() if value.__hash__ and value in _files))
        numbers = sorted((name, value) for name, value in values.items() if isinstance(value, int | float))
        sources = [_content(path) for path in sorted(files - {own_file})]
        digest = blake2b(repr((sources, numbers)).encode(), digest_size=8).hexdigest()
        default, _config.CACHE_DIR = _config.CACHE_DIR, str(folder / digest)
        try:
            kernel = numba.njit(nogil=True, cache=True, **options)(function)
            _compile_in_turn(kernel)
        except RuntimeError:  # there is no source file: typed at a prompt, or inside an archive
            kernel = numba.njit(nogil=True, **options)(function)
        finally:
            _config.CACHE_DIR = default
        _files[kernel] = files
        return kernel  # type: ignore[no-any-return]

    return decorate


def _compile_in_turn(kernel: Any) -> None:
    compile_now = kernel.compile
    name = f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}".replace("<", "").replace(">", "")
    path = Path(kernel._cache.cache_path) / f"{name}.lock"

    def compile_in_turn(signature: Any) -> Any:
        with _turn, ExitStack() as stack:
            with suppress(OSError):  # a disk that is only read may have the code
                stack.enter_context(FileLock(path))  # not shared with a fork of this process
            try:
                return compile_now(signature)
            except (OSError, EOFError, UnpicklingError) as error:
                _warn(f"compiled code cannot be stored in {kernel._cache.cache_path} ({error})")
                kernel._cache.disable()
                return compile_now(signature)

    kernel.compile = compile_in_turn


def is_compiling() -> bool:
    """Whether another thread compiles a function now."""
    is_idle = _turn.acquire(blocking=False)
    if is_idle:
        _turn.release()
    return not is_idle


@cache
def _folder() -> Path | None:
    """Return the folder of all compiled code, or None with a warning."""
    if chosen := _config.CACHE_DIR:
        return Path(chosen) / "tentimes18"
    source = Path(__file__).resolve().parent / "__pycache__"
    if _can_be_written(source):
        return source
    folder = cache_folder() / COMPILED
    if _can_be_written(folder) and _is_private(folder.parent) and _is_private(folder):
        return folder
    if any(source.glob("*/*/*.nbi")):  # compiled by the user who installed the package
        return source
    _warn(f"compiled code can be kept neither in {source.parent} nor in {cache_folder()}")
    return None


def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _is_private(folder: Path) -> bool:
    status = folder.lstat()
    return os.name == "nt" or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


@cache
def _content(path: str) -> bytes:
    return blake2b(Path(path).read_bytes(), digest_size=16).digest()


@cache  # each warning once
def _warn(problem: str) -> None:
    advice = f"set {CACHE_VARIABLE} to a folder of your own"
    warnings.warn(f"{problem}, so every run compiles it again: {advice}", CacheWarning, stacklevel=2)
