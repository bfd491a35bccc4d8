"""The players of the torture see what is wrong: each fault that they are there for is shown to them."""

import json
import socket
from hashlib import sha256
from threading import Thread
from typing import Any

import pytest

from tests.support.service import free_port
from tools.torture.crowd import Crowd
from tools.torture.history import disagreements, out_of_order, repeated
from tools.torture.players import Acknowledged, Journal, Player, Tally
from tools.torture.wire import Answer, Wire, parsed, request

HEAD = b"HTTP/1.1 200 OK\r\nSet-Cookie: ten18=a.b; HttpOnly\r\nContent-Length: 0"
ROLLS = [11, 9, 4, 18, 3, 10, 12, 8, 7, 15]


def game(slots: list[int], **changes: Any) -> bytes:
    """A game with its first rolls in these slots, as the contract shows it."""
    size, due = len(ROLLS), len(slots) + 1
    nonces = [f"{number:064x}" for number in range(1, size + 1)]
    opened = [
        {"round": number, "roll": ROLLS[number - 1], "nonce": nonces[number - 1]}
        for number in range(1, min(due, size) + 1)
    ]
    shown = {
        "id": "g",
        "round": due,
        "roll": ROLLS[due - 1] if due <= size else None,
        "board": {str(slot): roll for slot, roll in zip(slots, ROLLS, strict=False)},
        "score": sum(slot * roll for slot, roll in zip(slots, ROLLS, strict=False)),
        "finished": due > size,
        "commitments": [
            sha256(f"{nonce}:{number}:{roll}".encode()).hexdigest()
            for number, (nonce, roll) in enumerate(zip(nonces, ROLLS, strict=True), 1)
        ],
        "opened": opened,
    }
    return json.dumps(shown | changes).encode()


def slot_in(sent: bytes) -> int:
    return int(json.loads(sent.partition(b"\r\n\r\n")[2])["slot"])


def played(upto: int, player: Player) -> list[int]:
    """The slots of a player who has been answered as is right for so many rounds."""
    assert player.take(Answer(201, HEAD, game([])))
    slots: list[int] = []
    for _ in range(upto):
        slots.append(slot_in(player.request))
        assert player.take(Answer(200, HEAD, game(slots)))
    return slots


def test_a_game_is_played_to_its_end_and_another_is_begun() -> None:
    tally, journal = Tally(), Journal()
    player = Player(tally, journal)
    assert not player.moving
    slots = played(10, player)
    assert sorted(slots) == list(range(1, 11))
    assert tally.complaints == []
    assert (tally.moves, tally.games, tally.finished) == (10, 1, 1)
    assert [(move.game, move.round, move.slot, move.roll) for move in journal.moves] == [
        ("g", number, slot, roll) for number, (slot, roll) in enumerate(zip(slots, ROLLS, strict=True), 1)
    ]
    assert journal.owners == {"g": b"ten18=a.b"}
    assert player.request.startswith(b"POST /api/v1/games HTTP/1.1\r\n")
    assert b"Cookie: ten18=a.b\r\n" in player.request


@pytest.mark.parametrize(
    "changes",
    [
        {"score": 1},
        {"round": 5},
        {"board": {}},
        {"id": "another"},
        {"finished": False},
        {"commitments": ["0" * 64] * 10},
    ],
    ids=lambda changes: str(next(iter(changes))),
)
def test_a_wrong_answer_is_complained_of(changes: dict[str, Any]) -> None:
    tally = Tally()
    player = Player(tally)
    slots = played(9, player)
    assert tally.wrong == 0
    player.take(Answer(200, HEAD, game([*slots, slot_in(player.request)], **changes)))
    assert tally.wrong == len(tally.complaints) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_refused_move_is_the_same_again(status: int) -> None:
    tally = Tally()
    player = Player(tally)
    played(3, player)
    before = player.request
    assert not player.take(Answer(status, HEAD, b"{}"))
    assert player.request == before
    assert tally.statuses[status] == 1
    assert tally.server_errors == (status == 500)


def test_an_answer_that_no_move_has_is_a_fault() -> None:
    tally = Tally()
    player = Player(tally)
    played(3, player)
    assert not player.take(Answer(409, HEAD, b"{}"))
    assert tally.complaints == ["409 for round 4 of g: b'{}'"]


def test_answers_come_in_pieces() -> None:
    whole = b"HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n" + b'{"a": "bc"}'
    assert [parsed(whole[:end]) for end in range(len(whole))] == [None] * len(whole)
    found = parsed(whole + b"HTTP")
    assert found is not None
    assert found[0].json == {"a": "bc"}
    assert found[1] == len(whole)
    with pytest.raises(ValueError, match="without a length"):
        parsed(b"HTTP/1.1 200 OK\r\n\r\n")


def served_slowly(listener: socket.socket, pieces: list[bytes]) -> None:
    """Answer one request in these pieces, then hang up."""
    connection, _ = listener.accept()
    with connection:
        connection.recv(65536)
        for piece in pieces:
            connection.sendall(piece)


def test_a_wire_waits_for_the_whole_answer_and_sees_the_end() -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)) as listener:
        pieces = [b"HTTP/1.1 404 Not", b" Found\r\nContent-Length: 2\r\n", b"\r\n{", b"}"]
        server = Thread(target=served_slowly, args=(listener, pieces))
        server.start()
        wire = Wire(port)
        assert wire.ask(request("GET", "/")).status == 404
        server.join()
        with pytest.raises(OSError, match="closed by the other side"):
            wire.ask(request("GET", "/"))
        wire.close()


def test_a_crowd_at_a_service_that_is_gone_waits_and_counts() -> None:
    crowd = Crowd([free_port()], 3)
    visit = crowd.visit(0.2)
    crowd.close()
    assert visit.tally.broken >= 3
    assert visit.tally.moves == visit.requests == 0
    assert visit.latencies.most == 0.0


def moves_of(count: int) -> list[Acknowledged]:
    return [
        Acknowledged(f"g{number % 3}", 1 + number // 3, 1 + number // 3, 9, number, number + 0.5)
        for number in range(count)
    ]


def held(moves: list[Acknowledged]) -> list[tuple[str, int, int, int]]:
    return [(move.game, move.round, move.slot, move.roll) for move in moves]


def test_what_is_lost_doubled_or_out_of_order_is_seen() -> None:
    moves = moves_of(9)
    boards = {f"g{number}": {1: 9, 2: 9, 3: 9} for number in range(3)}
    assert disagreements(moves, boards) == repeated(held(moves)) == out_of_order(moves, held(moves)) == []
    for end in range(9):
        assert out_of_order(moves, held(moves[:end])) == []
    for gap in range(8):
        assert len(out_of_order(moves, held(moves[:gap] + moves[gap + 1 :]))) == 1
    assert len(disagreements(moves, boards | {"g1": {1: 9, 2: 8, 3: 9}})) == 1
    assert len(disagreements(moves, boards | {"g1": {1: 9, 3: 9}})) == 1
    assert repeated([*held(moves), ("g0", 3, 7, 9)]) == ["round 3 of g0"]


def test_two_on_their_way_at_once_have_no_order() -> None:
    one, other = Acknowledged("a", 1, 1, 9, 0.0, 1.0), Acknowledged("b", 1, 1, 9, 0.5, 0.7)
    assert out_of_order([one, other], held([one])) == out_of_order([one, other], held([other])) == []
