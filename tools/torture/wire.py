"""HTTP/1.1 as the crowd speaks it: requests as bytes, answers with their length or in chunks, one connection kept open.

A client of a library takes as much processor time as the service itself; on one machine it would measure itself. This
one takes some microseconds a request, and knows no more of HTTP than the service sends.
"""

import json
import socket
from typing import Any, Final, NamedTuple

__all__ = ["Answer", "Wire", "cookie_in", "parsed", "request"]

LARGEST: Final = 1 << 18
PATIENCE: Final = 5.0  # seconds to connect


class Answer(NamedTuple):
    """What came back: the status, the head as it stands, and the body."""

    status: int
    head: bytes
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body.decode())  # from bytes it would first guess the encoding


def request(method: str, path: str, body: object = None, cookie: bytes = b"") -> bytes:
    r"""A request, ready to be sent; a body is written as JSON.

    >>> request("GET", "/health")
    b'GET /health HTTP/1.1\r\nHost: ten18\r\n\r\n'
    >>> request("POST", "/api/v1/games", {}, b"player=1").count(b"\r\n")
    6
    """
    head = f"{method} {path} HTTP/1.1\r\nHost: ten18\r\n".encode()
    if cookie:
        head += b"Cookie: " + cookie + b"\r\n"
    if body is None and method == "GET":
        return head + b"\r\n"
    text = b"" if body is None else json.dumps(body).encode()
    kind = b"Content-Type: application/json\r\n" if text else b""
    return head + kind + b"Content-Length: %d\r\n\r\n" % len(text) + text


def parsed(data: bytes) -> tuple[Answer, int] | None:
    r"""The first answer in the data and its length; nothing where it is not whole yet.

    >>> answer, length = parsed(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP")
    >>> answer.status, answer.json, length
    (200, {}, 40)
    >>> parsed(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{") is None
    True
    """
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return None
    head, start = data[:end], end + 4
    length = _length(head)
    if length is None:
        return _chunked(data, head, start)
    if len(data) < start + length:
        return None
    return Answer(int(head[9:12]), head, data[start : start + length]), start + length


def _chunked(data: bytes, head: bytes, place: int) -> tuple[Answer, int] | None:
    r"""An answer in pieces, each after its length.

    >>> chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    >>> found = parsed(chunks)
    >>> found[0].body, found[1] == len(chunks), parsed(chunks[:-1])
    (b'abcde', True, None)
    """
    body = b""
    while (end := data.find(b"\r\n", place)) >= 0:
        size = int(data[place:end], 16)
        piece, place = data[end + 2 : end + 2 + size], end + 4 + size
        if len(data) < place:
            return None
        if not size:
            return Answer(int(head[9:12]), head, body), place
        body += piece
    return None


def _length(head: bytes) -> int | None:
    """The length of the body, which an answer in chunks does not tell."""
    place = head.find(b"content-length: ")
    if place < 0:
        place = head.lower().find(b"content-length: ")
    if place < 0:
        if b"transfer-encoding: chunked" in head.lower():
            return None
        if head[9:12] in (b"204", b"304"):
            return 0
        raise ValueError(f"an answer without a length: {head[:200]!r}")
    end = head.find(b"\r\n", place)
    return int(head[place + 16 : end if end > 0 else None])


def cookie_in(head: bytes) -> bytes:
    r"""What a browser would send back after this head; empty where nothing is set.

    >>> cookie_in(b"HTTP/1.1 201 Created\r\nSet-Cookie: player=abc; HttpOnly; Path=/\r\nContent-Length: 2")
    b'player=abc'
    """
    pairs = [
        line.partition(b":")[2].partition(b";")[0].strip()
        for line in head.split(b"\r\n")
        if line[:11].lower() == b"set-cookie:"
    ]
    return b"; ".join(pairs)


class Wire:
    """One connection: opened when it is needed, kept, and opened again when it broke."""

    __slots__ = ("_data", "port", "socket")

    def __init__(self, port: int) -> None:
        self.port = port
        self.socket: socket.socket | None = None
        self._data = b""

    def open(self) -> socket.socket:
        """Connect; an ``OSError`` where nobody listens."""
        found = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        found.setblocking(False)
        self.socket, self._data = found, b""
        return found

    def close(self) -> None:
        """Hang up."""
        if self.socket is not None:
            self.socket.close()
        self.socket, self._data = None, b""

    def send(self, data: bytes) -> None:
        """Send a request, which is small enough to be taken at once; an ``OSError`` where the connection broke."""
        if self.socket is None:
            raise ConnectionError("not open")
        if self.socket.send(data) != len(data):
            raise ConnectionError("the other side does not read")

    def receive(self) -> Answer | None:
        """What has come, if that is a whole answer; an ``OSError`` where the connection broke."""
        if self.socket is None:
            raise ConnectionError("not open")
        try:
            data = self.socket.recv(LARGEST)
        except BlockingIOError:
            return None
        if not data:
            raise ConnectionResetError("closed by the other side")
        if self._data:
            data = self._data + data
        found = parsed(data)
        if found is None:
            self._data = data
            return None
        self._data = data[found[1] :]
        return found[0]

    def ask(self, data: bytes, patience: float = 60.0) -> Answer:
        """Send a request and wait for its answer."""
        found = self.socket or self.open()
        found.settimeout(patience)
        try:
            found.sendall(data)
            while (answer := self.receive()) is None:
                pass
        finally:
            if self.socket is not None:
                found.setblocking(False)
        return answer
