"""Rates: buckets that fill with time, by player and by address, and never too many of them."""

from math import ceil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.server.problems import Problem
from tentimes18.server.rates import RATES, Allowance, Bucket, RateLimiter, Streams
from tentimes18.server.request import RequestInfo
from tests.support.web import ORIGIN, opened_hall


class Visitors:
    """People who ask a service with these limits; the clock is stopped until it is set."""

    def __init__(self, player: Bucket | None, address: Bucket, size: int = 1000) -> None:
        self.now = 1000.0
        rates = {name: Allowance(player, address, "all") for name in RATES}
        self.rates = RateLimiter(rates, size=size, clock=lambda: self.now)

    def ask(
        self, player: str | None = "ada", address: str = "192.0.2.7", kind: str | None = "move", method: str = "POST"
    ) -> int:
        """The seconds to wait; 0 for a request that passes."""
        info = RequestInfo(method, {}, address, 0.0)
        info.player = player
        try:
            self.rates.check(info, kind)
        except Problem as problem:
            assert problem.slug == "too-many"
            return int(problem.headers["Retry-After"])
        return 0


def test_a_player_gets_a_burst_and_then_one_at_a_time() -> None:
    visitors = Visitors(Bucket(3, 0.5), Bucket(100, 100))
    assert [visitors.ask() for _ in range(5)] == [0, 0, 0, 2, 2]
    visitors.now += 1.99
    assert visitors.ask() == 1
    visitors.now += 0.02
    assert [visitors.ask() for _ in range(2)] == [0, 2]
    assert visitors.ask("ben") == 0, "another player is not to blame"


@given(st.lists(st.tuples(st.floats(0, 3), st.booleans()), max_size=40), st.integers(1, 5), st.floats(0.25, 4))
def test_a_bucket_is_one_of_tokens(steps: list[tuple[float, bool]], burst: int, rate: float) -> None:
    """Against the plain twin: a number of tokens that grows with time."""
    visitors = Visitors(None, Bucket(burst, rate))
    tokens = float(burst)
    for seconds, has_player in steps:
        visitors.now += seconds
        tokens = min(burst, tokens + seconds * rate)
        if abs(tokens - 1) < 1e-9:
            return  # which side of the edge float64 falls on says nothing
        wait = visitors.ask("ada" if has_player else None)
        if tokens >= 1:
            assert wait == 0
            tokens -= 1
        else:
            exact = (1 - tokens) / rate
            assert wait in (max(1, ceil(exact - 1e-6)), max(1, ceil(exact + 1e-6)))


def test_who_is_rejected_takes_no_token_of_the_address() -> None:
    visitors = Visitors(Bucket(1, 0.01), Bucket(3, 0.01))
    assert [visitors.ask("ada") > 0 for _ in range(5)] == [False, True, True, True, True]
    assert [visitors.ask(name) > 0 for name in ("ben", "cem", "dora")] == [False, False, True]


def test_an_address_is_a_household() -> None:
    visitors = Visitors(None, Bucket(1, 0.01))
    assert visitors.ask(address="2001:db8:1:2::1") == 0
    assert visitors.ask(address="2001:db8:1:2:ffff::9") > 0
    assert visitors.ask(address="2001:db8:1:3::1") == 0


def test_kinds_do_not_share_buckets() -> None:
    visitors = Visitors(Bucket(1, 0.01), Bucket(9, 9))
    for kind, method in (("move", "POST"), (None, "POST"), ("compute", "GET"), (None, "GET")):
        assert [visitors.ask(kind=kind, method=method) > 0 for _ in range(2)] == [False, True]
    assert [visitors.ask(kind="free", method="GET") for _ in range(5)] == [0] * 5


def test_buckets_are_bounded_and_the_oldest_goes() -> None:
    visitors = Visitors(Bucket(1, 0.001), Bucket(10_000, 10_000), size=10)
    for number in range(50):
        assert visitors.ask(f"p{number}") == 0
    assert all(len(found) <= 10 for found in visitors.rates._by_player.values())
    assert visitors.ask("p49") > 0
    assert visitors.ask("p0") == 0


def test_a_person_is_never_rejected() -> None:
    """A fast player of the classic game with the coach on: a game in ten seconds, again and again, for ten minutes."""
    now = 0.0
    rates = RateLimiter(clock=lambda: now)
    for _ in range(60):
        for method, kind in [("POST", None), *[("GET", "compute"), ("POST", "move"), ("GET", None)] * 10]:
            info = RequestInfo(method, {}, "192.0.2.7", 0.0)
            info.player = "ada"
            rates.check(info, kind)
        now += 10


def test_streams_are_counted_while_they_are_open() -> None:
    rates = RateLimiter(streams=Streams(2, 3))

    def info(player: str) -> RequestInfo:
        found = RequestInfo("GET", {}, "192.0.2.7", 0.0)
        found.player = player
        return found

    with rates.stream(info("ada")), rates.stream(info("ada")):
        with rates.stream(info("ben")):
            for player in ("ada", "cem"):  # two of a player, three of an address
                with pytest.raises(Problem) as rejected, rates.stream(info(player)):
                    pass
                assert int(rejected.value.headers["Retry-After"]) >= 1
        with rates.stream(info("cem")):
            pass


async def test_routes_have_their_rates_and_addresses_that_lead_nowhere_too(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, has_rate_limits=True) as hall, hall.visitor() as ada:
        rates = hall.shared.rates
        assert rates is not None

        async def kinds(*requests: tuple[str, str]) -> list[str]:
            seen = []
            for method, path in requests:
                before = {name: len(buckets) for name, buckets in rates._by_address.items()}
                await ada.request(method, path)
                seen += [name for name, buckets in rates._by_address.items() if len(buckets) > before[name]]
                for buckets in rates._by_address.values():
                    buckets._full_at.clear()
            return seen

        assert await kinds(
            ("POST", "/games/x/moves"),
            ("GET", "/games/x/advice"),
            ("HEAD", "/lab/solve"),
            ("GET", "/duels/x/qr.svg"),
            ("POST", "/me/games"),
            ("GET", "/me/games"),
            ("POST", f"{ORIGIN}/verify"),
            ("GET", f"{ORIGIN}/static/app/main.js"),
            ("GET", "/nowhere"),
            ("POST", "/daily"),
            ("PUT", "/me"),
            ("GET", f"{ORIGIN}/health"),
        ) == ["move", "compute", "compute", "compute", "import", "export", "compute", "file", "read", "make", "make"]
        burst = RATES["new"].address.burst
        ada.cookies.clear()
        statuses = [(await ada.post("/nowhere")).status_code for _ in range(burst + 30)]
        assert burst <= statuses.count(404) < burst + 30  # some tokens come back meanwhile
