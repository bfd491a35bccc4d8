"""Load and overload: how many moves a second are put on disk, how long each waits, and what happens beyond that.

Players and service share the machine. The rate is that of acknowledged moves: each stands on disk. Games are begun as
well, one for every ten moves, by the same commits.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tests.support.service import Server, serving
from tools.torture.crowd import Crowd, Visit
from tools.torture.history import FILE, size_of
from tools.torture.yard import KINDS, Row, Yard

__all__ = ["GOAL", "overload", "run"]

GOAL: Final = 2_000  # moves a second
LONGEST: Final = 0.050  # seconds, that 99 of 100 moves do not exceed
SHARE_OF_MOVES: Final = 10 / 11  # of the requests: a game is begun, then ten rolls are placed
CLIENTS: Final = 64  # who move without a pause
PLAYERS: Final = 400  # who move five times a second each: faster than people, and fewer than such a rate has
TIMES: Final = 5
MOST_SECONDS: Final = 5.0  # until all is well after an overload
FLAT: Final = 1.10  # memory at the end, as a share of that after a third of the time
NAIVE: Final = {"TEN18_MOST_IN_A_COMMIT": "1"}
QUIET: Final = {"TEN18_ACCESS_LOG": "off"}


@dataclass(slots=True)
class _Gauge:
    """Memory of a service while it works."""

    server: Server
    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)

    def look(self, now: float) -> None:
        if not self.seconds or now - self.seconds[-1] >= 2:
            self.seconds.append(now)
            self.memory.append(self.server.memory())

    def figures(self) -> str:
        start, middle, end = (self.memory[place] for place in (0, len(self.memory) // 2, -1))
        return f"memory {start / 1e6:.0f}, {middle / 1e6:.0f}, {end / 1e6:.0f} MB"

    def is_flat(self) -> bool:
        return self.memory[-1] <= FLAT * self.memory[len(self.memory) // 3]


def run(yard: Yard) -> Iterator[Row]:
    """Whole games at the rate of the goal; then as many as there can be, beside a commit for every move."""
    yield _steady(yard)
    for kind in yard.pick(KINDS, ()):
        together = _measured(yard, kind, "many moves a commit", {})
        alone = _measured(yard, kind, "a commit a move", NAIVE)
        yield together
        yield alone
        times = together.measured[f"{kind} rate"] / max(alone.measured[f"{kind} rate"], 0.1)
        wrong = () if times > 1 else ("it is not more",)
        yield Row("load", f"{kind}, many moves a commit beside one", f"{times:.1f} times as many moves/s", wrong)


def _steady(yard: Yard) -> Row:
    seconds, goal, data = yard.pick(120.0, 2.0), yard.pick(GOAL, 100), yard.data()
    with serving(data, environment=QUIET) as server:
        crowd = Crowd([server.port], PLAYERS)
        crowd.visit(yard.pick(10.0, 0.5), rate=goal / SHARE_OF_MOVES)  # connections are made, code is warm
        before, gauge = server.processor_seconds(), _Gauge(server)
        gauge.look(0.0)
        visit = crowd.visit(seconds, rate=goal / SHARE_OF_MOVES, tick=gauge.look)
        gauge.look(seconds + 2)
        cost = (server.processor_seconds() - before) / max(1, visit.requests)
        crowd.close()
        server.stop()
    size, moves = size_of(data / FILE)
    wrong = list(visit.tally.complaints)
    if not yard.is_short and visit.rate < 0.99 * goal:
        wrong.append(f"{visit.rate:,.0f} moves a second where {goal:,} are the goal")
    if not yard.is_short and (slow := visit.latencies.quantile(0.99)) > LONGEST:
        wrong.append(f"one move in a hundred took longer than {slow * 1e3:.0f} ms")
    if bad := sum(number for status, number in visit.tally.statuses.items() if status >= 500):
        wrong.append(f"{bad:,} answers of 500 and above")
    if not yard.is_short and not gauge.is_flat():
        wrong.append(f"memory grew: {gauge.figures()}")
    return Row(
        "load",
        f"sqlite, {goal:,} moves a second due, {PLAYERS} players, {visit.seconds:.0f} s",
        f"{_figures(visit)}; {gauge.figures()}; {cost * 1e6:.0f} µs of a processor a request, "
        f"{visit.own_cost * 1e6:.0f} µs of the players'",
        Row.told(wrong),
        {
            "processor": cost,
            "memory": float(gauge.memory[-1]),
            "answer": visit.tally.received / max(1, visit.requests),
            "sqlite bytes": size / max(1, moves),
        },
    )


def _measured(yard: Yard, kind: str, name: str, environment: Mapping[str, str]) -> Row:
    data = yard.data()
    with yard.database(kind) as url:
        with serving(data, database=url, environment={**QUIET, **environment}) as server:
            where = data / FILE if url is None else url
            empty, _ = size_of(where)
            crowd = Crowd([server.port], CLIENTS)
            crowd.visit(5.0)
            visit = crowd.visit(30.0)
            crowd.close()
            server.stop()
        size, moves = size_of(where)
    measured = {f"{kind} rate": visit.rate, f"{kind} bytes": (size - empty) / max(1, moves)}
    test = f"{kind}, {name}, {CLIENTS} players without a pause, {visit.seconds:.0f} s"
    return Row("load", test, _figures(visit), Row.told(visit.tally.complaints), measured)


def overload(yard: Yard) -> Iterator[Row]:
    """Five times as many players and requests as the goal has; then the usual again."""
    if not yard.is_short:
        yield _overload(yard, "without rate limits", has_limits=False)
    yield _overload(yard, "with rate limits", has_limits=True)


def _overload(yard: Yard, name: str, *, has_limits: bool) -> Row:
    seconds, goal, most = yard.pick(20.0, 1.0), yard.pick(GOAL, 400), yard.pick(MOST_SECONDS, 60.0)
    allowed = {200, 201, 429, 503}
    with serving(yard.data(), rate_limit=has_limits, environment=QUIET) as server:
        crowd, usual = Crowd([server.port], TIMES * CLIENTS), Crowd([server.port], 8)
        visit = crowd.visit(seconds, rate=TIMES * goal / SHARE_OF_MOVES)
        crowd.close()
        spent = _until_well(usual, most, {200, 201, 429} if has_limits else {200, 201})
        usual.close()
    wrong = list(visit.tally.complaints)
    if strange := {status: number for status, number in visit.tally.statuses.items() if status not in allowed}:
        wrong.append(f"answered {strange}")
    if visit.tally.broken:
        wrong.append(f"{visit.tally.broken:,} connections ended without an answer")
    if spent > most:
        wrong.append(f"not well again within {most:.0f} s")
    figures = f"{_figures(visit)}; {_statuses(visit)}; well again after {spent:.1f} s"
    test = f"{TIMES} times {goal:,} moves a second due, {TIMES * CLIENTS} players, {seconds:.0f} s, {name}"
    return Row("overload", test, figures, Row.told(wrong))


def _until_well(crowd: Crowd, most: float, right: set[int]) -> float:
    """Seconds until a few players have only answers that are right now, and none takes long.

    Where rates are limited these players share the address of those who asked too much, and may have to wait as well.
    """
    spent = 0.0
    while spent <= most:
        visit = crowd.visit(0.5, rate=50)
        statuses = set(visit.tally.statuses)
        if statuses and statuses <= right and visit.latencies.most < 2 * LONGEST:
            return spent
        spent += visit.seconds
    return spent


def _figures(visit: Visit) -> str:
    times = visit.latencies
    return (
        f"{visit.rate:,.0f} moves/s; p50 {times.quantile(0.5) * 1e3:.1f} ms, p99 {times.quantile(0.99) * 1e3:.1f} ms, "
        f"longest {times.most * 1e3:.0f} ms"
    )


def _statuses(visit: Visit) -> str:
    return ", ".join(f"{number:,} of {status}" for status, number in sorted(visit.tally.statuses.items()))
