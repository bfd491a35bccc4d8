"""The access log: a JSON object a line, and nothing secret in it."""

import asyncio
import json
import logging
import logging.config
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.server.metrics import LOGGER, MAX_LINES, AccessLog
from tentimes18.server.request import METHODS, RequestInfo

SECRET = b"s" * 32
FIELDS = ["time", "method", "route", "status", "ms", "bytes", "player", "address"]


def an_info(player: str | None = "ada", address: str = "192.0.2.77", method: str = "GET") -> RequestInfo:
    info = RequestInfo(method, {}, address, 10.0)
    info.route, info.player, info.status, info.sent, info.end = "/api/v1/games/{id}", player, 200, 971, 10.0123
    return info


def line_of(info: RequestInfo, secret: bytes = SECRET) -> dict[str, Any]:
    found = json.loads(AccessLog(secret, clock=lambda: 1_800_000_000.5).line(info))
    assert isinstance(found, dict)
    return found


def test_a_line_is_one_object() -> None:
    line = line_of(an_info())
    assert list(line) == FIELDS
    assert line["time"] == "2027-01-15T08:00:00.487Z", "when the request came"
    assert (line["ms"], line["bytes"], line["status"]) == (12.3, 971, 200)
    assert (line["route"], line["address"]) == ("/api/v1/games/{id}", "192.0.2.0/24")
    assert line_of(an_info(None))["player"] is None


def test_a_player_has_one_hash_that_the_secret_is_needed_for() -> None:
    assert line_of(an_info("ada"))["player"] == line_of(an_info("ada"))["player"]
    assert line_of(an_info("ada"))["player"] != line_of(an_info("ben"))["player"]
    assert line_of(an_info("ada"))["player"] != line_of(an_info("ada"), b"t" * 32)["player"]


@given(st.text(), st.text(), st.text())
def test_whatever_is_sent_a_line_is_one_object(player: str, address: str, method: str) -> None:
    line = AccessLog(SECRET).line(an_info(player, address, method))
    assert "\n" not in line
    assert json.loads(line)["method"] in {"other", *METHODS}


async def test_lines_are_handed_on_together(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, LOGGER.name):
        log = AccessLog(SECRET)
        for _ in range(MAX_LINES + 3):
            log.write(an_info())
        assert len(caplog.records) == 1
        log.flush()
    lines = "\n".join(record.getMessage() for record in caplog.records).split("\n")
    assert len(caplog.records) == 2
    assert [list(json.loads(line)) for line in lines] == [FIELDS] * (MAX_LINES + 3)


async def test_lines_are_written_automatically(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, LOGGER.name):
        AccessLog(SECRET).write(an_info())
        async with asyncio.timeout(30):
            while not caplog.records:
                await asyncio.sleep(0.01)
