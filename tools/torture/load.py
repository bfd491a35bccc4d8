"""Load and overload: how many moves per second are put on disk, how long each waits, and what happens beyond that.

Players and service share the machine. The rate is that of acknowledged moves: each is on disk. Games are begun as well,
one for every ten moves, by the same commits.
"""

from collections.abc import Iterator, Mapping

from tests.support.service import serving
from tools.torture.clients import Crowd
from tools.torture.report import Row
from tools.torture.setup import KINDS, QUIET, Setup
from tools.torture.stored import FILE, size_of

GOAL = 2_000  # moves per second
MAX_P99 = 0.050  # seconds
MOVES_PER_REQUEST = 10 / 11  # a game is begun, then ten rolls are placed
CLIENTS = 64  # who move without a pause
PLAYERS = 400  # who move five times per second each
TIMES = 5
MAX_RECOVERY = 5.0  # seconds until all is well after an overload
FLAT = 1.10  # memory at the end, as a share of that after a third of the time


def load(setup: Setup) -> Iterator[Row]:
    """Whole games at the rate of the goal; then as many as there can be, beside a commit for every move."""
    yield _steady(setup)
    for kind in setup.pick(KINDS, ()):
        together = _measured(setup, kind, "many moves a commit", {})
        alone = _measured(setup, kind, "a commit a move", {"TEN18_MOST_IN_A_COMMIT": "1"})
        yield together
        yield alone
        times = together.measured[f"{kind} rate"] / max(alone.measured[f"{kind} rate"], 0.1)
        wrong = [] if times > 1 else ["it is not more"]
        yield Row.of("load", f"{kind}, many moves a commit beside one", f"{times:.1f} times as many moves/s", wrong)


def _steady(setup: Setup) -> Row:
    seconds, goal, data = setup.pick(120.0, 2.0), setup.pick(GOAL, 100), setup.data()
    memory: list[int] = []
    with serving(data, environment=QUIET) as server:

        def look(_: float) -> None:
            memory.append(server.memory())

        crowd = Crowd(server.port, PLAYERS)
        crowd.visit(setup.pick(10.0, 0.5), rate=goal / MOVES_PER_REQUEST)  # connections are made, code is warm
        before = server.processor_seconds()
        visit = crowd.visit(seconds, rate=goal / MOVES_PER_REQUEST, tick=look, every=setup.pick(2.0, 0.5))
        cost = (server.processor_seconds() - before) / max(1, visit.requests)
        look(0.0)
        crowd.close()
        server.stop()
    shown = "memory " + ", ".join(f"{memory[place] / 1e6:.0f}" for place in (0, len(memory) // 2, -1)) + " MB"
    wrong = list(visit.complaints)
    if bad := sum(number for status, number in visit.statuses.items() if status >= 500):
        wrong.append(f"{bad:,} answers of 500 and above")
    if not setup.is_short:
        wrong += [f"{visit.rate:,.0f} moves a second where {goal:,} are the goal"] * (visit.rate < 0.99 * goal)
        wrong += [f"p99 above {1e3 * MAX_P99:.0f} ms"] * (visit.quantile(0.99) > MAX_P99)
        wrong += [f"memory grew: {shown}"] * (memory[-1] > FLAT * memory[len(memory) // 3])
    return Row.of(
        "load",
        f"sqlite, {goal:,} moves a second due, {PLAYERS} players, {visit.seconds:.0f} s",
        f"{visit.figures}; {shown}; {cost * 1e6:.0f} µs of a processor a request, "
        f"{1e6 * visit.own_time / max(1, visit.requests):.0f} µs of the players'",
        wrong,
        {
            "processor": cost,
            "memory": float(memory[-1]),
            "answer": visit.received / max(1, visit.requests),
        },
    )


def _measured(setup: Setup, kind: str, name: str, environment: Mapping[str, str]) -> Row:
    data = setup.data()
    with setup.database(kind) as url:
        where = data / FILE if url is None else url
        with serving(data, database=url, environment={**QUIET, **environment}) as server:
            empty, _ = size_of(where)
            crowd = Crowd(server.port, CLIENTS)
            crowd.visit(5.0)
            visit = crowd.visit(30.0)
            crowd.close()
            server.stop()
        size, moves = size_of(where)
    measured = {f"{kind} rate": visit.rate, f"{kind} bytes": (size - empty) / max(1, moves)}
    test = f"{kind}, {name}, {CLIENTS} players without a pause, {visit.seconds:.0f} s"
    return Row.of("load", test, visit.figures, visit.complaints, measured)


def overload(setup: Setup) -> Iterator[Row]:
    """Five times as many players and requests as the goal has; then the usual again."""
    for has_limits in setup.pick((False, True), (True,)):
        seconds, goal, most = setup.pick(20.0, 1.0), setup.pick(GOAL, 400), setup.pick(MAX_RECOVERY, 60.0)
        # With rate limits, the usual players share the address of those who asked too much, and may have to wait.
        usual = {200, 201, 429} if has_limits else {200, 201}
        with serving(setup.data(), rate_limit=has_limits, environment=QUIET) as server:
            crowd, few = Crowd(server.port, TIMES * CLIENTS), Crowd(server.port, 8)
            visit = crowd.visit(seconds, rate=TIMES * goal / MOVES_PER_REQUEST)
            crowd.close()
            spent, is_well = 0.0, False
            while not is_well and spent <= most:
                after = few.visit(0.5, rate=50)
                is_well = bool(after.statuses) and {*after.statuses} <= usual and after.quantile(1) < 2 * MAX_P99
                spent += 0.0 if is_well else after.seconds
            few.close()
        strange = {status: number for status, number in visit.statuses.items() if status not in (*usual, 429, 503)}
        wrong = visit.complaints + [f"answered {strange}"] * bool(strange)
        wrong += [f"{visit.broken:,} connections ended without an answer"] * bool(visit.broken)
        wrong += [f"not well again within {most:.0f} s"] * (not is_well)
        statuses = ", ".join(f"{number:,} of {status}" for status, number in sorted(visit.statuses.items()))
        name = "with rate limits" if has_limits else "without rate limits"
        test = f"{TIMES} times {goal:,} moves a second due, {TIMES * CLIENTS} players, {seconds:.0f} s, {name}"
        yield Row.of("overload", test, f"{visit.figures}; {statuses}; well again after {spent:.1f} s", wrong)
