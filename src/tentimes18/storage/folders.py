"""Where things are kept: in a folder that the environment names, or in this program's of the user's own."""

import os
from pathlib import Path
from typing import Final

__all__ = ["CACHE_VARIABLE", "DATA_VARIABLE", "cache_folder", "data_folder"]

CACHE_VARIABLE: Final = "TEN18_CACHE"
DATA_VARIABLE: Final = "TEN18_DATA"


def cache_folder() -> Path:
    """Where solved tables are kept: they can be made again."""
    if folder := os.environ.get(CACHE_VARIABLE):
        return Path(folder)
    from platformdirs import user_cache_path

    return user_cache_path("tentimes18", appauthor=False)


def data_folder() -> Path:
    """Where the player's games are kept: they cannot."""
    if folder := os.environ.get(DATA_VARIABLE):
        return Path(folder)
    from platformdirs import user_data_path

    return user_data_path("tentimes18", appauthor=False)
