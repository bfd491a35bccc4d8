"""Where things are kept: in a folder that the environment names, or in this program's of the user's own.

A user without a home has none: what is kept there meets an ``OSError``, as in a folder that cannot be written.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tentimes18.errors import Ten18Error
from tentimes18.plan import read_size

__all__ = ["CACHE_VARIABLE", "DATA_VARIABLE", "LIMIT_VARIABLE", "cache_folder", "cache_limit", "data_folder"]

CACHE_VARIABLE: Final = "TEN18_CACHE"
DATA_VARIABLE: Final = "TEN18_DATA"
LIMIT_VARIABLE: Final = "TEN18_CACHE_LIMIT"
DEFAULT_LIMIT: Final = "5GB"  # the largest table has 4
NOWHERE: Final = Path(os.devnull)  # nobody can make a folder in it


def cache_folder() -> Path:
    """Where solved tables are kept: they can be made again."""
    if folder := os.environ.get(CACHE_VARIABLE):
        return Path(folder)
    from platformdirs import user_cache_path

    return _own(user_cache_path)


def cache_limit() -> int | None:
    """How many bytes of solved tables are kept: what the environment names, or 5 GB; None where there is no limit.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, {LIMIT_VARIABLE: "1.5 GB"}):
    ...     cache_limit()
    1500000000
    """
    text = os.environ.get(LIMIT_VARIABLE) or DEFAULT_LIMIT
    if text.strip().lower() == "none":
        return None
    if (limit := read_size(text)) is None:
        raise Ten18Error(
            "not a size; accepted: 5GB, 500MB, 2GiB, 0 to keep none, or none for no limit", LIMIT_VARIABLE, text
        )
    return limit


def data_folder() -> Path:
    """Where the player's games are kept: they cannot."""
    if folder := os.environ.get(DATA_VARIABLE):
        return Path(folder)
    from platformdirs import user_data_path

    return _own(user_data_path)


def _own(find: Callable[..., Path]) -> Path:
    try:
        folder = find("tentimes18", appauthor=False)
    except RuntimeError:  # there is no home; older versions leave "~" in its place
        return NOWHERE / "tentimes18"
    return folder if folder.is_absolute() else NOWHERE / "tentimes18"
