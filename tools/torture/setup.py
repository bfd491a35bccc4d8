"""What every class of the torture gets: folders, a PostgreSQL that waits for the disk, a service, chance."""

import random
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.support.postgres import Postgres, running_postgres
from tests.support.service import Server, serving

KINDS = ("sqlite", "postgresql")
QUIET: Mapping[str, str] = {"TEN18_ACCESS_LOG": "off"}
Choice = TypeVar("Choice")


@dataclass(slots=True)
class Setup:
    """A folder, how thorough to be, and chance."""

    folder: Path
    is_short: bool
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

    @property
    def postgres(self) -> Postgres:
        """A PostgreSQL that waits for the disk, started when it is first asked for."""
        if self._postgres is None:
            self._postgres = self._stack.enter_context(running_postgres(durable=True))
        return self._postgres

    @property
    def server(self) -> Server:
        """A service on SQLite without rate limits, for those who do it no harm."""
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
def set_up(*, is_short: bool, seed: int | None = None) -> Iterator[Setup]:
    """Set up, and clear away at the end."""
    with tempfile.TemporaryDirectory(prefix="ten18-torture-") as folder, ExitStack() as stack:
        yield Setup(Path(folder), is_short, random.Random(seed), stack)
