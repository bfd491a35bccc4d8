"""Where things are kept: in a folder that the environment names, or in this program's of the user's own.

A user without a home has none: what is kept there meets an ``OSError``, as in a folder that cannot be written.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

__all__ = ["CACHE_VARIABLE", "DATA_VARIABLE", "cache_folder", "data_folder"]

CACHE_VARIABLE: Final = "TEN18_CACHE"
DATA_VARIABLE: Final = "TEN18_DATA"
NOWHERE: Final = Path(os.devnull)  # nobody can make a folder in it


def cache_folder() -> Path:
    """Where solved tables are kept: they can be made again."""
    if folder := os.environ.get(CACHE_VARIABLE):
        return Path(folder)
    from platformdirs import user_cache_path

    return _own(user_cache_path)


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
