"""Compiled functions, kept on disk so that the next run need not compile them again.

They are kept beside their source where that can be written, else in the user's cache folder; NUMBA_CACHE_DIR names
another place. Where none can be written those are used that are there already, as in an image that was made with them;
else they are compiled anew in every run: a warning says so, once.

A compiled function contains those that it calls, also from other files. So what is kept fits the source of a whole
folder, and is not used any more when one file of it changes. And it is code that will be run, unlike the numbers of a
table: in a cache folder that others can write it is neither kept nor looked for.

Where several processes want the same function at once, one compiles it and the others wait: their processors have
better things to do, and no index loses what another wrote into it.
"""

import hashlib
import os
import stat
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.compiler_lock import global_compiler_lock

from tentimes18.errors import NotKept
from tentimes18.storage.folders import CACHE_VARIABLE, cache_folder
from tentimes18.storage.inventory import KERNELS, LOCK, MARK
from tentimes18.storage.locks import in_turn

__all__ = ["compiled", "folder_for"]

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(**options: Any) -> Callable[[Function], Function]:
    """A decorator: the function, compiled when it is first called, without the interpreter's lock, and kept.

    >>> @compiled()
    ... def double(number):
    ...     return 2 * number
    >>> double(21)
    42
    """

    def decorate(function: Function) -> Function:
        kernel = numba.njit(nogil=True, **options)(function)
        with suppress(RuntimeError):  # there is no place for it
            kernel._cache = _Kept(function)  # type: ignore[no-untyped-call]
            kernel.compile = _once_for_all(kernel)
        return kernel  # type: ignore[no-any-return]

    return decorate


def _once_for_all(kernel: Any) -> Callable[..., Any]:
    """What compiles a kernel, or finds it on disk, without another process at the same work.

    Numba's own lock comes first: a thread that waits for it holds no turn that the thread inside may need.
    """
    compile_here, folder, name = kernel.compile, Path(kernel._cache.cache_path), kernel._cache._impl.filename_base

    def compile_in_turn(signature: Any) -> Any:
        with global_compiler_lock, in_turn(folder / LOCK, name):
            return compile_here(signature)

    return compile_in_turn


@cache
def folder_for(source: Path) -> Path | None:
    """Where the compiled functions of this folder of source are kept; a warning where that is nowhere."""
    for place, is_ours in _places(source):
        if _can_be_written(place, is_ours=is_ours):
            return place
    for place, is_ours in _places(source):
        if not is_ours and any(place.glob("*.nbi")):  # made by whoever installed it
            return place
    _complain(f"compiled code can be kept neither in {source} nor in {cache_folder()}")
    return None


def _places(source: Path) -> Iterator[tuple[Path, bool]]:
    """The folders to try, and whether it is up to us that nobody else writes there."""
    name = _stamp(source).rpartition(" ")[2][:16]
    if given := getattr(numba.config, "CACHE_DIR", ""):
        yield Path(given) / f"tentimes18-{name}", False
    yield source / "__pycache__", False
    yield cache_folder() / KERNELS / name, True


def _can_be_written(folder: Path, *, is_ours: bool) -> bool:
    try:
        if is_ours:
            cache, kernels = folder.parents[1], folder.parent
            cache.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _keeps_names(cache.stat()):
                return False
            for part in (kernels, folder):
                part.mkdir(mode=0o700, exist_ok=True)
                if not _is_private(part.lstat()):
                    return False
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
        os.utime(folder)  # used last
    except OSError:
        return False
    return True


def _is_private(status: os.stat_result) -> bool:
    """Whether this is a folder, no link to one, that nobody else writes to."""
    is_folder = stat.S_ISDIR(status.st_mode)
    return is_folder and (os.name == "nt" or (status.st_uid == os.geteuid() and not status.st_mode & 0o022))


def _keeps_names(status: os.stat_result) -> bool:
    """Whether nobody else puts another folder in the place of ours: not even between a look at it and its use."""
    if os.name == "nt":
        return True
    is_shared = status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX
    return status.st_uid in (0, os.geteuid()) and not is_shared


@cache
def _stamp(source: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(source.glob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)} ".encode() + content)
    return f"{MARK} {digest.hexdigest()}"


@cache  # the same is said once
def _complain(what: str) -> None:
    advice = f"set {CACHE_VARIABLE} to a folder of your own"
    warnings.warn(f"{what}, so every run compiles it anew: {advice}", NotKept, stacklevel=2)


class _Place(_CacheLocator):
    """Tells numba where a function is kept, and what it was made of."""

    def __init__(self, source: Path, folder: Path, line: int) -> None:
        self._source = source
        self._folder = folder
        self._line = line

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return _stamp(self._source)

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_Place | None":
        if not Path(py_file).is_file():  # typed at a prompt, or inside of an archive
            return None
        source = Path(py_file).resolve().parent
        folder = folder_for(source)
        return None if folder is None else cls(source, folder, py_func.__code__.co_firstlineno)


class _Places(CompileResultCacheImpl):
    _locator_classes = [_Place]  # type: ignore[list-item]  # noqa: RUF012


class _Kept(FunctionCache):
    """The compiled forms of a function on disk: what is damaged or cannot be written costs time, and nothing else."""

    _impl_class = _Places

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # whatever reading a damaged file leads to
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            _complain(f"compiled code cannot be kept in {self.cache_path} ({error.strerror or error})")
