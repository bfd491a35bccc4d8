"""Rates: buckets that fill with time, by player and by address, and never too many of them."""

import asyncio
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send

from tentimes18.server.edge.bodies import BODIES
from tentimes18.server.edge.rates import KINDS, Allowance, Bucket, Rates, Streams, kind_of
from tests.support.asgi import Answered, asked, echo, http_scope, sent, visited

MOVES = "/api/v1/games/x7/moves"


class Time:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Visitors:
    """People who ask a service with these limits."""

    def __init__(self, player: Bucket | None, address: Bucket, most_buckets: int = 1000) -> None:
        self.time = Time()
        kinds = {name: Allowance(player, address, "all") for name in KINDS}
        self.rates = Rates(echo, kinds=kinds, clock=self.time, most_buckets=most_buckets)
        self._app = visited(self.rates)

    def ask(
        self, player: str | None = "ada", address: str = "192.0.2.7", path: str = MOVES, method: str = "POST"
    ) -> Answered:
        headers = {} if player is None else {"cookie": f"ten18={player}"}
        scope = http_scope(method, path, headers, client=(address, "1"))
        return asyncio.run(asked(self._app, scope, sent()))


def test_a_player_gets_a_burst_and_then_one_at_a_time() -> None:
    visitors = Visitors(Bucket(3, 0.5), Bucket(100, 100))
    assert [visitors.ask().status for _ in range(5)] == [200, 200, 200, 429, 429]
    refused = visitors.ask()
    assert refused.headers["retry-after"] == "2"
    assert refused.json["type"] == "/api/docs#too-many"
    visitors.time.now += 1.99
    assert visitors.ask().status == 429
    visitors.time.now += 0.02
    assert [visitors.ask().status for _ in range(2)] == [200, 429]
    assert visitors.ask("ben").status == 200, "another player is not to blame"


@given(st.lists(st.tuples(st.floats(0, 3), st.booleans()), max_size=40), st.integers(1, 5), st.floats(0.25, 4))
def test_a_bucket_is_one_of_tokens(steps: list[tuple[float, bool]], burst: int, rate: float) -> None:
    """Against the plain twin: a number of tokens that grows with time."""
    visitors = Visitors(None, Bucket(burst, rate))
    tokens = float(burst)
    for passed, has_player in steps:
        visitors.time.now += passed
        tokens = min(burst, tokens + passed * rate)
        if abs(tokens - 1) < 1e-9:
            return  # which side of the edge float64 falls on says nothing
        answer = visitors.ask("ada" if has_player else None)
        assert answer.status == (200 if tokens >= 1 else 429)
        if tokens >= 1:
            tokens -= 1
        else:
            waiting = (1 - tokens) / rate
            assert int(answer.headers["retry-after"]) in (max(1, ceil(waiting - 1e-6)), max(1, ceil(waiting + 1e-6)))


def test_who_is_refused_takes_no_token_of_the_address() -> None:
    visitors = Visitors(Bucket(1, 0.01), Bucket(3, 0.01))
    assert [visitors.ask("ada").status for _ in range(5)] == [200, 429, 429, 429, 429]
    assert [visitors.ask(name).status for name in ("ben", "cem", "dora")] == [200, 200, 429]


def test_an_address_is_a_household() -> None:
    visitors = Visitors(None, Bucket(1, 0.01))
    assert visitors.ask(address="2001:db8:1:2::1").status == 200
    assert visitors.ask(address="2001:db8:1:2:ffff::9").status == 429
    assert visitors.ask(address="2001:db8:1:3::1").status == 200


def test_kinds_do_not_share_buckets() -> None:
    visitors = Visitors(Bucket(1, 0.01), Bucket(9, 9))
    for path, method in ((MOVES, "POST"), ("/api/v1/games", "POST"), ("/api/v1/lab/solve", "GET"), ("/", "GET")):
        assert [visitors.ask(path=path, method=method).status for _ in range(2)] == [200, 429]
    assert [visitors.ask(path="/health", method="GET").status for _ in range(5)] == [200] * 5


def test_buckets_are_bounded_and_the_oldest_goes() -> None:
    visitors = Visitors(Bucket(1, 0.001), Bucket(10_000, 10_000), most_buckets=10)
    for number in range(50):
        assert visitors.ask(f"p{number}").status == 200
    assert visitors.rates.buckets <= 2 * 10
    assert visitors.ask("p49").status == 429
    assert visitors.ask("p0").status == 200


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "BREW"])
def test_every_request_has_a_kind(method: str) -> None:
    for template in ("unknown", "/", "/api/v1/games", "/api/v1/me"):
        for is_known in (True, False):
            assert kind_of(method, template, is_known=is_known) in KINDS


@pytest.mark.parametrize(
    "asked",
    ["GET /api/v1/lab/dice", "POST /api/v1/lab/review", "GET /api/v1/me/scores", "GET /api/v1/duels/{code}/qr.svg"],
)
def test_what_computes_counts_as_such(asked: str) -> None:
    method, _, template = asked.partition(" ")
    for is_known in (True, False):
        assert kind_of(method, template, is_known=is_known) == "compute"


@pytest.mark.parametrize("has_player", [True, False])
def test_imports_do_not_fill_the_disk_in_a_day(has_player: bool) -> None:
    kind = kind_of("POST", "/api/v1/me/games", is_known=has_player)
    body = BODIES["POST", "/api/v1/me/games"].most_bytes
    assert body * KINDS[kind].address.each_second * 86_400 < 20e9
    assert kind_of("GET", "/api/v1/me/games", is_known=has_player) == "read"


def test_a_person_is_never_refused() -> None:
    """A fast player of the classic game with the coach on: a game in ten seconds, again and again, for ten minutes."""
    clock = Time()
    app = visited(Rates(echo, clock=clock))
    headers = {"cookie": "ten18=ada"}

    async def play() -> None:
        for _ in range(60):
            asking = [("POST", "/api/v1/games")]
            asking += [("GET", "/api/v1/games/x/advice"), ("POST", MOVES), ("GET", "/api/v1/games/x")] * 10
            for method, path in asking:
                answer = await asked(app, http_scope(method, path, headers), sent())
                assert answer.status == 200, answer.body
            clock.now += 10

    asyncio.run(play())


def test_streams_are_counted_while_they_are_open() -> None:
    async def scene() -> None:
        opened, ended = [], asyncio.Event()

        async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
            opened.append(1)
            await ended.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        rates = Rates(stream, streams=Streams(2, 3))
        app = visited(rates)

        def ask(player: str) -> "asyncio.Task[Answered]":
            scope = http_scope(path="/api/v1/games/x/events", headers={"cookie": f"ten18={player}"})
            return asyncio.create_task(asked(app, scope))

        running = [ask("ada"), ask("ada"), ask("ben")]
        await asyncio.sleep(0)
        assert (await ask("ada")).status == 429, "two of a player"
        refused = await ask("cem")
        assert refused.status == 429, "three of an address"
        assert int(refused.headers["retry-after"]) >= 1
        ended.set()
        assert [(await task).status for task in running] == [200, 200, 200]
        assert (await ask("ada")).status == 200
        assert len(opened) == 4

    asyncio.run(scene())


def test_what_costs_the_same_is_counted_alike() -> None:
    assert kind_of("HEAD", "/api/v1/lab/solve") == kind_of("GET", "/api/v1/lab/solve") == "compute"
    assert kind_of("POST", "/verify", is_known=False) == kind_of("POST", "/verify") == "compute"
    assert kind_of("GET", "/verify") == "read"
