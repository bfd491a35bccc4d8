"""A user's own code as a strategy or a utility, for callers who trust the source of the name.

A function (board, roll) -> slot is named ``module:function`` or ``file.py:function``, a utility of the score
``utility:module:function``. To find one is to import and run it: nothing that comes from a stranger may get here.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, SupportsIndex

from tentimes18.errors import IllegalMove, Ten18Error, quoted
from tentimes18.game import Board
from tentimes18.records.notation import format_moves
from tentimes18.solve.utilities import Utility
from tentimes18.strategies.named import OBJECTIVES, UnknownStrategy, named, utility_strategy
from tentimes18.strategies.strategy import KnownStrategy, Strategy

ACCEPTED_UTILITIES = "utility:exp:0.01, utility:power:0.5, or a Python function of the score like utility:math:sqrt"


class _PrintingAside:
    """Inside, prints go to standard error: standard output is for the answer. For several threads at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._output = sys.stdout

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._output, sys.stdout = sys.stdout, sys.stderr
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                sys.stdout = self._output


_printing_aside = _PrintingAside()


def find(name: str) -> Strategy:
    """The strategy of this name, or the user's own function of this module or file.

    >>> find("optimal").name, find("utility:math:sqrt").name
    ('optimal', 'utility:math:sqrt')
    """
    place, _, function = name.rpartition(":")
    is_module = all(part.isidentifier() for part in place.split(".")) and place not in OBJECTIVES
    if place.endswith(".py") or (is_module and function.isidentifier()):
        return FunctionStrategy(name, _function(name, place, function))
    return find_known(name)


def find_known(name: str) -> KnownStrategy:
    """The strategy of this name, whose distribution can be computed: also best play for a utility of the user's own."""
    kind, _, rest = name.partition(":")
    module, _, function = rest.rpartition(":")
    if kind != "utility" or not module or module in ("exp", "power"):
        return named(name)
    try:
        value = _function(name, module, function)
    except Ten18Error:
        raise UnknownStrategy(
            f"there is no utility {module}:{function}; accepted: {ACCEPTED_UTILITIES}", "strategy", name
        ) from None
    return utility_strategy(name, lambda _: Utility(value), key=(name, id(value)))


@dataclass(frozen=True, slots=True)
class FunctionStrategy:
    name: str
    function: Callable[[Board, int], int] = field(repr=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        """The slot that the function returns, checked."""
        try:
            with _printing_aside:
                slot = self.function(board, roll)
        except (Exception, SystemExit) as error:
            raise self._wrong(f"{type(error).__name__}: {str(error)[:100]}, {_position(board, roll)}") from error
        if not isinstance(slot, SupportsIndex) or isinstance(slot, bool):
            raise self._wrong(f"returned {quoted(slot)}, not a slot, {_position(board, roll)}")
        try:
            board.verify(slot.__index__())
        except IllegalMove as error:
            raise self._wrong(f"returned {quoted(slot.__index__())}: {error}, {_position(board, roll)}") from None
        return slot.__index__()

    def _wrong(self, problem: str) -> Ten18Error:
        return Ten18Error(problem, "strategy", self.name)


def _position(board: Board, roll: int) -> str:
    return f"for roll {roll} after {format_moves(board.placements) or 'no moves'}"


def _function(name: str, place: str, function: str) -> Callable[..., Any]:
    try:
        with _printing_aside:
            module = _module_of_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
        value = getattr(module, function)
    except (Exception, SystemExit) as error:
        raise Ten18Error(f"cannot load it: {type(error).__name__}: {error}", field="strategy", value=name) from None
    if not callable(value):
        raise Ten18Error(f"{function} is not a function", field="strategy", value=name)
    loaded: Callable[..., Any] = value
    return loaded


def _module_of_file(path: Path) -> ModuleType:
    name = f"tentimes18_strategy_{path.stem}"  # so that it is in nobody's way
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError(f"no file {str(path)!r}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where its dataclasses look for it
    if (folder := str(path.resolve().parent)) not in sys.path:
        sys.path.append(folder)  # its neighbours can be imported, and get in nobody's way
    spec.loader.exec_module(module)
    return module
