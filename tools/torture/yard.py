"""Where the torture takes place: folders, a PostgreSQL that waits for the disk, and what is written down of a test."""

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from tests.support.postgres import Postgres, running_postgres
from tests.support.service import Server, serving

__all__ = ["KINDS", "Row", "Yard", "yard"]

KINDS: Final = ("sqlite", "postgresql")
MOST_TOLD: Final = 5
Choice = TypeVar("Choice")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what was done, what was found, and what was wrong with it, if anything."""

    kind: str
    test: str
    figures: str
    wrong: tuple[str, ...] = ()
    measured: Mapping[str, float] = field(default_factory=dict)  # for what is computed from it

    @property
    def passes(self) -> bool:
        """Whether nothing was wrong."""
        return not self.wrong

    @staticmethod
    def told(complaints: list[str]) -> tuple[str, ...]:
        """The first complaints, and how many there are.

        >>> Row.told([]), Row.told(list("abcdefg"))
        ((), ('a', 'b', 'c', 'd', 'e', 'and 2 more'))
        """
        more = len(complaints) - MOST_TOLD
        return (*complaints[:MOST_TOLD], f"and {more:,} more") if more > 0 else tuple(complaints)


@dataclass(slots=True)
class Yard:
    """What every class of the table gets: how thorough to be, a folder, chance, and a way to say how far it is."""

    folder: Path
    is_short: bool
    tell: Callable[[str], None]
    chance: random.Random
    _stack: ExitStack
    _postgres: Postgres | None = None
    _server: Server | None = None
    _folders: int = 0

    def pick(self, whole: Choice, short: Choice) -> Choice:
        """The one for the whole table, or for its short form."""
        return short if self.is_short else whole

    def data(self) -> Path:
        """A new name for the data folder of a service."""
        self._folders += 1
        return self.folder / f"data-{self._folders}"

    def use(self, server: Postgres) -> None:
        """Take this PostgreSQL instead of one of its own."""
        self._postgres = server

    @property
    def postgres(self) -> Postgres:
        """A PostgreSQL that waits for the disk, started when it is first asked for."""
        if self._postgres is None:
            self._postgres = self._stack.enter_context(running_postgres(durable=True))
        return self._postgres

    @property
    def server(self) -> Server:
        """A service on SQLite for those who do it no harm, with all that it has but rate limits."""
        if self._server is None:
            self._server = self._stack.enter_context(serving(self.data()))
        return self._server

    @contextmanager
    def database(self, kind: str) -> Iterator[str | None]:
        """The address of a new database of this kind; None for the file in the data folder."""
        if kind == "sqlite":
            yield None
        else:
            with self.postgres.database() as url:
                yield url


@contextmanager
def yard(*, is_short: bool, tell: Callable[[str], None], seed: int | None = None) -> Iterator[Yard]:
    """A yard, cleared at the end."""
    with tempfile.TemporaryDirectory(prefix="ten18-torture-") as folder, ExitStack() as stack:
        yield Yard(Path(folder), is_short, tell, random.Random(seed), stack)
