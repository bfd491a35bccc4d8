"""Where the solved table of a game is kept: a name that a person can read, and that no other game has."""

import hashlib
import re
from pathlib import Path

from tentimes18.game import Game
from tentimes18.storage.folders import cache_folder

__all__ = ["table_path"]


def table_path(kind: str, game: Game, folder: Path | None = None) -> Path:
    """The file of a table, whether it is there or not.

    >>> table_path("response", Game.classic(), Path("kept")).name
    'response-3d6-1-10-00e2c3dc2834.table'
    """
    readable = re.sub(r"[^a-z0-9]+", "-", str(game).lower()).strip("-")[:40]
    mark = hashlib.blake2b(str(game).encode(), digest_size=6).hexdigest()
    return (folder or cache_folder()) / f"{kind}-{readable}-{mark}.table"
