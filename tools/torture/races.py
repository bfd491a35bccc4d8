"""Retries and races: the same move from many sides at once, and two different ones.

Every move is sent one to five times at once, on connections to all processes of the service; all answers must be 200
and the same to the letter, and sent again when the game is over they are still the same. Of two different slots for
one round, one is taken and the other one refused with 409, whoever was first.
"""

import selectors
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.support.service import serving
from tools.torture.history import FILE, held_in, repeated
from tools.torture.wire import Answer, Wire, cookie_in, request
from tools.torture.yard import KINDS, Row, Yard

__all__ = ["at_once", "run"]

COPIES: Final = 5
WORKERS: Final = 2
QUIET: Final = {"TEN18_ACCESS_LOG": "off"}


def run(yard: Yard) -> Iterator[Row]:
    """Both, on both databases."""
    for kind in yard.pick(KINDS, KINDS[:1]):
        data = yard.data()
        with yard.database(kind) as url:
            with serving(data, database=url, workers=WORKERS, environment=QUIET) as server:
                wires = [Wire(server.port) for _ in range(COPIES)]
                games, again = yard.pick(300, 4), yard.pick(300, 4)
                sent, wrong = _retried(yard, wires, games)
                races, lost = _raced(yard, wires, again)
                for wire in wires:
                    wire.close()
            held = held_in(data / FILE if url is None else url)
        wrong += repeated(held)
        rounds = {(game, round_) for game, round_, _, _ in held}
        if len(held) != len(rounds):
            wrong.append(f"{len(held):,} moves in {len(rounds):,} rounds")
        where = f"{kind}, {WORKERS} processes"
        figures = f"{sent:,} requests for {10 * games:,} moves"
        yield Row("retries", f"{where}, each move 1 to {COPIES} times at once", figures, Row.told(wrong))
        yield Row("races", f"{where}, two slots for one round", f"{races:,} races, one 200 and one 409", Row.told(lost))


def at_once(wires: Sequence[Wire], requests: Sequence[bytes]) -> list[Answer]:
    """The answers to requests that are sent at the same time, each on a connection of its own."""
    answers: dict[int, Answer] = {}
    with selectors.DefaultSelector() as selector:
        for number, wire in enumerate(wires[: len(requests)]):
            selector.register(wire.socket or wire.open(), selectors.EVENT_READ, number)
        for wire, data in zip(wires, requests, strict=False):
            wire.send(data)
        while len(answers) < len(requests):
            for key, _ in selector.select():
                if (answer := wires[key.data].receive()) is not None:
                    answers[key.data] = answer
    return [answers[number] for number in range(len(requests))]


def _begun(wire: Wire) -> tuple[dict[str, Any], bytes]:
    answer = wire.ask(request("POST", "/api/v1/games", {}))
    if answer.status != 201:
        raise AssertionError(f"{answer.status} for a new game: {answer.body!r}")
    return answer.json, cookie_in(answer.head)


def _move(game: str, round_: int, slot: int, cookie: bytes) -> bytes:
    return request("POST", f"/api/v1/games/{game}/moves", {"round": round_, "slot": slot}, cookie)


def _retried(yard: Yard, wires: list[Wire], games: int) -> tuple[int, list[str]]:
    sent, wrong = 0, list[str]()
    for _ in range(games):
        game, cookie = _begun(wires[0])
        first: dict[int, bytes] = {}
        slots = yard.chance.sample(range(1, 11), 10)
        for round_, slot in enumerate(slots, 1):
            copies = yard.chance.randint(1, COPIES)
            yard.chance.shuffle(wires)
            answers = at_once(wires, [_move(game["id"], round_, slot, cookie)] * copies)
            sent += copies
            if {answer.status for answer in answers} != {200} or len({answer.body for answer in answers}) != 1:
                told = [(answer.status, answer.body[:80]) for answer in answers]
                wrong.append(f"{copies} times round {round_} of {game['id']}: {told}")
            first[round_] = answers[0].body
        for round_ in yard.chance.sample(range(1, 11), 10):  # long after, in any order
            again = wires[0].ask(_move(game["id"], round_, slots[round_ - 1], cookie))
            sent += 1
            if (again.status, again.body) != (200, first[round_]):
                wrong.append(f"round {round_} of {game['id']} again: {again.status} {again.body[:80]!r}")
    return sent, wrong


def _raced(yard: Yard, wires: list[Wire], games: int) -> tuple[int, list[str]]:
    races, wrong = 0, list[str]()
    for _ in range(games):
        game, cookie = _begun(wires[0])
        free = list(range(1, 11))
        for round_ in range(1, 10):
            pair = yard.chance.sample(free, 2)
            yard.chance.shuffle(wires)
            answers = at_once(wires, [_move(game["id"], round_, slot, cookie) for slot in pair])
            races += 1
            if sorted(answer.status for answer in answers) != [200, 409]:
                wrong.append(f"round {round_} of {game['id']}: {[answer.status for answer in answers]}")
                break
            taken = pair[0] if answers[0].status == 200 else pair[1]
            free.remove(taken)
            board = wires[0].ask(request("GET", f"/api/v1/games/{game['id']}", None, cookie)).json["board"]
            if set(map(int, board)) != set(range(1, 11)) - set(free):
                wrong.append(f"round {round_} of {game['id']}: {taken} was taken, the board is {board}")
    return races, wrong
