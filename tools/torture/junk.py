"""Bad input: requests made from the service's own description, raw junk, bodies of ten megabytes, and slow clients.

`schemathesis` reads /api/openapi.json, makes requests that fit it and requests that do not, follows what one answer
gives the next request, and compares every answer with the description. The rest is no HTTP, or hardly: whatever is
sent, the service must answer nobody with 5xx and serve the others as before.
"""

import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import Final

from tests.support.process import finished
from tests.support.service import HOST, Server
from tools.torture.crowd import Crowd
from tools.torture.wire import Wire, cookie_in, request
from tools.torture.yard import Row, Yard

__all__ = ["junk", "run", "statuses_in"]

CHECKS: Final = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance"
)
EXAMPLES: Final = 1_000
LARGE: Final = 10 << 20
TOGETHER: Final = 50  # connections with junk
SLOW: Final = 200  # clients at once
STATUS: Final = re.compile(rb"HTTP/1\.[01] ([0-9]{3})")


def run(yard: Yard) -> Iterator[Row]:
    """All of them."""
    server = yard.server
    if not yard.is_short:  # seconds are too few to make anything of a description
        yield from _described(server)
    yield _raw(yard, server)
    yield _large(server)
    yield _slow(yard, server)


def _described(server: Server) -> Iterator[Row]:
    """As a player, whose games are its own; what deletes that player comes last."""
    wire = Wire(server.port)
    cookie = cookie_in(wire.ask(request("POST", "/api/v1/games", {})).head).decode()
    wire.close()
    for name, chosen in (("all but DELETE", "--exclude-method"), ("DELETE", "--include-method")):
        command = (
            *(Path(sys.prefix) / "bin" / "schemathesis", "run", f"{server.url}/api/openapi.json"),
            *("--checks", CHECKS, "--max-examples", str(EXAMPLES), "--phases", "examples,coverage,fuzzing,stateful"),
            *("--header", f"Cookie: {cookie}", chosen, "DELETE", "--exclude-path-regex", "/events$"),
            *("--no-color", "--request-timeout", "60", "--continue-on-failure"),
        )
        began = perf_counter()
        done = finished(command, timeout=6 * 3600)
        spent = perf_counter() - began
        test = f"schemathesis, {name}, {EXAMPLES:,} examples an operation, stateful, {spent:.0f} s"
        yield Row("bad input", test, *_summary(done.returncode, done.stdout.decode(errors="replace")))


def _summary(code: int, text: str) -> tuple[str, tuple[str, ...]]:
    """What was done, and what failed, out of the report."""
    operations, cases = (
        re.search(r"Tested: +([0-9,]+)", text),
        re.search(r"^ +([0-9,]+ generated.*)$", text, re.MULTILINE),
    )
    figures = f"{operations[1] if operations else 'no'} operations; {cases[1] if cases else 'nothing generated'}"
    if code == 0:
        return figures, ()
    failed = re.findall(r"^_+ (.+?) _+$|^- (.+)$", text, re.MULTILINE)
    return figures, Row.told([f"exit code {code}", *("".join(pair) for pair in failed)])


def junk(chance: Random) -> bytes:
    """Something that is sent instead of a request: rubbish, or a request that is spoilt somewhere."""
    good = request("POST", "/api/v1/games", {"dice": "3d6"}, b"ten18=x.y")
    place = chance.randrange(len(good))
    kinds: tuple[Callable[[], bytes], ...] = (
        lambda: chance.randbytes(chance.randrange(1, 2_000)),
        lambda: good[:place] + chance.randbytes(chance.randrange(1, 20)) + good[place:],
        lambda: good[:place],
        lambda: good.replace(b"HTTP/1.1", chance.choice([b"HTTP/9.9", b"HTTP/0.9", b"", b"FTP/1.1"])),
        lambda: good.replace(b"POST", chance.choice([b"BREW", b"CONNECT", b"TRACE", b"post", b"\xff\xfe"])),
        lambda: good.replace(b"Content-Length: ", chance.choice([b"Content-Length: -", b"Content-Length: 9e9"])),
        lambda: good.replace(b"Host", b"Transfer-Encoding: chunked\r\nHost"),
        lambda: b"GET /" + b"a" * chance.choice([9_000, 70_000]) + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        lambda: b"GET / HTTP/1.1\r\n" + b"X-Header: y\r\n" * chance.choice([200, 5_000]) + b"\r\n",
        lambda: (
            b"GET /api/v1/games/" + chance.choice([b"%00", b"..%2f..", b"%ff%fe", b"\xc3\x28"]) + b" HTTP/1.1\r\n\r\n"
        ),
        lambda: request("POST", "/api/v1/games").replace(b"Length: 0", b"Length: 4") + chance.randbytes(4),
        lambda: good.replace(b"3d6", b"\xff\xff\xff"),
        lambda: good.replace(b'{"dice": "3d6"}', b"[" * 15),
    )
    return chance.choice(kinds)()


def statuses_in(data: bytes) -> list[int]:
    r"""The statuses of all answers in what came back.

    >>> statuses_in(b"HTTP/1.1 400 Bad Request\r\n\r\nHTTP/1.1 404 Not Found\r\n")
    [400, 404]
    """
    return [int(status) for status in STATUS.findall(data)]


def _raw(yard: Yard, server: Server) -> Row:
    count, wrong, answered = yard.pick(10_000, 100), list[str](), 0
    for _ in range(count // TOGETHER):
        sent = [junk(yard.chance) for _ in range(TOGETHER)]
        with ExitStack() as stack:
            wires = [stack.enter_context(socket.create_connection((HOST, server.port), 10)) for _ in sent]
            for wire, data in zip(wires, sent, strict=True):
                with suppress(OSError):
                    wire.sendall(data)
                    wire.shutdown(socket.SHUT_WR)
            sleep(0.2)
            for wire, data in zip(wires, sent, strict=True):
                wire.settimeout(0.002)
                statuses = statuses_in(_read(wire))
                answered += bool(statuses)
                if bad := [status for status in statuses if status >= 500]:
                    wrong.append(f"{bad} for {data[:100]!r}")
    wrong += _not_well(server)
    return Row("bad input", f"raw junk, {count:,} times", f"{answered:,} were answered, none with 5xx", Row.told(wrong))


def _read(wire: socket.socket, enough: re.Pattern[bytes] | None = None) -> bytes:
    """What comes until the other side hangs up or is silent, or until enough has come."""
    data = b""
    with suppress(OSError):
        while not (enough and enough.search(data)) and (more := wire.recv(65536)):
            data += more
    return data


def _large(server: Server) -> Row:
    """Ten megabytes: as a body with its length, in chunks without one, as a header, and as a path."""
    wrong, told = [], list[str]()
    memory = server.memory()
    head = b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    body = b'{"dice": "' + b"x" * (LARGE - 12) + b'"}'
    chunk = b"%x\r\n%b\r\n" % (len(body) // 10, body[: len(body) // 10])
    for name, data, right in (
        ("a body with its length", head + b"Content-Length: %d\r\n\r\n" % len(body) + body, {413}),
        ("a body in chunks", head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 10 + b"0\r\n\r\n", {413}),
        ("a header", b"GET /health HTTP/1.1\r\nX: " + b"x" * LARGE + b"\r\n\r\n", {400, 431}),
        ("a path", b"GET /" + b"x" * LARGE + b" HTTP/1.1\r\nHost: x\r\n\r\n", {400, 414, 431}),
    ):
        with socket.create_connection((HOST, server.port), 10) as wire, suppress(OSError):
            wire.settimeout(5)
            with suppress(OSError):
                wire.sendall(data)
            statuses = statuses_in(_read(wire, enough=STATUS))
        told.append(f"{name}: {statuses[0] if statuses else 'hung up'}")
        if set(statuses) - right:
            wrong.append(f"{statuses} for {name}")
    more = server.memory() - memory
    wrong += _not_well(server)
    return Row("bad input", "ten megabytes", f"{'; '.join(told)}; {more / 1e6:.0f} MB more memory", Row.told(wrong))


def _slow(yard: Yard, server: Server) -> Row:
    """Clients that send a byte now and then, while others play."""
    whole = request("POST", "/api/v1/games", {"dice": "3d6"})
    wires, sent, seconds = [], 0, yard.pick(40.0, 1.0)
    crowd = Crowd([server.port], 8)
    try:
        for _ in range(yard.pick(SLOW, 50)):
            wires.append(socket.create_connection((HOST, server.port), 10))
        end = perf_counter() + seconds
        moves, statuses = 0, set[int]()
        while perf_counter() < end:
            for wire in wires:
                with suppress(OSError):
                    wire.send(whole[sent % len(whole) : sent % len(whole) + 1])
            sent += 1
            visit = crowd.visit(0.5, rate=100)
            moves += visit.tally.moves
            statuses |= set(visit.tally.statuses)
        for wire in wires:
            wire.settimeout(0.01)
        answered = [status for wire in wires for status in statuses_in(_read(wire))]
    finally:
        crowd.close()
        for wire in wires:
            wire.close()
    wrong = [] if moves and statuses <= {200, 201} else [f"others got {moves} moves and {sorted(statuses)}"]
    if bad := [status for status in answered if status >= 500]:
        wrong.append(f"{bad[:5]} for slow clients")
    wrong += _not_well(server)
    figures = f"others made {moves:,} moves meanwhile; {len(answered):,} of the slow ones were answered, none with 5xx"
    return Row(
        "bad input", f"{len(wires)} clients that send a byte now and then, {seconds:.0f} s", figures, Row.told(wrong)
    )


def _not_well(server: Server) -> list[str]:
    """Whether others are served as before."""
    crowd = Crowd([server.port], 4)
    visit = crowd.visit(0.5)
    crowd.close()
    sleep(0.1)
    if not visit.tally.moves or set(visit.tally.statuses) - {200, 201} or server.process.poll() is not None:
        return [f"others are not served as before: {dict(visit.tally.statuses)}"]
    return []
