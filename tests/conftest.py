"""Settings of hypothesis, folders for tests, the command as a user runs it, and pages in a browser."""

import gc
import os
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import BrowserContext, Page

from tentimes18.gpu import device as gpu
from tests.support import command
from tests.support.browser import DESKTOP, Guard, LoopOfTheDriver, NewPlayer, OpenPage, Size, Theme, context_options
from tests.support.command import Run
from tests.support.host_gpu import COMPILER, HostGpu
from tests.support.postgres import Postgres, running_postgres
from tests.support.process import default_signals, left_behind
from tests.support.service import Server, serving
from tools.browser import find_browser

# Derandomised: a change of the program is the only thing that changes the outcome.
settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")

NUMBERS: Final = count()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collected tests live to the end, so the garbage collector never needs to look at them."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they need, so that ``-m browser``, ``-m database`` and ``-m docs`` select them."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        if "playwright" in fixtures:
            item.add_marker("browser")
        if "postgres" in fixtures or parameters.get("database_url") == "postgresql":
            item.add_marker("database")
        if item.path.suffix == ".md" or item.path.name in ("test_docs.py", "test_generated_docs.py"):
            item.add_marker("docs")


@pytest.fixture(autouse=True, scope="session")
def processes() -> Iterator[None]:
    """Processes start with default signals, and all of them end, even if a test fails."""
    default_signals()
    yield
    assert left_behind() == []


@pytest.fixture(autouse=True, scope="session")
def folder_of_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Solved tables go into a folder of this run that its workers share, not into the user's."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEN18_CACHE", str(folder / "tables"))
        yield


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for this test. Pytest's own fixture would search the folders of all earlier tests for a free name."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder = tmp_path_factory.getbasetemp() / f"{name}{next(NUMBERS)}"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ten18 data"
    monkeypatch.setenv("TEN18_DATA", str(folder))
    return folder


@pytest.fixture(scope="session")
def host_gpu(tmp_path_factory: pytest.TempPathFactory) -> HostGpu:
    """The GPU kernels, compiled as C++ into a folder that the workers share; skipped if there is no compiler."""
    if COMPILER is None:
        pytest.skip("the kernels for a GPU are compiled as C++ here, and no g++ or c++ is on the PATH")
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    (folder / "cuda").mkdir(exist_ok=True)
    return HostGpu(folder / "cuda")


@pytest.fixture
def with_gpu(host_gpu: HostGpu, monkeypatch: pytest.MonkeyPatch) -> HostGpu:
    monkeypatch.setattr(gpu, "find_gpu", lambda: host_gpu)
    return host_gpu


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests of this process; `postgres.database()` makes a database in it."""
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
    """``ten18`` with these arguments in its own process: see `run_alone`."""
    return command.run_alone


@pytest.fixture
def run_here() -> Run:
    """The same in this process, which already has its tables and compiled code: see `command.run_here`."""
    return command.run_here


# Pages in a browser: `page` and `new_context` are those of pytest-playwright, with the system's Chromium and a guard.

DRIVER: Final = LoopOfTheDriver()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """The event loop of the browser's driver runs during tests with a browser only."""
    with DRIVER.running() if "playwright" in getattr(item, "fixturenames", ()) else nullcontext():
        yield


pytest_runtest_call = pytest_runtest_setup


class Closing:
    """A plugin, because hooks of this file are not called for tests in other folders, such as docs."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        """The browser is closed after the last test, whichever that is."""
        is_needed = nextitem is None or "playwright" in getattr(item, "fixturenames", ())
        with DRIVER.running() if is_needed else nullcontext():
            yield


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Closing())


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all page tests of this process; each browser context is a player of its own."""
    with serving(tmp_path_factory.mktemp("pages") / "data") as server:
        yield server


@pytest.fixture(scope="session")
def base_url(service: Server) -> str:
    """Where the pages are: `page.goto("/daily")`."""
    return service.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], browser_name: str) -> dict[str, Any]:
    """The system's Chromium, or another kind of browser as installed by Playwright."""
    if browser_name != "chromium":
        return browser_type_launch_args
    program = find_browser()
    assert program is not None, "no browser: `make test` finds one, or says how to get it"
    return {**browser_type_launch_args, "executable_path": str(program)}


@pytest.fixture
def guard(base_url: str) -> Iterator[Guard]:
    """Errors in the pages fail the test, except those that it expects: ``guard.allow(pattern)``."""
    guard = Guard(base_url)
    yield guard
    assert guard.found() == []


@pytest.fixture
def new_player(new_context: Callable[..., BrowserContext], guard: Guard) -> NewPlayer:
    """A guarded browser context for a new player, with a window size, a theme and other options.

    The player has seen the first screen before, unless ``is_first`` says that this is the first visit.
    """

    def new_player(
        size: Size = DESKTOP, theme: Theme = "light", *, is_first: bool = False, **more: Any
    ) -> BrowserContext:
        context = new_context(**{**context_options(size, theme), **more})
        if not is_first:
            context.add_init_script("try { localStorage.setItem('ten18.welcomed', 'true'); } catch {}")
        guard.watch(context)
        return context

    return new_player


@pytest.fixture
def context(new_player: NewPlayer) -> BrowserContext:
    return new_player()


@pytest.fixture
def open_page(new_player: NewPlayer) -> OpenPage:
    """The page at a path, opened by a new player, with a window size, a theme and other options."""

    def open_page(path: str, size: Size = DESKTOP, theme: Theme = "light", **more: Any) -> Page:
        page = new_player(size, theme, **more).new_page()
        page.goto(path)
        return page

    return open_page
