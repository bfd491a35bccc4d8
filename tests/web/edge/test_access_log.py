"""The access log: a JSON object a line, and nothing secret in it."""

import asyncio
import json
import logging
import logging.config
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.server.edge.access_log import LOGGER, LOGGING, MOST_LINES, AccessLog
from tentimes18.server.edge.visits import Visit
from tests.support.asgi import asked, echo, http_scope, sent, visited

SECRET = b"s" * 32
FIELDS = ["time", "method", "route", "status", "ms", "bytes", "player", "address"]


def a_visit(player: str | None = "ada", address: str = "192.0.2.77") -> Visit:
    visit = Visit("GET", "/api/v1/games/{id}", {}, address, 10.0)
    visit.player, visit.status, visit.sent, visit.ended = player, 200, 971, 10.0123
    return visit


def line_of(visit: Visit, secret: bytes = SECRET) -> dict[str, Any]:
    found = json.loads(AccessLog(secret, clock=lambda: 1_800_000_000.5).line(visit))
    assert isinstance(found, dict)
    return found


def test_a_line_is_one_object() -> None:
    line = line_of(a_visit())
    assert list(line) == FIELDS
    assert line["time"] == "2027-01-15T08:00:00.487Z", "when the request came"
    assert (line["ms"], line["bytes"], line["status"]) == (12.3, 971, 200)
    assert (line["route"], line["address"]) == ("/api/v1/games/{id}", "192.0.2.0/24")
    assert line_of(a_visit(None))["player"] is None


def test_a_player_has_one_hash_that_the_secret_is_needed_for() -> None:
    assert line_of(a_visit("ada"))["player"] == line_of(a_visit("ada"))["player"]
    assert line_of(a_visit("ada"))["player"] != line_of(a_visit("ben"))["player"]
    assert line_of(a_visit("ada"))["player"] != line_of(a_visit("ada"), b"t" * 32)["player"]


@settings(max_examples=40)
@given(st.text(), st.binary().map(lambda content: content.decode("latin-1")))
def test_whatever_is_sent_a_line_is_one_object_without_it(path: str, value: str) -> None:
    log, lines = AccessLog(SECRET), []
    app = visited(echo, watchers=[lambda visit: lines.append(log.line(visit))])
    headers = {"cookie": f"ten18={value}", "user-agent": value, "x-forwarded-for": value}
    scope = http_scope("BREW", f"/{path}", headers, query_string=b"x")
    asyncio.run(asked(app, scope, sent(b"hello")))
    (line,) = lines
    assert "\n" not in line
    assert json.loads(line)["method"] == "other"
    assert json.loads(line)["route"] == ("/health" if path == "health" else "unknown")


def test_lines_are_handed_on_together(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        log = AccessLog(SECRET)
        for _ in range(MOST_LINES + 3):
            log(a_visit())
        assert len(caplog.records) == 1
        log.flush()

    with caplog.at_level(logging.INFO, LOGGER.name):
        asyncio.run(scene())
    lines = "\n".join(record.getMessage() for record in caplog.records).split("\n")
    assert len(caplog.records) == 2
    assert [list(json.loads(line)) for line in lines] == [FIELDS] * (MOST_LINES + 3)


def test_lines_go_out_by_themselves(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        AccessLog(SECRET)(a_visit())
        while not caplog.records:
            await asyncio.sleep(0.01)

    with caplog.at_level(logging.INFO, LOGGER.name):
        asyncio.run(asyncio.wait_for(scene(), 30))


def test_a_logger_that_is_off_costs_no_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, LOGGER.name):
        AccessLog(SECRET)(a_visit())
        AccessLog(SECRET).flush()
    assert caplog.records == []


def test_the_settings_are_those_of_logging() -> None:
    assert LOGGING["loggers"][LOGGER.name]["handlers"] == ["bare"]
    logging.config.DictConfigurator(LOGGING)
