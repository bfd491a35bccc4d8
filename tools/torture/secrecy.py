"""Secrecy: every byte that the service sends or logs is searched for what nobody may know yet.

Games are played with dice of many high faces, so that a roll is a number that stands nowhere by chance. Before each
move the database is read, past the service, for the rolls and nonces that are not open; all that was ever sent to
anybody (heads and bodies, refusals as well), all that was logged and the metrics are searched for them. In a duel the
same is done, and the opponent's board is compared with the rounds in which both have placed. When a game is over each
of its commitments must open.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from typing import Any, Final, NamedTuple

from tests.support.service import Server
from tools.torture.history import FILE
from tools.torture.wire import Answer, Wire, cookie_in, request
from tools.torture.yard import Row, Yard

__all__ = ["Deal", "leaks", "run"]

API: Final = "/api/v1"
HIGH_FACES: Final = {"dice": "1d100+715000", "slots": "1-6"}
DEAL: Final = "SELECT rolls, nonces FROM deals JOIN games ON deals.number = games.deal WHERE games.id = ?"
ASKED: Final = ("", "/advice", "/review")
NUMBER: Final = re.compile(rb"(?<![0-9A-Za-z.])[0-9]{6}(?![0-9A-Za-z.])")


class Deal(NamedTuple):
    """What was drawn for a game."""

    rolls: tuple[int, ...]
    nonces: tuple[str, ...]


def leaks(text: bytes, deal: Deal, opened: int) -> list[str]:
    """Unopened rolls and nonces that stand in a text.

    >>> deal = Deal((715001, 715002), ("aa" * 32, "bb" * 32))
    >>> leaks(b'{"roll":715001}', deal, 1), leaks(b'{"next":715002}' + b"bb" * 32, deal, 1)
    ([], ['the nonce of round 2', 'the roll of round 2'])
    """
    found = [
        f"the nonce of round {n}" for n, nonce in enumerate(deal.nonces, 1) if n > opened and nonce.encode() in text
    ]
    seen = set(map(int, NUMBER.findall(text))) - set(deal.rolls[:opened])
    return found + [f"the roll of round {n}" for n, roll in enumerate(deal.rolls, 1) if n > opened and roll in seen]


class _Watched:
    """A service all of whose words are kept."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.wire = Wire(server.port)
        self.sent = bytearray()
        self.searched = 0

    def ask(self, method: str, path: str, body: object = None, cookie: bytes = b"") -> Answer:
        answer = self.wire.ask(request(method, path, body, cookie))
        self.sent += answer.head + b"\n" + answer.body + b"\n"
        return answer

    def deal_of(self, game: str) -> Deal:
        with closing(sqlite3.connect(self.server.data / FILE)) as database:
            rolls, nonces = database.execute(DEAL, (game,)).fetchone()
        size = 32
        parts = [nonces[place : place + size].hex() for place in range(0, len(nonces), size)]
        return Deal(tuple(map(int, rolls.split(","))), tuple(parts))

    def leaks(self, deal: Deal, opened: int) -> list[str]:
        """In all that was sent, logged or measured until now."""
        everything = bytes(self.sent) + self.server.text().encode()
        self.searched += len(everything)
        return leaks(everything, deal, opened)


def run(yard: Yard) -> Iterator[Row]:
    """Games alone, and duels."""
    server = yard.server
    watched = _Watched(server)
    games, wrong = yard.pick(100, 2), list[str]()
    for _ in range(games):
        watched.sent.clear()  # rolls of another game may be the same number
        wrong += _alone(yard, watched)
    figures = f"{watched.searched:,} bytes searched"
    yield Row("secrecy", f"{games} games alone, in every state", figures, Row.told(wrong))
    watched.searched, wrong = 0, []
    for _ in range(games):
        wrong += _duel(yard, watched)
    figures = f"{watched.searched:,} bytes searched"
    yield Row("secrecy", f"{games} duels, in every state", figures, Row.told(wrong))
    watched.wire.close()


def _alone(yard: Yard, watched: _Watched) -> list[str]:
    coach = yard.chance.choice(["off", "warn", "full"])
    begun = watched.ask("POST", f"{API}/games", {**HIGH_FACES, "coach": coach})
    if begun.status != 201:
        return [f"{begun.status}: {begun.body[:100]!r}"]
    game, cookie, wrong = begun.json, cookie_in(begun.head), []
    deal, path = watched.deal_of(game["id"]), f"{API}/games/{game['id']}"
    free = list(range(1, len(deal.rolls) + 1))
    while not game["finished"]:
        opened = game["round"]
        _pry(watched, path, cookie, game["round"])
        where = f"round {game['round']} of {game['id']}"
        wrong += [f"{where}: {leak}" for leak in watched.leaks(deal, opened)]
        slot = free.pop(yard.chance.randrange(len(free)))
        game = watched.ask("POST", f"{path}/moves", {"round": game["round"], "slot": slot}, cookie).json
    return wrong + _unproved(game, deal)


def _pry(watched: _Watched, path: str, cookie: bytes, round_: int) -> None:
    """Ask all that one may ask of a game, and some that one may not."""
    for end in ASKED:
        watched.ask("GET", path + end, None, cookie)
        watched.ask("GET", path + end)
    bodies: tuple[object, ...] = ({"round": round_ + 1, "slot": 1}, {"round": round_, "slot": 99}, {"round": "1"}, [])
    for body in bodies:
        watched.ask("POST", f"{path}/moves", body, cookie)
    for other in ("/health", "/metrics", f"{API}/me", f"{API}/me/games", f"{API}/daily"):
        watched.ask("GET", other, None, cookie)


def _duel(yard: Yard, watched: _Watched) -> list[str]:
    watched.sent.clear()
    begun = watched.ask("POST", f"{API}/duels", {"against": "friend"})
    if begun.status != 201:
        return [f"{begun.status} for a duel: {begun.body[:100]!r}"]
    cookies = [cookie_in(begun.head)]
    joined = watched.ask("POST", f"{API}/duels/{begun.json['invite']}/join")
    cookies.append(cookie_in(joined.head))
    ids, wrong = [begun.json["id"], joined.json["id"]], list[str]()
    deal = watched.deal_of(ids[0])
    free = [list(range(1, 11)), list(range(1, 11))]
    boards: list[dict[str, int]] = [{}, {}]
    for round_ in range(1, 11):
        first = yard.chance.randrange(2)
        for seat in (first, 1 - first):
            slot = free[seat].pop(yard.chance.randrange(len(free[seat])))
            shown = dict(boards[1 - seat])  # before this round
            moved = watched.ask(
                "POST", f"{API}/games/{ids[seat]}/moves", {"round": round_, "slot": slot}, cookies[seat]
            )
            boards[seat][str(slot)] = deal.rolls[round_ - 1]
            if seat == first:
                wrong += _peek(watched, ids, cookies, 1 - seat, dict(boards[seat]), slot)
                if moved.json["opponent"]["board"] != shown:
                    wrong.append(f"round {round_}: {moved.json['opponent']} where {shown} is open")
                _pry(watched, f"{API}/games/{ids[1 - seat]}", cookies[1 - seat], round_)
                wrong += [f"round {round_}: {leak}" for leak in _nonces(watched, deal, round_)]
    for seat in range(2):
        wrong += _unproved(watched.ask("GET", f"{API}/games/{ids[seat]}", None, cookies[seat]).json, deal)
    return wrong


def _peek(
    watched: _Watched, ids: list[str], cookies: list[bytes], seat: int, board: dict[str, int], slot: int
) -> list[str]:
    """What this seat sees of the other one, who has placed: nothing of that move but that it was made."""
    told = watched.ask("GET", f"{API}/games/{ids[seat]}", None, cookies[seat]).json["opponent"]
    hidden = {place: roll for place, roll in board.items() if place != str(slot)}
    if told["board"] != hidden or told["placed"] is not True:
        return [f"{told} where {hidden} is open"]
    return []


def _nonces(watched: _Watched, deal: Deal, opened: int) -> list[str]:
    """A roll of the classic game is a number that stands everywhere: nonces alone can be searched for."""
    return [leak for leak in watched.leaks(deal, opened) if "nonce" in leak]


def _unproved(game: dict[str, Any], deal: Deal) -> list[str]:
    """Commitments of a finished game that do not open."""
    told = [(one["round"], one["roll"], one["nonce"]) for one in game["opened"]]
    right = [(number, *pair) for number, pair in enumerate(zip(deal.rolls, deal.nonces, strict=True), 1)]
    digests = [sha256(f"{nonce}:{number}:{roll}".encode()).hexdigest() for number, roll, nonce in told]
    return [] if told == right and digests == game["commitments"] else [f"{game['id']} does not open"]
