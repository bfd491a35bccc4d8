"""Faults: told to whoever asked and to the operator, without what was being handled."""

import asyncio
import logging

import pytest
from starlette.types import Receive, Scope, Send

from tentimes18.errors import InvalidDice
from tentimes18.server.edge.faults import BrokenAnswer, Faults
from tests.support.asgi import asked, http_scope, visited


async def stumbling(scope: Scope, _receive: Receive, send: Send) -> None:
    if scope["path"] == "/half":
        await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/known":
        raise InvalidDice("cannot read it", "dice")
    raise RuntimeError("the roll was " + "17")


def test_a_fault_says_nothing_of_the_game(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "tentimes18.server"):
        answer = asyncio.run(asked(visited(Faults(stumbling)), http_scope()))
    assert (answer.status, answer.json["type"]) == (500, "/api/docs#fault")
    assert "RuntimeError" in caplog.text
    assert "stumbling" in caplog.text, "the operator sees where"
    assert "was 17" not in caplog.text + answer.body.decode()


def test_half_an_answer_breaks(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(BrokenAnswer) as broken:
        asyncio.run(asked(visited(Faults(stumbling)), http_scope(path="/half")))
    assert broken.value.__suppress_context__, "the server would log what was suppressed"
    assert "was 17" not in caplog.text


def test_an_error_of_the_core_is_its_problem() -> None:
    answer = asyncio.run(asked(visited(Faults(stumbling)), http_scope(path="/known")))
    assert (answer.status, answer.json["field"]) == (422, "dice")
