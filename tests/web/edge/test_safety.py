"""Safety: what other sites may not do, and what every answer tells a browser."""

import asyncio

import pytest
from starlette.types import Receive, Scope, Send

from tentimes18.server.edge.safety import DATA_POLICY, PAGE_POLICY, Safety
from tests.support.asgi import Answered, asked, echo, http_scope, sent, visited

HOST = {"host": "play.example:8018"}
OWN = "http://play.example:8018"


def post(headers: dict[str, str], method: str = "POST", scheme: str = "http") -> int:
    scope = http_scope(method, "/api/v1/games", HOST | headers, scheme=scheme)
    return asyncio.run(asked(visited(Safety(echo)), scope, sent())).status


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
        {"origin": "http://play.example"},
        {"origin": "http://play.example:8019"},
        {"origin": "https://play.example:8018"},
        {"origin": "http://play.example:8018.evil.example"},
        {"origin": "http://evil.example/play.example:8018"},
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
        {"origin": "HTTP://Play.Example:8018"},
    ],
)
def test_own_pages_and_programs_pass(headers: dict[str, str]) -> None:
    assert post(headers) == 200


def test_the_port_of_a_scheme_need_not_be_told() -> None:
    assert post({"host": "play.example", "origin": "http://play.example:80"}) == 200
    assert post({"host": "play.example:443", "origin": "https://play.example"}, scheme="https") == 200
    assert post({"host": "play.example:80", "origin": "https://play.example"}, scheme="https") == 403


def answered(path: str = "/", status: int = 200, **headers: str) -> Answered:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": told})
        await send({"type": "http.response.body", "body": b""})

    return asyncio.run(asked(visited(Safety(app)), http_scope(path=path)))


def test_every_answer_has_the_headers() -> None:
    refused = asyncio.run(asked(visited(Safety(echo)), http_scope("POST", headers={"origin": "http://evil.example"})))
    for answer in (answered(), refused):
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
    kept = "public, max-age=31536000, immutable"
    part = answered(content_type="text/javascript", cache_control=kept)
    assert part.headers["x-content-type-options"] == "nosniff"
    assert part.headers["cross-origin-resource-policy"] == "same-origin"
    assert part.headers.keys().isdisjoint({"content-security-policy", "permissions-policy", "referrer-policy"})
    given = answered(content_type="text/html", cache_control=kept, set_cookie="ten18=x")
    assert given.headers["content-security-policy"] == PAGE_POLICY.decode()


def test_what_a_browser_has_keeps_its_policy() -> None:
    """The headers of a 304 replace those of what is kept, and it has no type by which a policy could be chosen."""
    known = answered(status=304, cache_control="no-cache")
    assert "content-security-policy" not in known.headers
    assert known.headers["x-content-type-options"] == "nosniff"


def test_what_a_handler_says_of_keeping_stands_unless_it_gives_a_cookie() -> None:
    assert answered(cache_control="public, max-age=60").headers["cache-control"] == "public, max-age=60"
    given = answered(cache_control="public, max-age=60", set_cookie="ten18=x")
    assert given.headers["cache-control"] == "no-store"
