"""Clients of a service: single requests, many requests, and a crowd that plays whole games and looks at every answer.

A player of the crowd plays the rule `nearest`, sends the same move again until it is acknowledged, and may keep a
journal of what was acknowledged: the service must have all of that, and nothing else.

Each player sends the next request as soon as the last one is answered. `load_generator` measures speed.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple

import uvloop

from tentimes18.game import Game
from tentimes18.strategies.named import nearest

API = "/api/v1"
GAMES = f"{API}/games"
CLASSIC = Game.classic()
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})  # the same request may be sent again
LATER = 0.05  # seconds until then
MAX_COMPLAINTS = 20
MAX_TRIES = 100

_LENGTH = re.compile(rb"content-length: *([0-9]+)", re.IGNORECASE)
_COOKIE = re.compile(rb"set-cookie: *([^;\r]+)", re.IGNORECASE)


class Answer(NamedTuple):
    """What came back: the status, the head, the body."""

    status: int
    head: bytes
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body.decode())

    @property
    def cookie(self) -> bytes:
        """What a browser would send back."""
        return b"; ".join(_COOKIE.findall(self.head))


def request(method: str, path: str, body: object = None, cookie: bytes = b"") -> bytes:
    r"""A request as bytes; a body is written as JSON."""
    head = f"{method} {path} HTTP/1.1\r\nHost: ten18\r\n".encode()
    if cookie:
        head += b"Cookie: " + cookie + b"\r\n"
    if body is None and method == "GET":
        return head + b"\r\n"
    text = b"" if body is None else json.dumps(body).encode()
    kind = b"Content-Type: application/json\r\n" if text else b""
    return head + kind + b"Content-Length: %d\r\n\r\n" % len(text) + text


class Connection:
    """A connection that is opened when it is needed, and again after it broke."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None

    async def ask(self, data: bytes) -> Answer:
        """Send a request, and wait for its answer; an ``OSError`` or ``EOFError`` if the connection broke."""
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self._streams
            writer.write(data)
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            if length is None and b" 204 " not in head[:20]:
                raise ConnectionError(f"an answer without a length: {head[:200]!r}")
            body = await reader.readexactly(int(length[1])) if length else b""
        except BaseException:
            self.close()
            raise
        if b"onnection: close" in head:
            self.close()
        return Answer(int(head[9:12]), head, body)


def answers_to(port: int, requests: Iterable[bytes], connections: int = 16) -> Iterator[tuple[int, Answer]]:
    """The number of each request and its answer; what is answered with 503 is asked again after a while."""
    numbered = enumerate(requests)
    answers: list[tuple[int, Answer]] = []

    async def work() -> None:
        connection = Connection(port)
        for number, data in numbered:
            for _ in range(MAX_TRIES):
                answer = await connection.ask(data)
                if answer.status != 503:
                    break
                await asyncio.sleep(2 * LATER)
            answers.append((number, answer))
        connection.close()

    async def work_all() -> None:
        await asyncio.gather(*(work() for _ in range(connections)))

    uvloop.run(work_all())
    yield from answers


def at_once(port: int, requests: Sequence[bytes]) -> list[Answer]:
    """The answers to requests that are sent at the same time, each on a connection of its own."""

    async def send() -> list[Answer]:
        connections = [Connection(port) for _ in requests]
        answers = await asyncio.gather(*(one.ask(data) for one, data in zip(connections, requests, strict=True)))
        for one in connections:
            one.close()
        return answers

    return uvloop.run(send())


def ask(port: int, method: str, path: str, body: object = None, cookie: bytes = b"") -> Answer:
    """Send one request; an ``OSError`` or ``EOFError`` if there is no answer."""
    return at_once(port, [request(method, path, body, cookie)])[0]


class Acknowledged(NamedTuple):
    """A move that the service has acknowledged: when it was first sent, and when the answer was there."""

    game: str
    round: int
    slot: int
    roll: int
    sent: float
    at: float


@dataclass(slots=True)
class Journal:
    """All that was acknowledged, in that order, and the cookie of the player of each game."""

    moves: list[Acknowledged] = field(default_factory=list)
    owners: dict[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class Visit:
    """What all players of a crowd have seen together in some seconds."""

    seconds: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    broken: int = 0  # connections that ended without an answer
    moves: int = 0
    complaints: list[str] = field(default_factory=list)

    def complain(self, text: str) -> None:
        """An answer is wrong."""
        if len(self.complaints) < MAX_COMPLAINTS:
            self.complaints.append(text)


@cache
def _choices() -> list[dict[int, int]]:
    """For every set of free slots the slot for each roll: a look-up costs less than the rule."""
    rule = nearest(CLASSIC)
    return [{}, *({roll: rule(free, roll) for roll in CLASSIC.dice.support} for free in range(1, CLASSIC.all_free + 1))]


class Player:
    """Plays game after game on one identity; `request` is what to send now, `take` reads the answer."""

    def __init__(self, visit: Visit, journal: Journal | None = None) -> None:
        self.visit = visit
        self.journal = journal
        self.cookie = b""
        self._begin()

    def _begin(self) -> None:
        self.game = ""
        self.board: dict[str, int] = {}
        self.round = self.roll = self.slot = self.score = 0
        self.free = CLASSIC.all_free
        self.first_sent = 0.0
        self.request = request("POST", GAMES, {}, self.cookie)

    def take(self, answer: Answer) -> bool:
        """Read the answer to `request`; False if it must be sent again, later."""
        self.visit.statuses[answer.status] += 1
        if answer.status in AGAIN:
            return False
        self.cookie = self.cookie or answer.cookie
        if answer.status != (200 if self.round else 201):
            self.visit.complain(f"{answer.status} for round {self.round} of {self.game}: {answer.body[:200]!r}")
            self._begin()
            return False
        game = answer.json
        if self.round:
            self._moved(game)
            return True
        self.game = game["id"]
        if self.journal is not None:
            self.journal.owners[self.game] = self.cookie
        if (game["round"], game["score"], game["board"], game["finished"]) != (1, 0, {}, False):
            self.visit.complain(f"a new game that is not a game: {answer.body[:200]!r}")
        self._choose(game)
        return True

    def _moved(self, game: Mapping[str, Any]) -> None:
        self.visit.moves += 1
        self.board[str(self.slot)] = self.roll
        self.score += self.slot * self.roll  # the multiplier of a slot of the classic game is its number
        self.free &= ~(1 << (self.slot - 1))
        if self.journal is not None:
            now = perf_counter()
            self.journal.moves.append(Acknowledged(self.game, self.round, self.slot, self.roll, self.first_sent, now))
        told, right = [game[key] for key in ("id", "round", "score")], [self.game, self.round + 1, self.score]
        if told != right or game["board"] != self.board:
            self.visit.complain(f"{told} {game['board']} instead of {right} {self.board}")
        if self.free:
            self._choose(game)
            return
        if not game["finished"]:
            self.visit.complain(f"{self.game} is not finished after {self.round} rounds")
        if not opens(game):
            self.visit.complain(f"{self.game}: its commitments do not open")
        self._begin()

    def _choose(self, game: Mapping[str, Any]) -> None:
        self.round += 1
        self.roll = game["roll"]
        self.slot = _choices()[self.free][self.roll]
        self.first_sent = perf_counter()
        move = {"round": self.round, "slot": self.slot}
        self.request = request("POST", f"{GAMES}/{self.game}/moves", move, self.cookie)


def opens(game: Mapping[str, Any]) -> bool:
    """Whether the rounds of a finished game open what was published, by the contract's formula."""
    digests = [sha256(f"{one['nonce']}:{one['round']}:{one['roll']}".encode()).hexdigest() for one in game["opened"]]
    commitments: list[str] = game["commitments"]
    return digests == commitments


class Crowd:
    """Players with a connection each; they go on where they were from one visit to the next."""

    def __init__(self, port: int, players: int, journal: Journal | None = None) -> None:
        self._loop = uvloop.new_event_loop()
        self._visit = Visit()
        self._seats = [(Player(self._visit, journal), Connection(port)) for _ in range(players)]

    def close(self) -> None:
        """All hang up."""
        for _, connection in self._seats:
            connection.close()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def visit(self, seconds: float, *, tick: Callable[[float], bool | None] | None = None, every: float = 0.5) -> Visit:
        """Play for this long, each request as soon as the last one is answered.

        ``tick`` is called meanwhile with the seconds since the start; True ends the visit. Requests without an answer
        at the end are sent again by the next visit.
        """
        self._visit = visit = Visit()
        began = perf_counter()
        self._loop.run_until_complete(self._play(seconds, tick, every))
        visit.seconds = perf_counter() - began
        return visit

    def visit_until_move(self, seconds: float) -> Visit:
        """Play until a move is acknowledged, this long at most."""
        return self.visit(seconds, tick=lambda _: self._visit.moves > 0, every=0.05)

    async def _play(self, seconds: float, tick: Callable[[float], bool | None] | None, every: float) -> None:
        tasks = [asyncio.ensure_future(self._play_one(*seat)) for seat in self._seats]
        began = perf_counter()
        while (left := began + seconds - perf_counter()) > 0:
            await asyncio.sleep(left if tick is None else min(left, every))
            if tick is not None and tick(perf_counter() - began):
                break
        for task in tasks:
            task.cancel()
        for found in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(found, Exception):
                raise found

    async def _play_one(self, player: Player, connection: Connection) -> None:
        player.visit = visit = self._visit
        while True:
            taken = False
            while not taken:
                try:
                    taken = player.take(await connection.ask(player.request))
                except (OSError, EOFError):
                    visit.broken += 1
                if not taken:
                    await asyncio.sleep(LATER)


def boards_shown(port: int, journal: Journal, games: Iterable[str]) -> dict[str, dict[int, int]]:
    """The boards of these games, as the service shows them to their players; one that is rejected is left out."""
    boards = {}
    for game in games:
        with suppress(OSError, EOFError):
            answer = ask(port, "GET", f"{GAMES}/{game}", None, journal.owners[game])
            if answer.status == 200:
                boards[game] = {int(slot): roll for slot, roll in answer.json["board"].items()}
    return boards
