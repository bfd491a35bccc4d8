"""Time: midnight passes under a game, and clocks go back and forth. A game keeps its day; a day has one game a player.

The application runs in this process with a clock that is set by hand; nothing else is replaced.
"""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import httpx

from tentimes18.server.app import Application
from tentimes18.server.settings import Service
from tools.torture.yard import Row, Yard

__all__ = ["Clock", "run"]

API: Final = "/api/v1"
EVENING: Final = datetime(2027, 2, 28, 23, 59, 59, tzinfo=UTC)
SECRET: Final = b"time " * 8


class Clock:
    """A clock that shows what it is set to.

    >>> clock = Clock(EVENING)
    >>> clock.set(EVENING + timedelta(seconds=1))
    >>> clock.day, clock()
    ('2027-03-01', 1803859200.0)
    """

    def __init__(self, time: datetime) -> None:
        self.time = time

    def __call__(self) -> float:
        """Seconds since 1970."""
        return self.time.timestamp()

    def set(self, time: datetime) -> None:
        """Show this time from now on."""
        self.time = time

    @property
    def day(self) -> str:
        """The day in UTC."""
        return self.time.astimezone(UTC).date().isoformat()


def run(yard: Yard) -> Iterator[Row]:
    """Midnight, and a clock that jumps."""
    for kind in ("sqlite", "postgresql"):
        with yard.database(kind) as url:
            wrong, figures = asyncio.run(_jumps(yard, url))
        yield Row("time", f"{kind}, midnight, and a clock that goes back and forth", figures, Row.told(wrong))


async def _jumps(yard: Yard, url: str | None) -> tuple[list[str], str]:
    clock, wrong = Clock(EVENING), list[str]()
    app = Application(Service(yard.data(), SECRET, url, has_rate_limits=False, has_access_log=False), clock)
    games: dict[tuple[int, str], str] = {}  # the game of each player's day
    days: dict[str, str] = {}
    steps = yard.pick(2_000, 60)
    async with app.litestar.lifespan():
        transport = httpx.ASGITransport(app)
        clients = [httpx.AsyncClient(transport=transport, base_url=f"http://test{API}") for _ in range(4)]
        try:
            wrong += await _midnight(clients[0], clock, games, days)
            for _ in range(steps):
                number = yard.chance.randrange(len(clients))
                clock.set(EVENING + timedelta(hours=yard.chance.choice([-30, -24, -1, 0, 1, 24, 30, 24 * 40])))
                wrong += await _step(yard, clients[number], number, clock, games, days)
        finally:
            for client in clients:
                await client.aclose()
    return wrong, f"{steps:,} steps, {len(games):,} daily games of {len(clients)} players, each with its own day"


async def _midnight(
    client: httpx.AsyncClient, clock: Clock, games: dict[tuple[int, str], str], days: dict[str, str]
) -> list[str]:
    """A game that is begun a second before midnight and finished after it."""
    wrong = []
    begun = await client.post("/daily")
    if begun.status_code != 201:
        return [f"{begun.status_code} for the game of the day: {begun.text[:100]}"]
    game, day = begun.json(), clock.day
    games[0, day], days[game["id"]] = game["id"], day
    clock.set(EVENING + timedelta(seconds=2))
    for slot in range(1, 11):
        moved = await client.post(f"/games/{game['id']}/moves", json={"round": slot, "slot": slot})
        if moved.status_code != 200 or moved.json()["day"] != day:
            wrong.append(f"{moved.status_code} for round {slot} after midnight: {moved.text[:100]}")
    shown = await client.get(f"/daily/{day}")
    if shown.status_code != 200 or shown.json()["day"] != day or len(shown.json()["scores"]) != 1:
        wrong.append(f"{shown.status_code} for the day that is over: {shown.text[:100]}")
    return wrong


async def _step(
    yard: Yard,
    client: httpx.AsyncClient,
    number: int,
    clock: Clock,
    games: dict[tuple[int, str], str],
    days: dict[str, str],
) -> list[str]:
    """Ask for the game of the day, or move in one of an earlier or later day."""
    mine = [game for (player, _), game in games.items() if player == number]
    if not mine or yard.chance.random() < 0.3:
        answer = await client.post("/daily")
        known = games.get((number, clock.day))
        if answer.status_code != (200 if known else 201):
            return [f"{answer.status_code} for the day {clock.day}, the game of which is {known}: {answer.text[:100]}"]
        game = answer.json()
        games[number, clock.day], days[game["id"]] = game["id"], clock.day
        right = game["day"] == clock.day and known in (None, game["id"])
        return [] if right else [f"{game['id']} of {game['day']} where {known} of {clock.day} is due"]
    game = (await client.get(f"/games/{yard.chance.choice(mine)}")).json()
    wrong = [] if game["day"] == days[game["id"]] else [f"{game['id']} of {days[game['id']]} is of {game['day']} now"]
    if not game["finished"]:
        free = sorted({*range(1, 11)} - set(map(int, game["board"])))
        move = {"round": game["round"], "slot": yard.chance.choice(free)}
        moved = await client.post(f"/games/{game['id']}/moves", json=move)
        if moved.status_code != 200 or moved.json()["day"] != game["day"]:
            wrong.append(f"{moved.status_code} for a move in {game['id']} at {clock.time}: {moved.text[:100]}")
    return wrong
