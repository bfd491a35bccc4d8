"""A player of the crowd: plays whole games as the contract says, and looks at every answer.

It plays the rule `nearest`, sends the same move again until it is acknowledged, and may keep a journal of what was
acknowledged: the service must remember all of that, and nothing else.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from time import perf_counter
from typing import Any, Final, NamedTuple

from tentimes18.game import Game
from tentimes18.strategies.named import nearest
from tools.torture.wire import Answer, cookie_in, request

__all__ = ["Acknowledged", "Journal", "Player", "Tally"]

CLASSIC: Final = Game.classic()
MOST_COMPLAINTS: Final = 20
START: Final = "/api/v1/games"
AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})  # the same request may be sent again


class Acknowledged(NamedTuple):
    """A move that the service has said it holds: when it was first sent, and when the answer was there."""

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
class Tally:
    """What all players of a crowd have seen together."""

    statuses: Counter[int] = field(default_factory=Counter)
    broken: int = 0  # connections that ended without an answer
    moves: int = 0
    games: int = 0
    finished: int = 0
    received: int = 0  # bytes of answers
    wrong: int = 0
    complaints: list[str] = field(default_factory=list)

    def complain(self, text: str) -> None:
        """An answer is wrong: the first ones are told, all are counted."""
        self.wrong += 1
        if len(self.complaints) < MOST_COMPLAINTS:
            self.complaints.append(text)

    @property
    def server_errors(self) -> int:
        """Answers of 500 and above, save 503: that the service cannot just now is for it to say."""
        return sum(number for status, number in self.statuses.items() if status >= 500 and status != 503)


@cache
def _choices() -> list[dict[int, int]]:
    """For every set of free slots the slot for each roll: a look-up costs less than the rule."""
    rule = nearest(CLASSIC)
    return [{}, *({roll: rule(free, roll) for roll in CLASSIC.dice.support} for free in range(1, CLASSIC.all_free + 1))]


class Player:
    """One who plays game after game on one identity; `request` is what to send now, `take` reads the answer."""

    def __init__(self, tally: Tally, journal: Journal | None = None, cookie: bytes = b"") -> None:
        self.tally = tally
        self.journal = journal
        self.cookie = cookie
        self._begin()

    def _begin(self) -> None:
        self.game = ""
        self.board: dict[str, int] = {}
        self.round = self.roll = self.slot = self.score = 0
        self.free = CLASSIC.all_free
        self.first_sent = 0.0
        self._head = b""
        self.request = request("POST", START, {}, self.cookie)

    @property
    def moving(self) -> bool:
        """Whether the request is a move."""
        return self.round > 0

    def take(self, answer: Answer) -> bool:
        """Read the answer to `request`; False where it must be sent again, later."""
        self.tally.statuses[answer.status] += 1
        self.tally.received += len(answer.head) + len(answer.body)
        if answer.status in AGAIN:
            return False
        if not self.cookie and (cookie := cookie_in(answer.head)):
            self.cookie = cookie
        if answer.status != (200 if self.round else 201):
            self.tally.complain(f"{answer.status} for round {self.round} of {self.game}: {answer.body[:200]!r}")
            self._begin()
            return False
        game = answer.json
        if self.round:
            self._moved(game)
        else:
            self.game = game["id"]
            self._head = request("POST", f"{START}/{self.game}/moves", "", self.cookie).partition(b"Content-Length")[0]
            self.tally.games += 1
            if self.journal is not None:
                self.journal.owners[self.game] = self.cookie
            if (game["round"], game["score"], game["board"], game["finished"]) != (1, 0, {}, False):
                self.tally.complain(f"a new game that is none: {answer.body[:200]!r}")
            self._choose(game)
        return True

    def _moved(self, game: Mapping[str, Any]) -> None:
        tally = self.tally
        tally.moves += 1
        self.board[str(self.slot)] = self.roll
        self.score += self.slot * self.roll  # the multiplier of a slot of the classic game is its number
        self.free &= ~(1 << (self.slot - 1))
        if self.journal is not None:
            now = perf_counter()
            self.journal.moves.append(Acknowledged(self.game, self.round, self.slot, self.roll, self.first_sent, now))
        told = (game["id"], game["round"], game["score"], game["board"])
        if told != (self.game, self.round + 1, self.score, self.board):
            tally.complain(f"{told} where {(self.game, self.round + 1, self.score, self.board)} is right")
        if self.free:
            self._choose(game)
        else:
            tally.finished += 1
            if not game["finished"]:
                tally.complain(f"{self.game} is not finished after {self.round} rounds")
            if wrong := _wrong_commitments(game):
                tally.complain(f"{self.game}: commitments of rounds {wrong} do not open")
            self._begin()

    def _choose(self, game: Mapping[str, Any]) -> None:
        self.round += 1
        self.roll = game["roll"]
        self.slot = _choices()[self.free][self.roll]
        self.first_sent = perf_counter()
        body = b'{"round":%d,"slot":%d}' % (self.round, self.slot)
        self.request = b"%bContent-Length: %d\r\n\r\n%b" % (self._head, len(body), body)


def _wrong_commitments(game: Mapping[str, Any]) -> list[int]:
    """The rounds of a finished game that do not open what was published, by the contract's formula."""
    opened: Sequence[Mapping[str, Any]] = game["opened"]
    digests = [sha256(f"{one['nonce']}:{one['round']}:{one['roll']}".encode()).hexdigest() for one in opened]
    return [number for number, pair in enumerate(zip(digests, game["commitments"], strict=True), 1) if len({*pair}) > 1]
