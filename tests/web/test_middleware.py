"""The outermost layer: who comes, what other sites may not do, what every answer tells a browser, and faults."""

import asyncio
import json
import logging
from typing import Any

import pytest
from litestar.types import ASGIApp, Receive, Scope, Send

from tentimes18.errors import InvalidDice
from tentimes18.server.identity import Signer, new_id
from tentimes18.server.metrics import LOGGER, AccessLog, Metrics
from tentimes18.server.middleware import (
    DATA_POLICY,
    GONE,
    PAGE_POLICY,
    REJECTIONS_PER_SECOND,
    BrokenAnswer,
    Middleware,
)
from tentimes18.server.request import RequestInfo
from tests.support.asgi import Answered, asked, http_scope, sent
from tests.support.prometheus import read_exposition

SIGNER = Signer(b"x" * 32)
ADA = new_id()
HOST = {"host": "play.test:8018"}
OWN = "http://play.test:8018"


async def echo(_: Scope, receive: Receive, send: Send) -> None:
    message: Any = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": message["body"], "more_body": False})


def behind(app: ASGIApp = echo, **settings: Any) -> Middleware:
    return Middleware(app, signer=SIGNER, **{"metrics": Metrics(), **settings})


def info_of(scope: Scope, **settings: Any) -> RequestInfo:
    seen: list[RequestInfo] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["info"])  # type: ignore[typeddict-item]
        await echo(scope, receive, send)

    asyncio.run(asked(behind(app, **settings), scope, sent(b"{}")))
    return seen[0]


def test_the_request_is_known_and_so_is_what_became_of_it() -> None:
    times = iter([1.0, 2.0, 5.0])
    info = info_of(http_scope("POST", "/api/v1/games"), clock=lambda: next(times))
    assert (info.method, info.status, info.sent, info.address, info.player) == ("POST", 200, 2, "192.0.2.7", None)
    assert (info.start, info.answered, info.end) == (1.0, 2.0, 5.0)


@pytest.mark.parametrize(
    ("cookies", "is_known"),
    [
        ("ten18={}", True),
        ("a=b; ten18={}; c=d", True),
        ("a=b;ten18={}", True),
        ("xten18={}", False),
        ("a=ten18={}", False),
        ("ten18={}x", False),
        ("ten18", False),
        ("\xff=\xfe;;=", False),
    ],
)
def test_the_player_is_the_one_of_the_cookie(cookies: str, is_known: bool) -> None:
    headers = {"cookie": cookies.format(SIGNER.sign(ADA))}
    assert info_of(http_scope(headers=headers)).player == (ADA if is_known else None)


def test_cookies_may_come_one_by_one() -> None:
    scope = http_scope(http_version="2")
    scope["headers"] = [(b"cookie", b"ten18=" + SIGNER.sign(ADA).encode()), (b"cookie", b"theme=dark")]
    assert info_of(scope).player == ADA


def test_the_word_of_a_proxy_is_taken_where_there_is_one() -> None:
    headers = {"x-forwarded-for": "203.0.113.5", "x-forwarded-proto": "https"}
    proxied, direct = http_scope(headers=headers), http_scope(headers=headers)
    assert info_of(proxied, is_behind_proxy=True).address == "203.0.113.5"
    assert proxied["scheme"] == "https"
    assert (info_of(direct).address, direct["scheme"]) == ("192.0.2.7", "http")


async def test_a_request_without_an_answer_is_counted_too(caplog: pytest.LogCaptureFixture) -> None:
    async def silent(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise asyncio.CancelledError

    metrics, log = Metrics(), AccessLog(b"s" * 32)
    with caplog.at_level(logging.INFO, LOGGER.name):
        with pytest.raises(asyncio.CancelledError):
            await asked(behind(silent, metrics=metrics, log=log), http_scope())
        log.flush()
        metrics.flush()
    assert json.loads(caplog.records[0].getMessage())["status"] == GONE
    counted = read_exposition(metrics.text().decode())
    assert counted["ten18_http_requests_total"].value(method="GET", route="unknown", status=str(GONE)) == 1
    assert counted["ten18_http_requests_in_flight"].total() == 0


def post(headers: dict[str, str], method: str = "POST", scheme: str = "http") -> int:
    scope = http_scope(method, "/api/v1/games", HOST | headers, scheme=scheme)
    return asyncio.run(asked(behind(), scope, sent())).status


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "Same-Origin"},
        {"sec-fetch-site": "cross-site", "origin": OWN},
        {"sec-fetch-site": "same-origin", "origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://play.test"},
        {"origin": "http://play.test:8019"},
        {"origin": "https://play.test:8018"},
        {"origin": "http://play.test:8018.evil.example"},
        {"origin": "http://evil.example/play.test:8018"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
def test_another_site_changes_nothing(headers: dict[str, str], method: str) -> None:
    assert post(headers, method) == 403
    assert post(headers, "GET") == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
        {"origin": OWN},
        {"sec-fetch-site": "same-origin", "origin": OWN},
        {"origin": "HTTP://Play.Test:8018"},
    ],
)
def test_own_pages_and_programs_pass(headers: dict[str, str]) -> None:
    assert post(headers) == 200


def test_the_port_of_a_scheme_may_be_left_out() -> None:
    assert post({"host": "play.test", "origin": "http://play.test:80"}) == 200
    assert post({"host": "play.test:443", "origin": "https://play.test"}, scheme="https") == 200
    assert post({"host": "play.test:80", "origin": "https://play.test"}, scheme="https") == 403


@pytest.mark.parametrize(
    ("hosts", "settings", "status"),
    [
        (["localhost:8018"], {}, 200),
        (["[::1]:8018"], {}, 200),
        (["school.local"], {}, 200),
        (["rebound.example.org"], {}, 400),
        (["play.example.org"], {"is_behind_proxy": True}, 200),
        (["Play.Example.org:443"], {"hosts": ["play.example.org"]}, 200),
        (["localhost"], {"hosts": ["play.example.org"]}, 400),
        ([], {}, 400),
        ([""], {}, 400),
        (["localhost", "localhost"], {}, 400),
    ],
)
def test_the_host_is_one_of_the_server(hosts: list[str], settings: Any, status: int) -> None:
    """A page elsewhere may point its own name at this machine, and would then be of the same origin."""
    scope = http_scope()
    scope["headers"] = [(b"host", host.encode()) for host in hosts]
    assert asyncio.run(asked(behind(**settings), scope, sent())).status == status


def test_too_long_an_address_is_rejected() -> None:
    for scope in (http_scope(path="/" + "x" * 1024), http_scope(query_string=b"x" * 4097)):
        answer = asyncio.run(asked(behind(), scope))
        assert (answer.status, answer.json["type"]) == (414, "/api/docs#too-long")


def answered(path: str = "/", status: int = 200, **headers: str) -> Answered:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": told})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return asyncio.run(asked(behind(app), http_scope(path=path)))


def test_every_answer_has_the_headers() -> None:
    rejected = asyncio.run(asked(behind(), http_scope("POST", headers={"origin": "http://evil.example"})))
    for answer in (answered(), rejected):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in answer.headers["permissions-policy"]
        assert answer.headers["content-security-policy"] == DATA_POLICY.decode()
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["server"] == "ten18"


def test_a_page_has_a_policy_of_its_own() -> None:
    page = answered(content_type="text/html; charset=utf-8").headers["content-security-policy"]
    assert page == PAGE_POLICY.decode()
    assert "unsafe" not in page
    assert "default-src 'none'" in page
    assert "frame-ancestors 'none'" in page


def test_a_part_of_a_page_has_no_headers_of_pages() -> None:
    cached = "max-age=31536000, immutable"
    part = answered(content_type="text/javascript", cache_control=cached)
    assert part.headers["x-content-type-options"] == "nosniff"
    assert part.headers["cross-origin-resource-policy"] == "same-origin"
    assert part.headers.keys().isdisjoint({"content-security-policy", "permissions-policy", "referrer-policy"})
    given = answered(content_type="text/html", cache_control=cached, set_cookie="ten18=x")
    assert given.headers["content-security-policy"] == PAGE_POLICY.decode()


def test_what_a_browser_has_keeps_its_policy() -> None:
    """The headers of a 304 replace those of what is cached, and it has no type by which a policy could be chosen."""
    known = answered(status=304, cache_control="no-cache")
    assert "content-security-policy" not in known.headers
    assert known.headers["x-content-type-options"] == "nosniff"


def test_caching_is_as_the_handler_says_unless_it_sets_a_cookie() -> None:
    assert answered(cache_control="public, max-age=60").headers["cache-control"] == "public, max-age=60"
    given = answered(cache_control="public, max-age=60", set_cookie="ten18=x")
    assert given.headers["cache-control"] == "no-store"


async def stumbling(scope: Scope, _receive: Receive, send: Send) -> None:
    if scope["path"] == "/half":
        await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/known":
        raise InvalidDice("cannot read it", "dice")
    raise RuntimeError("the roll was " + "17")


def test_a_fault_says_nothing_of_the_game(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "tentimes18.server"):
        answer = asyncio.run(asked(behind(stumbling), http_scope()))
    assert (answer.status, answer.json["type"]) == (500, "/api/docs#fault")
    assert "RuntimeError" in caplog.text
    assert "stumbling" in caplog.text, "the operator sees where"
    assert "was 17" not in caplog.text + answer.body.decode()


def test_half_an_answer_breaks(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(BrokenAnswer) as broken:
        asyncio.run(asked(behind(stumbling), http_scope(path="/half")))
    assert broken.value.__suppress_context__, "the server would log what was suppressed"
    assert "was 17" not in caplog.text


async def test_too_many_requests_at_once_are_rejected_unread() -> None:
    gate, entered = asyncio.Event(), list[str]()

    async def waiting(scope: Scope, receive: Receive, send: Send) -> None:
        entered.append(scope["client"][0])  # type: ignore[index]
        await gate.wait()
        await echo(scope, receive, send)

    async def unread() -> Any:
        raise AssertionError("the body of a rejected request is not read")

    metrics = Metrics()
    app = behind(waiting, metrics=metrics, max_in_flight=4, max_of_address=2)

    def scope(host: str, path: str = "/") -> Any:
        return http_scope("POST", path, client=(host, 1))

    tasks = [asyncio.create_task(asked(app, scope(f"192.0.2.{n // 2}"), sent(b"{}"))) for n in range(3)]
    await asyncio.sleep(0)
    assert entered == ["192.0.2.0", "192.0.2.0", "192.0.2.1"]
    for host, is_first in (("192.0.2.0", True), ("192.0.2.9", False)):
        if not is_first:  # all four places are taken
            tasks.append(asyncio.create_task(asked(app, scope("192.0.2.8"), sent(b"{}"))))
            await asyncio.sleep(0)
        messages: list[Any] = []

        async def keep(message: Any, messages: list[Any] = messages) -> None:
            messages.append(message)

        await app(scope(host), unread, keep)
        assert messages[0]["status"] == 503
        assert dict(messages[0]["headers"])[b"retry-after"] == b"1"
    tasks.append(asyncio.create_task(asked(app, scope("192.0.2.0", "/health"), sent(b"{}"))))
    await asyncio.sleep(0)
    assert metrics.in_flight == len(tasks) == 5
    gate.set()
    assert {answer.status for answer in await asyncio.gather(*tasks)} == {200}
    assert metrics.in_flight == 0
    assert (await asked(app, scope("192.0.2.0"), sent(b"{}"))).status == 200
    metrics.flush()
    assert read_exposition(metrics.text().decode())["ten18_http_overloaded_total"].total() == 2


async def test_rejections_of_a_flood_are_held_for_a_while() -> None:
    number = REJECTIONS_PER_SECOND + 50
    app = behind(max_in_flight=0, clock=lambda: 10.0)
    tasks = [asyncio.create_task(asked(app, http_scope(path="/"), sent(b"{}"))) for _ in range(number)]
    await asyncio.sleep(0)
    assert 0 < sum(not task.done() for task in tasks) <= 50
    tasks.pop().cancel()  # one client goes away; those that wait beside it do not
    assert {answer.status for answer in await asyncio.gather(*tasks)} == {503}
