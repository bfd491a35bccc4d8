"""Bad input of every kind, against a real server: an answer that the reference describes, never a fault, never a hang.

`FUZZ_EXAMPLES` says how many requests of each kind are made for an operation.
"""

import http.client
import json
import os
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CheckFunction, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tentimes18.server.request import MAX_JSON
from tests.support.process import PATIENCE  # the first answer may have to compile its kernels
from tests.support.service import HOST, Server, health_of, processor_seconds, serving

CHECKS: Final[Sequence[CheckFunction]] = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
STREAMS: Final = "/events"  # without an end


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context: Any, value: Any) -> bytes:
    """The generated text, unchanged."""
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "surrogatepass")


class Fuzz:
    """Requests to a service, from one player; ``known`` are values that path parameters take, every other time."""

    def __init__(self, url: str, examples: int) -> None:
        self.schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json").exclude(path_regex=f"{STREAMS}$")
        results: list[Any] = list(self.schema.get_all_operations())
        self.operations = {operation.label: operation for operation in (result.ok() for result in results)}
        self.session = requests.Session()
        self.statuses: Counter[int] = Counter()
        self.known: dict[str, str] = {}
        self._settings = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )

    def run(self, label: str) -> None:
        operation = self.operations[label]
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                self._settings(given(case=operation.as_strategy(generation_mode=mode))(self._check()))()
            except Unsatisfiable:  # nothing about this operation can be broken
                assert mode is GenerationMode.NEGATIVE

    def run_sequences(self) -> None:
        """Sequences of requests, each with what the answers before it gave."""
        fuzz = self

        class Sequences(self.schema.as_state_machine()):  # type: ignore[misc]
            def get_call_kwargs(self, _case: Any) -> dict[str, Any]:
                return {"session": fuzz.session, "timeout": PATIENCE}

            def validate_response(self, response: Any, case: Any, *_: Any, **__: Any) -> None:
                fuzz.verify(response, case)

        Sequences.run(settings=settings(self._settings, stateful_step_count=8))

    def verify(self, response: Any, case: Any) -> None:
        self.statuses[response.status_code] += 1
        case.validate_response(response, checks=list(CHECKS))

    def _check(self) -> Callable[..., None]:
        turn = Counter[str]()

        def check(case: Any) -> None:
            turn["requests"] += 1
            for name in set(case.path_parameters or {}) & self.known.keys():
                if turn["requests"] % 2:
                    case.path_parameters[name] = self.known[name]
            self.verify(case.call(session=self.session, timeout=PATIENCE), case)

        return check


EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
MOVES = "/api/v1/games/AAAAAAAAAAAAAAAAAAAAAA/moves"
HEAD = f"POST {MOVES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()


def dial(server: Server) -> socket.socket:
    return socket.create_connection((HOST, server.port), PATIENCE)


def heard(connection: socket.socket) -> bytes:
    """All that is said before the connection is closed or nothing more can come."""
    found = b""
    try:
        while part := connection.recv(65536):
            found += part
    except ConnectionError:
        pass
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("bad input") / "data") as found:
        yield found
        assert health_of(found.port)[0] == 200
        lines = found.text().splitlines()
        assert not [line for line in lines if "fault" in line or "Traceback" in line]
        assert all(json.loads(line)["status"] < 500 for line in lines if line.startswith("{"))


@pytest.fixture(scope="module", autouse=True)
def slow_clients(server: Server) -> Iterator[list[socket.socket]]:
    """Clients that begin to send and stop; they wait while the other tests go on."""
    beginnings = [HEAD + b"Content-Length: 20\r\n\r\n", HEAD + b'Content-Length: 20\r\n\r\n{"round"']
    beginnings.append(HEAD + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"rou\r\n')
    connections = [dial(server) for _ in beginnings]
    try:
        for connection, beginning in zip(connections, beginnings, strict=True):
            connection.sendall(beginning)
        yield connections
    finally:
        for connection in connections:
            connection.close()


@pytest.fixture(scope="module")
def fuzz(server: Server) -> Fuzz:
    found = Fuzz(server.url, EXAMPLES)
    game = found.session.post(f"{server.url}/api/v1/games").json()
    daily = found.session.get(f"{server.url}/api/v1/daily").json()
    found.known |= {"id": game["id"], "day": daily["day"]}
    return found


def test_requests_made_from_the_reference(fuzz: Fuzz) -> None:
    assert {"POST /api/v1/games", "POST /api/v1/games/{id}/moves"} <= fuzz.operations.keys()
    for label in fuzz.operations:
        fuzz.run(label)
    assert fuzz.statuses[200]
    assert fuzz.statuses[422]


def test_sequences_made_from_the_reference(fuzz: Fuzz) -> None:
    fuzz.run_sequences()


@contextmanager
def client(server: Server) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(HOST, server.port, timeout=PATIENCE)
    try:
        yield connection
    finally:
        connection.close()


def filled(part: bytes, start: bytes = b"[", end: bytes = b"]", between: bytes = b",") -> bytes:
    """A body of nearly 64 kB."""
    return start + between.join([part] * ((MAX_JSON - 200) // len(part + between))) + end


def names(count: int, value: bytes = b"1") -> bytes:
    return b",".join(b'"%x":%s' % (number, value) for number in range(count))


DIGITS = b"9" * (MAX_JSON - 200)
WORST = {
    "a name twice at the end": b"{" + names(7_500) + b',"0":1}',
    "many names": b"{" + names(7_500) + b"}",
    "one name, again and again": filled(b'"a":1', b"{", b"}"),
    "a name twice in the innermost of many objects": b'{"a":' * 900 + b'{"b":1,"b":1}' + b"}" * 900,
    "objects in objects": b'{"a":' * 10_000,
    "lists in lists": b"[" * 63_000,
    "many empty objects": filled(b"{}"),
    "many objects with a name twice": filled(b'{"a":1,"a":1}'),
    "a long integer": b'{"round": 1, "slot": ' + DIGITS + b"}",
    "a long negative integer": b'{"round": -' + DIGITS + b', "slot": 1}',
    "a long fraction": b'{"round": 1, "slot": 0.' + DIGITS + b"}",
    "a huge exponent": b'{"round": 1, "slot": 1e' + DIGITS + b"}",
    "an integer in a list of slots": b'{"slots": [' + DIGITS + b"]}",
    "many slots": filled(b"1", b'{"slots": [', b"]}"),
    "many fractions as slots": filled(b'"1/99999999999999999999"', b'{"slots": [', b"]}"),
    "a long text as dice": b'{"dice": "' + b"3d6+" * 15_000 + b'3d6"}',
    "a long text as slots": b'{"slots": "' + b"1," * 30_000 + b'1"}',
    "escapes": filled(b"\\u00e9", b'{"dice": "', b'"}', b""),
    "half a pair of surrogates": filled(b"\\ud83d", b'{"dice": "', b'"}', b""),
    "blanks": b" " * 63_000 + b"{",
    "dice that are many ways to roll": b'{"dice": "20d5kh10", "slots": "1-20"}',
    "dice that explode": b'{"dice": "9d9!x9", "slots": "1-20"}',
}
MAX_SECONDS = 0.020  # of the processor, per body


def test_the_worst_bodies_cost_little(server: Server) -> None:
    """No body of 64 kB takes more than 20 ms, by the processor time of the process that answers players."""
    (worker,) = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    times = 3
    spent = dict.fromkeys(WORST, 0.0)
    for _ in range(times):
        for name, body in WORST.items():
            assert len(body) <= MAX_JSON
            before = processor_seconds(int(worker))
            for path in ("/api/v1/games", MOVES):
                with client(server) as connection:
                    connection.request("POST", path, body, {"Content-Type": "application/json"})
                    assert 400 <= connection.getresponse().status < 500, (name, path)
            spent[name] += processor_seconds(int(worker)) - before
    mean = {name: seconds / times / 2 for name, seconds in spent.items()}
    assert sum(mean.values()) / len(mean) < MAX_SECONDS / 2, mean
    assert max(mean.values()) < 2 * MAX_SECONDS, mean  # twice, because the system counts in hundredths of a second


@pytest.mark.parametrize("is_told", [True, False])
def test_ten_megabytes(server: Server, is_told: bool) -> None:
    content = b"x" * 10_000_000 if is_told else (b"x" * 100_000 for _ in range(100))
    answer = httpx.post(
        server.url + MOVES, content=content, headers={"Content-Type": "application/json"}, timeout=PATIENCE
    )
    assert answer.status_code == 413
    assert answer.json()["type"] == "/api/docs#too-large"


JUNK = [
    *(b"\r\n\r\n", b"\x00" * 100, b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"),
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /%ff%00%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET /api/v1/games/%00 HTTP/1.1\r\nHost: x\r\nCookie: ten18=\xff\xfe.\xff\r\nConnection: close\r\n\r\n",
    b"GET /api/v1/games/../../health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET http://evil.example/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"BREW /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /" + b"a" * 2_000 + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET /health HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
    b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 500 + b"\r\n",
    b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nConnection: close\r\n\r\n",
    HEAD + b"Content-Length: -1\r\n\r\n",
    HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    HEAD + b"Content-Length: 99999999999999999999999\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    HEAD + b"Transfer-Encoding: gzip\r\n\r\n",
    HEAD + b"Content-Encoding: gzip\r\nConnection: close\r\nContent-Length: 2\r\n\r\n\x1f\x8b",
    HEAD + b"Expect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
]


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_raw_junk(server: Server, junk: bytes) -> None:
    with dial(server) as connection:
        try:
            connection.sendall(junk)
            connection.shutdown(socket.SHUT_WR)
        except OSError:  # rejected before all of it was read
            pass
        answer = heard(connection)
    status = answer.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")[9:12]
    assert answer == b"" or status < b"500", answer


def test_random_bytes(server: Server) -> None:
    random = Random(18)
    whole = HEAD + b'Content-Length: 23\r\n\r\n{"round": 1, "slot": 5}'
    for _ in range(100):
        changed = bytearray(whole)
        for _ in range(random.randint(1, 5)):
            changed[random.randrange(len(changed))] = random.randrange(256)
        with dial(server) as connection:
            try:
                connection.sendall(changed[: random.randint(1, len(changed))])
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            answer = heard(connection)
        assert answer == b"" or answer[9:12] < b"500", (bytes(changed), answer)


def test_slow_clients_get_an_answer_and_are_disconnected(slow_clients: list[socket.socket]) -> None:
    for connection in slow_clients:
        answer = heard(connection)
        assert answer.startswith(b"HTTP/1.1 408 "), answer
        assert b"/api/docs#slow" in answer
