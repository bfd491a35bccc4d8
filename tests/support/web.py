"""The service in the process of a test: its real application on a real database, without a network."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from tentimes18.server import state
from tentimes18.server.app import Application
from tentimes18.server.settings import Service
from tentimes18.server.state import WebState

API: Final = "/api/v1"
NDJSON: Final = {"content-type": "application/x-ndjson"}
ORIGIN: Final = "http://test"
state.LAB_SECONDS = 3600.0  # to load compiled code takes seconds; the first question to the lab does it, too
SECRET: Final = b"a secret of the tests, 32 bytes long"


@dataclass(frozen=True, slots=True)
class Hall:
    """A service that runs here; ``visitor`` gives a client with cookies of its own."""

    app: Application

    @property
    def shared(self) -> WebState:
        state: WebState = self.app.litestar.state["shared"]
        return state

    def visitor(self, headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)  # type: ignore[arg-type]
        return httpx.AsyncClient(transport=transport, base_url=ORIGIN + API, headers=dict(headers or {}))

    @asynccontextmanager
    async def visitors(self, count: int) -> AsyncIterator[list[httpx.AsyncClient]]:
        """This many visitors."""
        async with AsyncExitStack() as stack:
            yield [await stack.enter_async_context(self.visitor()) for _ in range(count)]


@asynccontextmanager
async def opened_hall(
    folder: Path, database: str | None = None, clock: Callable[[], float] | None = None, **settings: Any
) -> AsyncIterator[Hall]:
    """A service in this folder, on this database or the one of the folder, without limits of rates."""
    service = Service(folder, SECRET, database, **{"has_rate_limits": False, "has_access_log": False, **settings})
    app = Application(service) if clock is None else Application(service, clock)
    async with app.litestar.lifespan():
        yield Hall(app)


def free_slots(game: Mapping[str, Any]) -> list[int]:
    return [slot for slot in range(1, len(game["slots"]) + 1) if str(slot) not in game["board"]]


async def play_on(
    client: httpx.AsyncClient,
    game: Mapping[str, Any],
    rounds: int = 1000,
    choose: Callable[[Mapping[str, Any]], int] = lambda game: free_slots(game)[0],
) -> dict[str, Any]:
    """This many more rounds, each roll into the first free slot, or the chosen one; the Game after them."""
    found = dict(game)
    for _ in range(min(rounds, len(found["slots"]) + 1 - found["round"])):
        move = {"round": found["round"], "slot": choose(found)}
        answer = await client.post(f"/games/{found['id']}/moves", json=move)
        assert answer.status_code == 200, answer.text
        found = answer.json()
    return found
