"""Load and overload: how many moves per second are put on disk, how long each waits, and what happens beyond that.

Players and service share the machine. The rate is that of acknowledged moves: each is on disk. Games are begun as well,
one for every ten moves, by the same commits. All figures are from one load generator.
"""

from collections.abc import Iterator, Mapping

from tests.support.service import Server, serving
from tools.torture.load_generator import ROUNDS, Load, Tally, run
from tools.torture.report import Row
from tools.torture.setup import KINDS, QUIET, Setup
from tools.torture.stored import FILE, size_of

CLIENTS = 64  # who send without a pause
STEADY = 1_000  # requests per second
PLAYERS = 400
FLAT = 1.10  # memory at the end, as a share of that at the start
GIVE_UP = 2.0  # seconds after which a client of an overload goes away
CROWDS = (1_000, 5_000)
FACTORS = (0.5, 1.0, 2.0, 5.0)
MIN_GOODPUT = 0.9  # of its maximum
MAX_P99 = 0.3  # seconds, of moves that were accepted
MAX_PROBE = 1.0  # seconds, of GET /health and /metrics


def load(setup: Setup) -> Iterator[Row]:
    """Games at a steady rate; then as many as there can be, beside a commit for every move."""
    yield _steady(setup)
    for kind in KINDS:
        together = _measured(setup, kind, "many moves a commit", {})
        alone = _measured(setup, kind, "a commit a move", {"TEN18_MOST_IN_A_COMMIT": "1"})
        yield together
        yield alone
        times = together.measured[f"{kind} rate"] / max(alone.measured[f"{kind} rate"], 0.1)
        wrong = [] if times > 1 else ["it is not more"]
        yield Row.of("load", f"{kind}, many moves a commit beside one", f"{times:.1f} times as many moves/s", wrong)


def _steady(setup: Setup) -> Row:
    seconds, rate = setup.pick(60.0, 5.0), STEADY
    with serving(setup.data(), environment=QUIET) as server:
        run(Load(server.port, PLAYERS, setup.pick(10.0, 2.0), rate))  # code is warm
        memory, before = server.memory(), server.processor_seconds()
        tally = run(Load(server.port, PLAYERS, seconds, rate))
        cost, after = (server.processor_seconds() - before) / max(1, tally.requests), server.memory()
        server.stop()
    wrong = _strange(tally, {200, 201})
    if not setup.is_short:
        wrong += [f"{tally.requests / seconds:,.0f} requests per second"] * (tally.requests < 0.98 * rate * seconds)
        wrong += ["memory grew"] * (after > FLAT * memory)
    return Row.of(
        "load",
        f"sqlite, {rate:,} requests per second due, {PLAYERS} players, {seconds:.0f} s",
        f"{_figures(tally)}; memory {memory / 1e6:.0f}, then {after / 1e6:.0f} MB; {cost * 1e6:.0f} µs of processor "
        "time per request",
        wrong,
        {"processor": cost, "memory": float(after), "answer": tally.received / max(1, tally.requests)},
    )


def _measured(setup: Setup, kind: str, name: str, environment: Mapping[str, str]) -> Row:
    data = setup.data()
    with setup.database(kind) as url:
        where = data / FILE if url is None else url
        with serving(data, database=url, environment={**QUIET, **environment}) as server:
            empty, _ = size_of(where)
            run(Load(server.port, CLIENTS, setup.pick(3.0, 1.0)))
            tally = run(Load(server.port, CLIENTS, setup.pick(12.0, 4.0)))
            server.stop()
        size, moves = size_of(where)
    measured = {f"{kind} rate": tally.rate, f"{kind} bytes": (size - empty) / max(1, moves)}
    test = f"{kind}, {name}, {CLIENTS} players without a pause, {tally.seconds:.0f} s"
    return Row.of("load", test, _figures(tally), _strange(tally, {200, 201}), measured)


def overload(setup: Setup) -> Iterator[Row]:
    """Half to five times the requests that the service can answer, from clients who give up."""
    with serving(setup.data(), environment=QUIET) as server:
        capacity = run(Load(server.port, CLIENTS, setup.pick(8.0, 4.0))).goodput
    test = f"capacity: {CLIENTS} clients without a pause"
    yield Row.of("overload", test, f"{capacity:,.0f} requests per second, {ROUNDS} in {ROUNDS + 1} of them moves", [])
    for clients in CROWDS:
        with serving(setup.data(), environment=QUIET) as server:
            tallies = [_one(setup, server, clients, factor * capacity) for factor in FACTORS]
        best = max(tally.goodput for tally, _ in tallies)
        for factor, (tally, used) in zip(FACTORS, tallies, strict=True):
            wrong = _strange(tally, {200, 201, 409, 503})
            slowest = max(tally.probes, default=0.0)
            low = factor >= 1 and tally.goodput < MIN_GOODPUT * best
            wrong += [f"less than {MIN_GOODPUT:.0%} of the most, {best:,.0f} accepted/s"] * low
            wrong += [f"p99 above {1e3 * MAX_P99:.0f} ms"] * (tally.quantile(0.99) > MAX_P99)
            wrong += [f"{tally.timeouts:,} timeouts"] * (tally.timeouts > 0)
            wrong += [f"/health or /metrics took {slowest:.1f} s"] * (slowest > MAX_PROBE)
            test = f"{factor:g} times the capacity, {clients:,} clients who give up after {GIVE_UP:g} s"
            rejected = tally.statuses[503]
            figures = (
                f"{tally.goodput:,.0f} accepted/s ({tally.goodput / best:.0%}); {_times(tally)}; {rejected:,} rejected "
                f"with 503, {tally.timeouts:,} timeouts; /health and /metrics within {slowest:.2f} s; processors used: "
                f"{used / tally.seconds:.2f} by the server, {tally.own_seconds / tally.seconds:.2f} by the clients"
            )
            yield Row.of("overload", test, figures, wrong)


def _one(setup: Setup, server: Server, clients: int, rate: float) -> tuple[Tally, float]:
    """What the clients have seen, and the processor time that the server has used meanwhile."""
    before = server.processor_seconds()
    tally = run(Load(server.port, clients, setup.pick(10.0, 6.0), rate, GIVE_UP))
    return tally, server.processor_seconds() - before


def _figures(tally: Tally) -> str:
    return f"{tally.rate:,.0f} moves/s; {_times(tally)}"


def _times(tally: Tally) -> str:
    return ", ".join(f"p{100 * share:.0f} {1e3 * tally.quantile(share):.0f} ms" for share in (0.5, 0.99))


def _strange(tally: Tally, usual: set[int]) -> list[str]:
    strange = {status: number for status, number in tally.statuses.items() if status not in usual}
    return [f"answered {strange}"] * bool(strange)
