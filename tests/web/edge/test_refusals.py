"""Refusals: a problem document, whole."""

import asyncio

from starlette.types import Receive, Scope, Send

from tentimes18.server.edge.refusals import refuse
from tentimes18.server.problems import Problem
from tests.support.asgi import asked, http_scope


def test_a_refusal_is_a_problem_document() -> None:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await refuse(send, Problem("too-many", "wait a little", headers={"Retry-After": "3"}))

    answer = asyncio.run(asked(app, http_scope()))
    assert answer.status == 429
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["retry-after"] == "3"
    assert int(answer.headers["content-length"]) == len(answer.body)
    assert answer.json == {
        "type": "/api/docs#too-many",
        "title": "Too many requests",
        "status": 429,
        "detail": "wait a little",
    }
