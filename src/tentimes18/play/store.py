"""Who keeps games in play: what a game needs of its keeper, and nothing about files or databases.

A game is begun in a store, which gives a handle on it; through that it is kept after every roll and every move, and
dropped when it is finished or given up. Finished games are added to the same store. Whoever plays a game holds its
lock, and a lock never outlives the one who holds it. What cannot be kept raises ``OSError``, whatever the store is made
of: the game then goes on, and says so.

The user's history on disk (`records.history`) is a store.
"""

from collections.abc import Sequence
from typing import Protocol

from tentimes18.records.notation import Record

__all__ = ["KeptGame", "Store"]


class KeptGame(Protocol):
    """An unfinished game that a store keeps."""

    @property
    def kept_at(self) -> float:
        """When it was kept last, in seconds as `time.time` counts them."""
        ...

    def keep(self, record: Record) -> None:
        """Keep the game as it stands now, whole or not at all."""
        ...

    def read(self) -> Record:
        """The game as it was kept last; raises ``ValueError`` where that cannot be understood."""
        ...

    def drop(self) -> None:
        """Keep it no longer, and leave it to nobody; to drop it again does nothing."""
        ...

    def lock(self) -> bool:
        """Take it, so that nobody else plays it; whether that worked, or was so before."""
        ...

    def unlock(self) -> None:
        """Leave it to others."""
        ...


class Store(Protocol):
    """The games of a player: those that are finished, and those in play."""

    @property
    def place(self) -> str:
        """Where the games are, as a message says it."""
        ...

    def begin(self, record: Record) -> KeptGame:
        """A game that is kept from now on, and locked; where that fails, nothing of it is left."""
        ...

    def unfinished(self) -> Sequence[tuple[KeptGame, Record]]:
        """The games that nobody plays now, the latest first; one that cannot be read is passed over."""
        ...

    def add(self, record: Record) -> None:
        """Put a finished game behind all others."""
        ...

    def holds(self, record: Record) -> bool:
        """Whether this game is among the finished ones."""
        ...
