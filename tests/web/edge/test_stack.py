"""The whole edge: its layers in their order, around an application, and behind a real server."""

import asyncio
import json
import logging
from pathlib import Path

import pytest
from fastapi import FastAPI
from pydantic import BaseModel
from starlette.types import Message, Scope

from tentimes18.server.edge.access_log import LOGGER
from tentimes18.server.edge.exposition import exposition
from tentimes18.server.edge.metrics import Registry
from tentimes18.server.edge.processes import SharedMetrics
from tentimes18.server.edge.rates import KINDS
from tentimes18.server.edge.stack import edge
from tests.support.asgi import asked, http_scope, sent
from tests.support.prometheus import read_exposition

JSON = {"content-type": "application/json", "content-length": "2"}


class Sent(BaseModel):
    slot: int = 1


def small_edge(*, has_rate_limits: bool = True, folder: Path | None = None) -> tuple[FastAPI, SharedMetrics]:
    app = FastAPI(openapi_url=None)

    @app.post("/api/v1/games")
    async def begin(sent: Sent) -> Sent:
        return sent

    @app.get("/fault")
    async def fault() -> None:
        raise RuntimeError

    metrics = SharedMetrics(Registry(), folder)
    app.add_middleware(
        edge,
        routes=app.routes,
        cookie="ten18",
        player_of=lambda cookie: cookie if cookie == "ada" else None,
        secret=b"s" * 32,
        metrics=metrics,
        has_rate_limits=has_rate_limits,
        clock=lambda: 0.0,
    )
    return app, metrics


async def statuses(app: FastAPI, *scopes: Scope) -> list[int]:
    answers = [await asked(app, scope, sent(b"{}")) for scope in scopes]
    assert all("content-security-policy" in answer.headers for answer in answers), "on refusals and faults, too"
    return [answer.status for answer in answers]


def test_every_answer_is_safe_logged_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    app, metrics = small_edge()
    scopes = [
        http_scope("POST", "/api/v1/games", JSON),
        http_scope("POST", "/api/v1/games", JSON | {"origin": "http://evil.example"}),
        http_scope("POST", "/api/v1/games", JSON | {"content-length": "99999999"}),
        http_scope("POST", "/api/v1/games", JSON | {"content-type": "text/plain"}),
        http_scope("GET", "/nowhere"),
        http_scope("GET", "/fault"),
    ]

    async def scene() -> list[int]:
        found = await statuses(app, *scopes)
        await lifespan(app)
        return found

    with caplog.at_level(logging.INFO, LOGGER.name):
        assert asyncio.run(scene()) == [200, 403, 413, 415, 404, 500]
    lines = [record.getMessage() for record in caplog.records if record.name == LOGGER.name]
    logged = [json.loads(line) for line in "\n".join(lines).split("\n")]
    assert [line["status"] for line in logged] == [200, 403, 413, 415, 404, 500]
    requests = read_exposition(exposition(metrics.families()))["ten18_http_requests_total"]
    assert requests.total() == 6
    assert requests.value(method="POST", route="/api/v1/games", status="403") == 1


async def lifespan(app: FastAPI) -> list[str]:
    """Start and stop, as a server does; what the application said."""
    messages: list[Message] = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    said: list[str] = []

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        said.append(message["type"])

    await app({"type": "lifespan", "state": {}}, receive, send)
    return said


def test_what_other_sites_send_costs_nobody_a_token() -> None:
    app, _ = small_edge()
    foreign = http_scope("POST", "/api/v1/games", JSON | {"origin": "http://evil.example"})
    own = http_scope("POST", "/api/v1/games", JSON)
    assert asyncio.run(statuses(app, *[dict(foreign) for _ in range(200)], own)) == [403] * 200 + [200]


def test_limits_can_be_switched_off() -> None:
    scopes = [http_scope("POST", "/api/v1/games", JSON) for _ in range(KINDS["new"].address.burst + 30)]
    limited = asyncio.run(statuses(small_edge()[0], *map(dict, scopes)))
    assert limited.count(429) == 30
    assert set(asyncio.run(statuses(small_edge(has_rate_limits=False)[0], *scopes))) == {200}


def test_start_and_stop_pass_by_and_the_metrics_with_them(tmp_path: Path) -> None:
    app, _ = small_edge(folder=tmp_path)
    assert asyncio.run(lifespan(app)) == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert len(list(tmp_path.glob("*.json"))) == 1


def test_sockets_of_the_web_are_closed() -> None:
    app, _ = small_edge()
    said: list[Message] = []

    async def send(message: Message) -> None:
        said.append(message)

    async def receive() -> Message:
        raise AssertionError

    async def scene() -> None:
        await app({"type": "websocket"}, receive, send)

    asyncio.run(scene())
    assert said == [{"type": "websocket.close", "code": 1000}]
