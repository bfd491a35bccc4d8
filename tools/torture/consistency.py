"""Retries and races; midnight, and clocks that jump.

**Races.** Every move is sent one to five times at once; all answers must be 200 and the same to the letter, also when
the game is over. Of two different slots for one round, one is taken and the other one rejected with 409.

**Time.** A game keeps its day; a day has one game per player. The application runs in this process, with another clock.
"""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx

from tests.support.service import serving
from tests.support.web import opened_hall
from tools.torture.clients import GAMES, ask, at_once, request
from tools.torture.report import Row
from tools.torture.setup import KINDS, QUIET, Setup
from tools.torture.stored import FILE, repeated, stored_moves

COPIES = 5
WORKERS = 2
EVENING = datetime(2027, 2, 28, 23, 59, 59, tzinfo=UTC)
HOURS = (-30, -24, -1, 0, 1, 24, 30, 24 * 40)


def races(setup: Setup) -> Iterator[Row]:
    """The same move from many sides at once, and two different ones."""
    for kind in setup.pick(KINDS, KINDS[:1]):
        data, games = setup.data(), setup.pick(300, 4)
        with setup.database(kind) as url:
            with serving(data, database=url, workers=WORKERS, environment=QUIET) as server:
                sent, wrong = _retried(setup, server.port, games)
                raced, lost = _raced(setup, server.port, games)
            wrong += repeated(stored_moves(data / FILE if url is None else url))
        where = f"{kind}, {WORKERS} processes"
        figures = f"{sent:,} requests for {10 * games:,} moves"
        yield Row.of("retries", f"{where}, each move 1 to {COPIES} times at once", figures, wrong)
        yield Row.of("races", f"{where}, two slots for one round", f"{raced:,} races, one 200 and one 409", lost)


def _begun(port: int) -> tuple[str, bytes]:
    answer = ask(port, "POST", GAMES, {})
    return answer.json["id"], answer.cookie


def _move(game: str, round_: int, slot: int, cookie: bytes) -> bytes:
    return request("POST", f"{GAMES}/{game}/moves", {"round": round_, "slot": slot}, cookie)


def _retried(setup: Setup, port: int, games: int) -> tuple[int, list[str]]:
    sent, wrong = 0, list[str]()
    for _ in range(games):
        game, cookie = _begun(port)
        slots = setup.chance.sample(range(1, 11), 10)
        moves = [_move(game, round_, slot, cookie) for round_, slot in enumerate(slots, 1)]
        first = []
        for move in moves:
            answers = at_once(port, [move] * setup.chance.randint(1, COPIES))
            sent += len(answers)
            if {answer.status for answer in answers} != {200} or len({answer.body for answer in answers}) != 1:
                wrong.append(f"{len(answers)} times {move[-30:]!r} of {game}: {[one.status for one in answers]}")
            first.append(answers[0].body)
        for place in setup.chance.sample(range(10), 10):  # long after, in any order
            (again,) = at_once(port, [moves[place]])
            sent += 1
            if (again.status, again.body) != (200, first[place]):
                wrong.append(f"round {place + 1} of {game} again: {again.status} {again.body[:80]!r}")
    return sent, wrong


def _raced(setup: Setup, port: int, games: int) -> tuple[int, list[str]]:
    number, wrong = 0, list[str]()
    for _ in range(games):
        game, cookie = _begun(port)
        free = set(range(1, 11))
        for round_ in range(1, 10):
            pair = setup.chance.sample(sorted(free), 2)
            answers = at_once(port, [_move(game, round_, slot, cookie) for slot in pair])
            number += 1
            free -= {slot for slot, answer in zip(pair, answers, strict=True) if answer.status == 200}
            board = ask(port, "GET", f"{GAMES}/{game}", None, cookie).json["board"]
            statuses = sorted(answer.status for answer in answers)
            if statuses != [200, 409] or set(map(int, board)) != set(range(1, 11)) - free:
                wrong.append(f"round {round_} of {game}: {statuses}, the board is {board}")
                break
    return number, wrong


def time(setup: Setup) -> Iterator[Row]:
    """Midnight passes under a game, and clocks go back and forth."""
    for kind in KINDS:
        with setup.database(kind) as url:
            figures, wrong = asyncio.run(_jumps(setup, url))
        yield Row.of("time", f"{kind}, midnight, and a clock that goes back and forth", figures, wrong)


async def _jumps(setup: Setup, url: str | None) -> tuple[str, list[str]]:
    now, wrong, steps = [EVENING], list[str](), setup.pick(2_000, 60)
    games: dict[tuple[int, str], str] = {}  # the game of each player's day
    async with opened_hall(setup.data(), url, lambda: now[0].timestamp()) as hall:
        clients = [hall.visitor() for _ in range(4)]
        game = (await clients[0].post("/daily")).json()  # begun a second before midnight and finished after it
        day = games[0, game["day"]] = game["day"]
        games[0, day] = game["id"]
        now[0] += timedelta(seconds=2)
        for slot in range(1, 11):
            moved = await clients[0].post(f"/games/{game['id']}/moves", json={"round": slot, "slot": slot})
            wrong += [f"{moved.status_code} after midnight"] * (moved.status_code != 200 or moved.json()["day"] != day)
        shown = await clients[0].get(f"/daily/{day}")
        wrong += [f"{shown.status_code} for {day}"] * (shown.status_code != 200 or len(shown.json()["scores"]) != 1)
        for _ in range(steps):
            number = setup.chance.randrange(len(clients))
            now[0] = EVENING + timedelta(hours=setup.chance.choice(HOURS))
            wrong += await _step(setup, clients[number], number, now[0].date().isoformat(), games)
        for client in clients:
            await client.aclose()
    figures = f"{steps:,} steps, {len(games):,} daily games of {len(clients)} players, each with its own day"
    return figures, wrong


async def _step(
    setup: Setup, client: httpx.AsyncClient, number: int, today: str, games: dict[tuple[int, str], str]
) -> list[str]:
    """Ask for the game of the day, or move in one of an earlier or later day."""
    mine = {game: day for (player, day), game in games.items() if player == number}
    if not mine or setup.chance.random() < 0.3:
        answer = await client.post("/daily")
        known = games.get((number, today))
        game = answer.json()
        games[number, today] = game["id"]
        is_right = (
            answer.status_code == (200 if known else 201) and game["day"] == today and known in (None, game["id"])
        )
        return [] if is_right else [f"{answer.status_code}, {game['id']} of {game['day']}, not {known} of {today}"]
    game = (await client.get(f"/games/{setup.chance.choice(list(mine))}")).json()
    wrong = [] if game["day"] == mine[game["id"]] else [f"{game['id']} of {mine[game['id']]} is of {game['day']} now"]
    if not game["finished"]:
        free = sorted({*range(1, 11)} - set(map(int, game["board"])))
        move = {"round": game["round"], "slot": setup.chance.choice(free)}
        moved = await client.post(f"/games/{game['id']}/moves", json=move)
        if moved.status_code != 200 or moved.json()["day"] != game["day"]:
            wrong.append(f"{moved.status_code} for a move in {game['id']} on {today}: {moved.text[:100]}")
    return wrong
