"""The command as a user runs it."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

__all__ = ["TEN18", "Result", "Run", "clean_environment"]

TEN18: Final = Path(sys.prefix) / "bin" / "ten18"


@dataclass(frozen=True, slots=True)
class Result:
    """What a run of the command left behind."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Result]


def clean_environment(changes: Mapping[str, str]) -> dict[str, str]:
    """The environment without what makes a terminal of a pipe, or the other way round."""
    removed = (
        "COLUMNS",
        "LINES",
        "NO_COLOR",
        "FORCE_COLOR",
        "PY_COLORS",
        "CLICOLOR",
        "GITHUB_ACTIONS",
        "TERMINAL_WIDTH",
    )
    kept = {name: text for name, text in os.environ.items() if name not in removed and not name.startswith("PYTHON")}
    return kept | dict(changes)
