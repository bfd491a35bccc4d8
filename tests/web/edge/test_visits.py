"""Visits: what is known of a request at the door, and what becomes of it."""

import asyncio

import pytest
from starlette.types import Receive, Scope, Send

from tentimes18.server.edge.visits import GONE, Visit
from tests.support.asgi import asked, echo, http_scope, sent, visited


def visit_of(scope: Scope, *, is_behind_proxy: bool = False) -> Visit:
    seen: list[Visit] = []
    app = visited(echo, watchers=[seen.append], is_behind_proxy=is_behind_proxy)
    asyncio.run(asked(app, scope, sent(b"{}")))
    assert seen == [scope["visit"]]
    return seen[0]


def test_the_visit_knows_the_route_and_the_answer() -> None:
    visit = visit_of(http_scope("POST", "/api/v1/games/x7/moves"))
    assert (visit.method, visit.template, visit.status, visit.sent) == ("POST", "/api/v1/games/{id}/moves", 200, 2)
    assert (visit.address, visit.player) == ("192.0.2.7", None)


@pytest.mark.parametrize(
    ("cookies", "player"),
    [
        ("ten18=ada", "ada"),
        ("a=b; ten18=ada; c=d", "ada"),
        ("a=b;ten18=ada", "ada"),
        ("xten18=ada", None),
        ("a=ten18=ada", None),
        ("ten18", None),
        ("\xff=\xfe;;=", None),
    ],
)
def test_the_player_is_the_one_of_the_cookie(cookies: str, player: str | None) -> None:
    assert visit_of(http_scope(headers={"cookie": cookies})).player == player


def test_cookies_may_come_one_by_one() -> None:
    scope = http_scope(http_version="2")
    scope["headers"] = [(b"cookie", b"ten18=ada"), (b"cookie", b"theme=dark")]
    assert visit_of(scope).player == "ada"


def test_the_word_of_a_proxy_is_taken_where_there_is_one() -> None:
    headers = {"x-forwarded-for": "203.0.113.5", "x-forwarded-proto": "https"}
    behind, alone = http_scope(headers=headers), http_scope(headers=headers)
    assert visit_of(behind, is_behind_proxy=True).address == "203.0.113.5"
    assert behind["scheme"] == "https"
    assert visit_of(alone).address == "192.0.2.7"
    assert alone["scheme"] == "http"


def test_times_are_of_the_start_and_of_the_end() -> None:
    times = iter([1.0, 2.0, 5.0])
    seen: list[Visit] = []
    app = visited(echo, watchers=[seen.append], clock=lambda: next(times))
    asyncio.run(asked(app, http_scope(), sent()))
    assert (seen[0].began, seen[0].answered, seen[0].ended) == (1.0, 2.0, 5.0)


def test_a_request_without_an_answer_is_told_of_too() -> None:
    seen: list[Visit] = []

    async def silent(scope: Scope, _receive: Receive, _send: Send) -> None:
        assert app.in_flight == 1
        if scope["path"] == "/health":
            raise asyncio.CancelledError

    app = visited(silent, watchers=[seen.append])
    asyncio.run(asked(app, http_scope(path="/")))
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(asked(app, http_scope()))
    assert [visit.status for visit in seen] == [GONE, GONE]
    assert app.in_flight == 0
