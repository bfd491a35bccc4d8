"""Settings of hypothesis, folders of a test's own, and the command as a user runs it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support import command
from tests.support.command import Run
from tests.support.postgres import Postgres, running_postgres
from tests.support.process import default_signals, left_behind

# Derandomised: a change of the program is the only thing that changes the outcome.
settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


@pytest.fixture(autouse=True, scope="session")
def processes() -> Iterator[None]:
    """They are started with default signals, and all of them end: also where a test fails."""
    default_signals()
    yield
    assert left_behind() == []


@pytest.fixture(autouse=True, scope="session")
def folder_of_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Solved tables are kept in a folder of this run, which its workers share, not in the user's."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEN18_CACHE", str(folder / "tables"))
        yield


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Played games go into a folder of this test, not into the user's history."""
    folder = tmp_path / "ten18 data"
    monkeypatch.setenv("TEN18_DATA", str(folder))
    return folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL for all tests of this process that ask for one; `postgres.database()` makes a database in it."""
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of this test: the test runs once on each kind of database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'games.db'}"
    else:
        server: Postgres = request.getfixturevalue("postgres")
        with server.database() as url:
            yield url


@pytest.fixture
def run() -> Run:
    """``ten18`` with these arguments, as a process of its own: see `run_alone`."""
    return command.run_alone


@pytest.fixture
def run_here() -> Run:
    """The same in this process, where tables and compiled code are there already: see `command.run_here`."""
    return command.run_here
