"""The methods of an address."""

import asyncio

import pytest
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from tentimes18.server.edge.methods import Methods, methods_of
from tests.support.asgi import Answered, asked, http_scope, visited

GAME = "/api/v1/games/x7"
METHODS = {
    "/api/v1/games/{id}": ("GET", "HEAD", "OPTIONS", "PATCH"),
    "/api/v1/games/{id}/events": ("GET", "OPTIONS"),
}


async def tell(scope: Scope, _: Receive, send: Send) -> None:
    """Answers in two parts with the method that it sees."""
    headers = [(b"content-length", b"3"), (b"x-method", scope["method"].encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ab", "more_body": True})
    await send({"type": "http.response.body", "body": b"c"})


def ask(method: str, path: str = GAME) -> Answered:
    return asyncio.run(asked(visited(Methods(tell, METHODS)), http_scope(method, path)))


def test_all_methods_of_an_address_are_known() -> None:
    routes = [
        Route("/me", print, methods=["GET"]),
        Route("/me", print, methods=["DELETE"]),
        Route("/games", print, methods=["POST"]),
        Route("/games/{id}/events", print, methods=["GET"]),
        Mount("/static", tell),
    ]
    for route in routes[:4]:
        assert isinstance(route, Route)
        assert route.methods is not None
        route.methods.discard("HEAD")  # the routes of the service do not have it
    assert methods_of(routes) == {
        "/me": ("DELETE", "GET", "HEAD", "OPTIONS"),
        "/games": ("OPTIONS", "POST"),
        "/games/{id}/events": ("GET", "OPTIONS"),
    }


def test_head_is_get_without_the_body() -> None:
    head, whole = ask("HEAD"), ask("GET")
    assert (whole.status, whole.body) == (200, b"abc")
    assert (head.status, head.headers, head.body) == (200, whole.headers, b"")
    assert head.headers["x-method"] == "GET"


def test_options_names_them_and_opens_nothing_to_others() -> None:
    answer = ask("OPTIONS")
    assert (answer.status, answer.headers, answer.body) == (204, {"allow": "GET, HEAD, OPTIONS, PATCH"}, b"")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", GAME, "GET, HEAD, OPTIONS, PATCH"),
        ("BREW", GAME, "GET, HEAD, OPTIONS, PATCH"),
        ("HEAD", f"{GAME}/events", "GET, OPTIONS"),
    ],
)
def test_other_methods_are_refused_with_all_that_are_there(method: str, path: str, allow: str) -> None:
    answer = ask(method, path)
    assert (answer.status, answer.headers["allow"]) == (405, allow)
    assert answer.json["type"] == "/api/docs#method"


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT"])
def test_an_address_that_nobody_has_is_handed_on(method: str) -> None:
    answer = ask(method, "/nowhere")
    assert (answer.status, answer.headers["x-method"]) == (200, method)
