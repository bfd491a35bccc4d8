"""Two services on one PostgreSQL, as on two machines: duels with a player on each, and one of the two killed.

Nothing of a game is kept in a process: a player who finds the other process instead goes on where the game stands.
"""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from tests.support.service import HOST, Server, free_port, serving
from tools.torture.history import held_in, repeated
from tools.torture.wire import Answer, Wire, cookie_in, request
from tools.torture.yard import Row, Yard

__all__ = ["run"]

API: Final = "/api/v1"
PATIENCE: Final = 60.0  # seconds for all duels of a round
SECRET: Final = "two machines, one secret: " + "x" * 32
ENVIRONMENT: Final = {"TEN18_ACCESS_LOG": "off", "TEN18_SECRET": SECRET}


@dataclass(slots=True)
class _Seat:
    """A player of a duel, at one of the services."""

    port: int
    cookie: bytes = b""
    game: dict[str, Any] = field(default_factory=dict)
    told: list[tuple[int, int]] = field(default_factory=list)  # slots that were acknowledged, with their rounds

    def ask(self, method: str, path: str, body: object = None) -> Answer | None:
        """The answer, or None where the service is gone."""
        wire = Wire(self.port)
        try:
            answer = wire.ask(request(method, f"{API}{path}", body, self.cookie))
        except OSError:
            return None
        finally:
            wire.close()
        self.cookie = self.cookie or cookie_in(answer.head)
        return answer

    def step(self, chance: Any) -> str:
        """Move if a roll waits, else look; what was wrong with the answer."""
        game = self.game
        if game["finished"]:
            return ""
        if game["roll"] is None:
            answer = self.ask("GET", f"/games/{game['id']}")
        else:
            free = sorted({*range(1, 11)} - set(map(int, game["board"])))
            move = {"round": game["round"], "slot": self.told[-1][1] if self._waits() else chance.choice(free)}
            if not self._waits():
                self.told.append((move["round"], move["slot"]))  # the same one again until it is answered
            answer = self.ask("POST", f"/games/{game['id']}/moves", move)
        if answer is None or answer.status in (503, 429):
            return ""
        if answer.status != 200:
            return f"{answer.status} for round {game['round']} of {game['id']}: {answer.body[:100]!r}"
        self.game = answer.json
        return ""

    def _waits(self) -> bool:
        """Whether a move of this round was sent and not answered."""
        return bool(self.told) and self.told[-1][0] == self.game["round"]


def run(yard: Yard) -> Iterator[Row]:
    """Duels across both, with the second service killed in each round of them."""
    rounds, duels = yard.pick(10, 1), yard.pick(20, 2)
    wrong, finished, heard = list[str](), 0, 0
    first, second = yard.data(), yard.data()
    port = free_port()
    with yard.postgres.database() as url, serving(first, database=url, environment=ENVIRONMENT) as one:
        for _ in range(rounds):
            with ExitStack() as stack:

                def start(stack: ExitStack = stack) -> Server:
                    return stack.enter_context(serving(second, database=url, port=port, environment=ENVIRONMENT))

                other = start()
                pairs = [pair for _ in range(duels) if (pair := _begun(one.port, port, wrong))]
                heard += _hears(pairs[0], wrong) if pairs else 0
                _play(yard, pairs, wrong, until=4)
                other.kill()
                _play(yard, pairs, wrong, until=4, seconds=0.3)
                start()
                _play(yard, pairs, wrong, until=11)
                finished += sum(_ended(pair, wrong) for pair in pairs)
        wrong += repeated(held_in(url))
    figures = f"{finished:,} of {rounds * duels:,} duels finished, both players with the same rolls and outcome"
    if heard:
        figures += f"; a move at one was told at the other by an event, {heard:,} of {rounds:,} times"
    test = f"two services on one PostgreSQL, a player of each duel at either, one killed and started {rounds} times"
    yield Row("two machines", test, figures, Row.told(wrong))


def _begun(one: int, other: int, wrong: list[str]) -> tuple[_Seat, _Seat] | None:
    mine, theirs = _Seat(one), _Seat(other)
    begun = mine.ask("POST", "/duels", {"against": "friend"})
    if begun is None or begun.status != 201:
        wrong.append(f"no duel is begun: {begun}")
        return None
    joined = theirs.ask("POST", f"/duels/{begun.json['invite']}/join")
    if joined is None or joined.status != 200:
        wrong.append(f"nobody can join: {joined}")
        return None
    mine.game, theirs.game = begun.json, joined.json
    return mine, theirs


def _hears(pair: tuple[_Seat, _Seat], wrong: list[str]) -> int:
    """Whether a move at one service comes as an event from the other."""
    mine, theirs = pair
    with socket.create_connection((HOST, theirs.port), 10) as stream:
        stream.sendall(request("GET", f"{API}/games/{theirs.game['id']}/events", None, theirs.cookie))
        data = stream.recv(65536)
        looked = mine.ask("GET", f"/games/{mine.game['id']}")
        if looked is not None:
            mine.game = looked.json
        mine.told.append((1, 5))
        moved = mine.ask("POST", f"/games/{mine.game['id']}/moves", {"round": 1, "slot": 5})
        if moved is not None and moved.status == 200:
            mine.game = moved.json
        try:
            while b'"placed":true' not in data.replace(b" ", b""):
                more = stream.recv(65536)
                if not more:
                    break
                data += more
        except TimeoutError:
            pass
    if b'"placed":true' in data.replace(b" ", b""):
        return 1
    wrong.append(f"no event of a move at the other service: {data[-200:]!r}")
    return 0


def _play(
    yard: Yard, pairs: list[tuple[_Seat, _Seat]], wrong: list[str], *, until: int, seconds: float = PATIENCE
) -> None:
    """Play until all have come to this round, or for some time."""
    end = perf_counter() + seconds
    seats = [seat for pair in pairs for seat in pair]
    while perf_counter() < end and len(wrong) < 100:
        open_ = [seat for seat in seats if seat.game["round"] < until and not seat.game["finished"]]
        if not open_:
            return
        yard.chance.shuffle(open_)
        for seat in open_:
            if text := seat.step(yard.chance):
                wrong.append(text)


def _ended(pair: tuple[_Seat, _Seat], wrong: list[str]) -> int:
    """Whether both see the same end; the boards are what was acknowledged."""
    for seat in pair:
        found = seat.ask("GET", f"/games/{seat.game['id']}")
        seat.game = found.json if found is not None and found.status == 200 else seat.game
    mine, theirs = (seat.game for seat in pair)
    if not (mine["finished"] and theirs["finished"]):
        wrong.append(f"{mine['id']} and {theirs['id']} are not finished")
        return 0
    for seat, game, other in ((pair[0], mine, theirs), (pair[1], theirs, mine)):
        rolls = [opened["roll"] for opened in game["opened"]]
        board = {str(slot): rolls[round_ - 1] for round_, slot in seat.told}
        if board != game["board"] or game["opponent"]["board"] != other["board"]:
            wrong.append(f"{game['id']}: acknowledged {board}, held {game['board']}")
            return 0
    if mine["opened"] != theirs["opened"] or mine["commitments"] != theirs["commitments"]:
        wrong.append(f"{mine['id']} and {theirs['id']} have other rolls")
        return 0
    return 1
