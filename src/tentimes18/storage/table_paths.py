"""Where the solved table of a game is kept: a name that a person can read, and that no other game has."""

import hashlib
import re
from pathlib import Path

from tentimes18.files import cache_folder
from tentimes18.game import Game

__all__ = ["is_kept", "table_path"]


def table_path(kind: str, game: Game, folder: Path | None = None) -> Path:
    """The file of a table, whether it is there or not.

    >>> table_path("response", Game.classic(), Path("kept")).name
    'response-3d6-1-10-00e2c3dc2834.table'
    """
    readable = re.sub(r"[^a-z0-9]+", "-", str(game).lower()).strip("-")[:40]
    mark = hashlib.blake2b(str(game).encode(), digest_size=6).hexdigest()
    return (folder or cache_folder()) / f"{kind}-{readable}-{mark}.table"


def is_kept(kind: str, game: Game, folder: Path | None = None) -> bool:
    """Whether there seems to be such a file; it is looked into only when it is asked for.

    >>> is_kept("response", Game.classic(), Path("nowhere"))
    False
    """
    try:
        return table_path(kind, game, folder).is_file()
    except OSError:  # a folder that may not be looked into
        return False
