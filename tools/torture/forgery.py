"""Forgery: games of others, cookies that were edited, posts from another site, scores and rolls that a client sends.

All of it must be refused, with the right status and a problem document, and change nothing.
"""

from collections.abc import Iterator
from typing import Any, Final

from tools.torture.many import answers_to
from tools.torture.wire import Wire, cookie_in, request
from tools.torture.yard import Row, Yard

__all__ = ["edited", "run", "with_headers"]

GAMES: Final = "/api/v1/games"
PARTS: Final = ("advice", "review", "events")
FOREIGN: Final = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://example.org"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://ten18"},
)
CLAIMS: Final[tuple[dict[str, Any], ...]] = (
    {"score": 990},
    {"roll": 18},
    {"board": {"10": 18}},
    {"finished": True},
    {"player": "somebody"},
    {"rolls": [18] * 10},
    {"nonce": "0" * 64},
    {"seed": 18},
)


def edited(cookie: bytes, count: int, chance: Any) -> list[bytes]:
    """Cookies that are not this one: letters changed, left out, added and swapped, and ends cut off.

    >>> import random
    >>> forged = edited(b"player=abc.def", 50, random.Random(1))
    >>> len(forged), b"player=abc.def" in forged, all(one.startswith(b"player=") for one in forged)
    (50, False, True)
    """
    name, _, value = cookie.partition(b"=")
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"
    found: list[bytes] = []
    while len(found) < count:
        text, place = bytearray(value), chance.randrange(len(value))
        match chance.randrange(5):
            case 0:
                text[place] = chance.choice(letters)
            case 1:
                del text[place]
            case 2:
                text.insert(place, chance.choice(letters))
            case 3:
                text[place:] = b""
            case _:
                other = chance.randrange(len(value))
                text[place], text[other] = text[other], text[place]
        if bytes(text) != value:
            found.append(name + b"=" + bytes(text))
    return found


def with_headers(data: bytes, headers: dict[str, str]) -> bytes:
    r"""The request with more headers.

    >>> with_headers(request("GET", "/health"), {"Origin": "null"})
    b'GET /health HTTP/1.1\r\nOrigin: null\r\nHost: ten18\r\n\r\n'
    """
    first, end, rest = data.partition(b"\r\n")
    return first + end + b"".join(f"{name}: {text}\r\n".encode() for name, text in headers.items()) + rest


def run(yard: Yard) -> Iterator[Row]:
    """All four."""
    server = yard.server
    wire = Wire(server.port)
    begun = wire.ask(request("POST", GAMES, {}))
    game, owner = begun.json, cookie_in(begun.head)
    stranger = cookie_in(wire.ask(request("POST", GAMES, {})).head)
    path = f"{GAMES}/{game['id']}"
    move = {"round": 1, "slot": 5}
    count = yard.pick(10_000, 200)
    others = [("GET", "", None), ("POST", "/moves", move), *(("GET", f"/{part}", None) for part in PARTS)]
    foreign = [request(method, path + end, body, stranger) for method, end, body in others]
    forged = [
        request("POST", f"{path}/moves", move, cookie) if number % 2 else request("GET", path, None, cookie)
        for number, cookie in enumerate(edited(owner, count, yard.chance))
    ]
    posts = [with_headers(data, headers) for headers in FOREIGN for data in _changes(path, owner)]
    scores = [
        *(request("POST", f"{path}/moves", move | more, owner) for more in CLAIMS),
        *(request("POST", GAMES, more, owner) for more in CLAIMS),
        *(request("PUT", path, more, owner) for more in CLAIMS),
        *(request("PATCH", path, more, owner) for more in CLAIMS),
    ]
    for test, requests, statuses in (
        ("games of somebody else: looked at, moved in, asked about", foreign, {404}),
        ("cookies that were edited", forged, {404}),
        ("posts from another site, by Sec-Fetch-Site and Origin", posts, {403}),
        ("scores, rolls, boards and players that a client sends", scores, {404, 405, 422}),
    ):
        wrong = _not_refused(server.port, requests, statuses)
        figures = f"{len(requests) - len(wrong):,} of {len(requests):,} refused"
        now = wire.ask(request("GET", path, None, owner)).json
        if now != game:
            wrong.append(f"the game has changed: {now}")
            game = now
        yield Row("forgery", test, figures, Row.told(wrong))
    wire.close()


def _changes(path: str, cookie: bytes) -> list[bytes]:
    return [
        request("POST", f"{path}/moves", {"round": 1, "slot": 5}, cookie),
        request("POST", GAMES, {}, cookie),
        request("DELETE", "/api/v1/me", None, cookie),
        request("PATCH", "/api/v1/me", {"name": "x"}, cookie),
        request("POST", "/api/v1/duels", {"against": "random"}, cookie),
        request("POST", "/api/v1/daily", None, cookie),
    ]


def _not_refused(port: int, requests: list[bytes], statuses: set[int]) -> list[str]:
    wrong = []
    for number, answer in answers_to(port, requests):
        kind = b"application/problem+json" in answer.head.lower()
        if answer.status not in statuses or not kind or answer.json["status"] != answer.status:
            wrong.append(f"{answer.status} for {requests[number][:200]!r}: {answer.body[:100]!r}")
    return wrong
