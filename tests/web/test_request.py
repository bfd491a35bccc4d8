"""Bodies of requests: whole, not too large, not too slow, of the right kind, and read strictly."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from litestar.types import Message

from tentimes18.server.app import Application
from tentimes18.server.problems import Problem
from tentimes18.server.request import MAX_JSON, read_json
from tentimes18.server.routes.games import GameRequest, MoveRequest
from tentimes18.server.routes.me import MAX_UPLOAD
from tentimes18.server.settings import Service
from tests.support.asgi import Answered, asked, http_scope, sent

MOVES = "/api/v1/games/x7/moves"
IMPORT = "/api/v1/me/games"
AS_JSON = {"content-type": "application/json"}
FULL = b'{"round": 1, "slot": 1}'
PASSED = 404
"""What a move in a game that does not exist is answered with, once its body was read."""


@pytest.fixture(scope="module")
def app() -> Application:
    return Application(Service(Path("nowhere"), b"x" * 32, has_rate_limits=False, has_access_log=False))


def ask(app: Application, messages: list[Message], headers: dict[str, str], **others: Any) -> Answered:
    return asyncio.run(asked(app, http_scope("POST", others.pop("path", MOVES), headers, **others), messages))


@pytest.mark.parametrize("parts", [[FULL], [FULL[:5], FULL[5:9], FULL[9:]]])
@pytest.mark.parametrize("length", [{"content-length": str(len(FULL))}, {"transfer-encoding": "chunked"}])
def test_a_body_comes_whole(app: Application, parts: list[bytes], length: dict[str, str]) -> None:
    app.litestar.state["shared"] = None
    assert ask(app, sent(*parts), AS_JSON | length).status == PASSED


def test_too_large_is_rejected_by_its_length_and_as_it_comes(app: Application) -> None:
    answer = ask(app, [], AS_JSON | {"content-length": str(MAX_JSON + 1)})
    assert (answer.status, answer.json["type"]) == (413, "/api/docs#too-large")
    assert f"{MAX_JSON:,}" in answer.json["detail"]
    endless = sent(*[b"x" * 8000] * 9, is_whole=False)
    assert ask(app, endless, AS_JSON | {"transfer-encoding": "chunked"}).status == 413
    lines = {"content-type": "application/x-ndjson", "content-length": str(MAX_UPLOAD + 1)}
    assert ask(app, [], lines, path=IMPORT).status == 413


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "\xff"])
def test_another_content_type_is_rejected(app: Application, kind: str) -> None:
    answer = ask(app, sent(FULL), {"content-type": kind, "content-length": str(len(FULL))})
    assert (answer.status, answer.json["type"]) == (415, "/api/docs#media-type")
    assert "application/json" in answer.json["detail"]


def test_a_body_that_ends_early_is_no_body(app: Application) -> None:
    messages: list[Message] = [*sent(FULL[:5], is_whole=False), {"type": "http.disconnect"}]
    assert ask(app, messages, AS_JSON | {"content-length": "12"}).status == 400


@pytest.mark.parametrize(
    ("body", "annotation", "slug", "field"),
    [
        (b'{"round": 1, "round": 2, "slot": 1}', MoveRequest, "bad-request", None),
        (b'{"coach": "off", "coach": "full"}', GameRequest, "bad-request", None),
        (b'{"round": 1, "slot": 1}x', MoveRequest, "bad-request", None),
        (b"\xff\xfe", MoveRequest, "bad-request", None),
        (b'{"round": 1, "slot": ' + b"9" * 5000 + b"}", MoveRequest, "invalid", "slot"),
        (b'{"a":' * 12_000, MoveRequest, "bad-request", None),
        (b"[" * 30_000, MoveRequest, "invalid", None),
        (b'{"round": 1, "slot": NaN}', MoveRequest, "bad-request", None),
        (b'{"round": 1e400, "slot": 1}', MoveRequest, "invalid", "round"),
        (b'{"round": -1, "slot": 99999999999999999999}', MoveRequest, "invalid", "round"),
        (b'{"dice": "\\ud800"}', GameRequest, "bad-request", None),
        (b'{"round": 1.5, "slot": 1}', MoveRequest, "invalid", "round"),
        (b'{"round": "1", "slot": 1}', MoveRequest, "invalid", "round"),
        (b'{"round": true, "slot": 1}', MoveRequest, "invalid", "round"),
        (b'{"round": 1}', MoveRequest, "invalid", "slot"),
        (b'{"round": 1, "slot": 1, "score": 1000}', MoveRequest, "invalid", "score"),
        (b'{"slots": [true, 2]}', GameRequest, "invalid", "slots"),
        (b'{"slots": [1, "2"]}', GameRequest, "invalid", "slots"),
        (b'{"coach": "on"}', GameRequest, "invalid", "coach"),
        (b'{"a b": 1}', GameRequest, "invalid", None),
    ],
)
def test_json_is_read_strictly(body: bytes, annotation: type, slug: str, field: str | None) -> None:
    with pytest.raises(Problem) as rejected:
        read_json(body, annotation)
    assert (rejected.value.slug, rejected.value.field) == (slug, field)
