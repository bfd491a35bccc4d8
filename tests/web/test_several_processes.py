"""Duels across processes: two servers on one PostgreSQL, one of them killed; two workers on one file of SQLite."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.support.events import Watcher, watching
from tests.support.postgres import Postgres
from tests.support.process import PATIENCE
from tests.support.service import Server, serving
from tests.support.web import API, free_slots

SECRET: Final = "the same secret for two servers, which is long enough"
ENVIRONMENT: Final = {"TEN18_SECRET": SECRET}


@dataclass
class Pair:
    """Two servers on one database; the second can be killed and started again."""

    folder: Path
    database: str
    stack: ExitStack
    first: Server
    second: Server

    def start_again(self) -> None:
        self.second = self.stack.enter_context(self.another(self.second.port))

    def another(self, port: int | None = None) -> Any:
        return serving(self.folder / "second", database=self.database, port=port, environment=ENVIRONMENT)


@pytest.fixture(scope="module")
def pair(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("servers")
    with postgres.database() as database, ExitStack() as stack:
        first = stack.enter_context(serving(folder / "first", database=database, environment=ENVIRONMENT))
        found = Pair(folder, database, stack, first, first)
        found.second = stack.enter_context(found.another())
        yield found


def visitor(server: Server) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=server.url + API, timeout=PATIENCE)


async def place(client: httpx.AsyncClient, game: dict[str, Any]) -> dict[str, Any]:
    """The roll that waits into the first free slot; sent again until it is acknowledged."""
    move = {"round": game["round"], "slot": free_slots(game)[0]}
    while True:
        try:
            answer = await client.post(f"/games/{game['id']}/moves", json=move)
        except httpx.TransportError:
            await asyncio.sleep(0.02)
            continue
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


async def play(client: httpx.AsyncClient, watcher: Watcher, rounds: range) -> list[dict[str, Any]]:
    """These rounds, each roll when the events show it; the games that were acknowledged."""

    async def due(round_: int) -> dict[str, Any]:
        return await watcher.until(lambda game: game["round"] == round_ and game["roll"] is not None)

    return [await place(client, await due(round_)) for round_ in rounds]


def sealed(watcher: Watcher) -> None:
    """The opponent's moves came to light with one's own, never before; rolls and nonces one after the other."""
    nonces = [part["nonce"] for part in watcher.events[-1].game["opened"]]
    for event in watcher.events:
        game = event.game
        assert not any(nonce in str(game) for nonce in nonces[len(game["opened"]) :])
        shown = {} if game["opponent"] is None else game["opponent"]["board"]
        assert len(shown) <= len(game["board"])
        if not game["finished"]:
            assert len(game["opened"]) == len(shown) + 1


async def test_a_duel_on_two_servers_one_of_which_is_killed(pair: Pair) -> None:
    async with visitor(pair.first) as ada, visitor(pair.second) as bob, AsyncExitStack() as streams:
        mine = (await ada.post("/duels", json={"against": "friend"})).json()
        seen = await streams.enter_async_context(watching(ada, mine["id"]))
        theirs = (await bob.post(f"/duels/{mine['invite']}/join")).json()
        assert mine["commitments"] == theirs["commitments"]
        both = [seen, await streams.enter_async_context(watching(bob, theirs["id"]))]
        known = await asyncio.gather(play(ada, both[0], range(1, 5)), play(bob, both[1], range(1, 5)))

        # Ada has placed, bob is about to: his server is gone, with his stream.
        ahead = asyncio.create_task(play(ada, both[0], range(5, 11)))
        await both[1].until(lambda game: game["round"] == 5 and game["opponent"]["placed"])
        moving = asyncio.create_task(play(bob, both[1], range(5, 6)))
        await asyncio.to_thread(pair.second.kill)
        await both[1].end()
        assert both[1].was_cut
        await asyncio.to_thread(pair.start_again)
        known[1] += await moving
        last = both[1].events[-1].id
        both.append(await streams.enter_async_context(watching(bob, theirs["id"], last)))
        known[1] += await play(bob, both[2], range(6, 11))
        known[0] += await ahead

        ends = [await watcher.until(lambda game: game["finished"]) for watcher in (both[0], both[2])]
        for watcher in both:
            await watcher.end()
            sealed(watcher)
        for end, games, client in zip(ends, known, (ada, bob), strict=True):
            assert (await client.get(f"/games/{end['id']}")).json() == end
            for game in games:  # whatever was acknowledged is there
                assert game["board"].items() <= end["board"].items()
        assert (ends[0]["board"], ends[0]["score"]) == (ends[1]["opponent"]["board"], ends[1]["opponent"]["score"])
        assert (ends[0]["result"], ends[1]["result"]) in {("win", "loss"), ("loss", "win"), ("draw", "draw")}


async def test_races_on_two_servers(pair: Pair) -> None:
    """One player with a device on each server, both players at once, each move five times; and two who join."""
    async with (
        visitor(pair.first) as ada,
        visitor(pair.second) as bob,
        visitor(pair.first) as eve,
        visitor(pair.second) as ada_too,
        visitor(pair.first) as bob_too,
    ):
        mine = (await ada.post("/duels", json={"against": "friend"})).json()
        joined = await asyncio.gather(*(client.post(f"/duels/{mine['invite']}/join") for client in (bob, eve)))
        assert sorted(answer.status_code for answer in joined) == [200, 409]
        winner = bob if joined[0].status_code == 200 else eve
        theirs = next(answer for answer in joined if answer.status_code == 200).json()
        ada_too.cookies.update(ada.cookies)
        bob_too.cookies.update(winner.cookies)
        sides = [(mine["id"], (ada, ada_too)), (theirs["id"], (winner, bob_too))]
        for round_ in range(1, 11):
            sent = [
                client.post(f"/games/{id_}/moves", json={"round": round_, "slot": slot})
                for time in range(5)
                for (id_, clients), slot in zip(sides, (round_, 11 - round_), strict=True)
                for client in (clients[time % 2],)
            ]
            answers = await asyncio.gather(*sent)
            assert {answer.status_code for answer in answers} == {200}, [answer.text for answer in answers]
            for seat in (0, 1):
                assert len({answer.content for answer in answers[seat::2]}) == 1
        ends = [(await clients[0].get(f"/games/{id_}")).json() for id_, clients in sides]
        assert all(end["finished"] for end in ends)
        assert ends[0]["opponent"]["board"] == ends[1]["board"]


def without_chances(game: dict[str, Any]) -> dict[str, Any]:
    """The game but for the chances to win, which each process adds as soon as it has loaded their table."""
    return {name: value for name, value in game.items() if name != "chances"}


async def test_two_workers_on_one_file(tmp_path: Path) -> None:
    """Streams are spread over both; all see what either does, and end in good order when the service stops."""
    with serving(tmp_path / "data", workers=2, environment=ENVIRONMENT) as server:
        async with visitor(server) as ada, visitor(server) as bob, AsyncExitStack() as streams:
            mine = (await ada.post("/duels", json={"against": "friend"})).json()
            theirs = (await bob.post(f"/duels/{mine['invite']}/join")).json()
            watchers = [await streams.enter_async_context(watching(ada, mine["id"])) for _ in range(6)]
            watchers += [await streams.enter_async_context(watching(bob, theirs["id"])) for _ in range(6)]
            for round_ in range(1, 4):
                await asyncio.gather(place(ada, mine), place(bob, theirs))
                mine, theirs = [
                    (await client.get(f"/games/{game['id']}")).json() for client, game in ((ada, mine), (bob, theirs))
                ]
                for watcher, game in zip(watchers, [mine] * 6 + [theirs] * 6, strict=True):
                    rest = without_chances(game)
                    await watcher.until(lambda seen, rest=rest: without_chances(seen) == rest)  # type: ignore[misc]
                assert mine["round"] == round_ + 1
            assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0
            for watcher in watchers:
                await watcher.end()
                sealed(watcher)
            assert not any(watcher.was_cut for watcher in watchers)
