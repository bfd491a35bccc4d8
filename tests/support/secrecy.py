"""A game with its players in the service of a test, and an ear that hears all that is said there."""

import asyncio
import base64
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tentimes18.play.verification import check_game
from tentimes18.server.app import Application
from tentimes18.server.settings import Service
from tentimes18.server.store.games import GameState, load_states
from tentimes18.server.store.writer import Commit
from tests.support.web import API, ORIGIN, SECRET, Hall, free_slots, opened_hall, play_on

NOW: Final = 1_794_830_400.0  # a noon
OTHER: Final = {"date", "etag"}  # headers that are made of the time, or of the whole body
LOOKED_AT: Final = (1, 10)  # rounds
UNSTEADY: Final = ("/health", "/metrics", "/duels/bots")  # searched, but they also describe other things
PATHS: Final = Application(Service(Path(), SECRET)).openapi["paths"].keys()
BEGINNINGS: Final = {
    "solo": "/games",
    "daily": "/daily",
    "friend": "/duels",
    "bot": "/duels",
    "group": "/groups/{code}/join",
}
KINDS: Final = [kind for kind, path in BEGINNINGS.items() if API + path in PATHS]


@dataclass
class Ear:
    """Hears all that is said: heads and bodies of answers, and lines of the log."""

    heard: list[bytes] = field(default_factory=list)

    async def answer(self, response: httpx.Response) -> None:
        body = await response.aread()
        head = b"\n".join(name + b": " + value for name, value in response.headers.raw)
        self.heard.append(b"%d %s\n%s\n\n%s" % (response.status_code, str(response.request.url).encode(), head, body))

    def all_since(self, log: pytest.LogCaptureFixture) -> list[bytes]:
        """What was said since this was asked last."""
        said = [*self.heard, *(log.handler.format(record).encode() for record in log.records)]
        self.heard.clear()
        log.clear()
        return said


@dataclass
class GameTable:
    """A game with its players, one or two, and somebody who has no part in it."""

    hall: Hall
    ear: Ear
    log: pytest.LogCaptureFixture
    players: list[httpx.AsyncClient]
    stranger: httpx.AsyncClient
    ids: list[str] = field(default_factory=list)
    code: str = "nothing"
    questions: list[str] = field(default_factory=list)

    async def begin(self, kind: str) -> None:
        """A game of this kind; in a duel with a friend the second player joins."""
        first = self.players[0]
        body = {"friend": {"against": "friend"}, "bot": {"against": "nearest"}}.get(kind)
        answer = await first.post(BEGINNINGS[kind].format(code=self.code), json=body)
        assert answer.status_code == 201, answer.text
        game = answer.json()
        self.ids = [game["id"]]
        if kind == "friend":
            self.code = game["invite"]
            joined = await self.players[1].post(f"/duels/{self.code}/join")
            assert joined.status_code == 200, joined.text
            self.ids.append(joined.json()["id"])
        document = (await first.get(f"{ORIGIN}/api/openapi.json")).json()
        asked = [path for path, operations in document["paths"].items() if "get" in operations]
        # Events do not end, and the lab knows nothing of games.
        self.questions = [path for path in asked if not path.endswith("/events") and "/lab/" not in path]

    async def states(self) -> list[GameState]:
        found = await self.hall.shared.read(lambda connection: load_states(connection, self.ids))
        return [found[id_] for id_ in self.ids]

    async def search(self) -> None:
        """Nothing that was said since the last time holds a nonce that is not opened."""
        states = await self.states()
        opened = max(state.opened for state in states)
        traces = {trace for nonce in states[0].deal.nonces[opened:] for trace in traces_of(nonce)}
        for said in self.ear.all_since(self.log):
            assert not any(trace in said for trace in traces), said[:200]

    async def ask(self, clients: Sequence[httpx.AsyncClient]) -> list[tuple[str, bytes]]:
        """Everything that can be asked about all of the games, by each of these; moves that cannot be made among it."""
        found = []
        for client in clients:
            for id_, state in zip(self.ids, await self.states(), strict=True):
                for path in self.questions:
                    if "{id}" not in path and id_ != self.ids[0]:
                        continue
                    names = {"id": id_, "code": self.code, "day": state.day or "2026-11-15"}
                    url = ORIGIN + re.sub(r"\{(\w+)\}", lambda match: names.get(match[1], "x"), path)  # noqa: B023
                    found.append(await client.get(url))
                for move in wrong_moves(state):
                    found.append(await client.post(f"/games/{id_}/moves", json=move))
        commitments = (await self.states())[0].deal.commitments
        return [told(answer, commitments) for answer in found if not str(answer.request.url).endswith(UNSTEADY)]

    async def everyone_asks(self) -> list[tuple[str, bytes]]:
        return await self.ask([*self.players, self.stranger])

    async def change(self, change: Callable[[Commit, Any], Any], request: Any = None) -> None:
        """Have something in the store changed, behind the back of the service."""
        await self.hall.shared.writer.call(change, request)


def traces_of(nonce: str) -> set[bytes]:
    """The forms in which a nonce might be said."""
    raw = bytes.fromhex(nonce)
    coded = {base64.b64encode(raw).rstrip(b"="), base64.urlsafe_b64encode(raw).rstrip(b"=")}
    return {nonce.encode(), nonce.upper().encode(), raw, repr(raw).encode()[2:-1], *coded}


def wrong_moves(state: GameState) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"round": number, "slot": slot} for number, slot in enumerate(state.slots, start=1)]
    other = [{"round": move["round"], "slot": move["slot"] % state.game.size + 1} for move in made]
    due = len(made) + 1
    taken = [{"round": due, "slot": state.slots[0]}] if made else []
    early: list[dict[str, Any]] = [
        {"round": due + 1, "slot": 1},
        {"round": due, "slot": 99},
        {"round": "1", "slot": 1, "roll": 18},
    ]
    return [*made[-1:], *other[-1:], *taken, *early]


def told(answer: httpx.Response, commitments: Sequence[str]) -> tuple[str, bytes]:
    """An answer without its commitments: these may be others."""
    body = answer.content
    for number, text_ in enumerate(commitments):
        body = body.replace(text_.encode(), b"commitment %d" % number)
    heads = sorted((name, value) for name, value in answer.headers.raw if name.decode().lower() not in OTHER)
    where = f"{answer.request.method} {answer.request.url} {answer.status_code}"
    return where, repr(heads).encode() + body


@asynccontextmanager
async def opened_table(
    folder: Path, log: pytest.LogCaptureFixture, kind: str, database: str | None = None
) -> AsyncIterator[GameTable]:
    log.set_level(logging.DEBUG, "tentimes18")
    ear = Ear()
    async with (
        opened_hall(folder, database, lambda: NOW, has_access_log=True) as hall,
        hall.visitor() as ada,
        hall.visitor() as bob,
        hall.visitor() as eve,
    ):
        if kind == "daily":  # somebody knows the rolls already
            await play_on(bob, (await bob.post("/daily")).json())
            log.clear()
        code = "nothing"
        if kind == "group":  # with a player who has finished, and knows the rolls
            code = (await bob.post("/groups")).json()["code"]
            await play_on(bob, (await bob.post(f"/groups/{code}/join")).json())
            log.clear()
        for client in (ada, bob, eve):
            client.event_hooks["response"].append(ear.answer)
        await eve.post("/games")  # a player, but of another game
        table = GameTable(hall, ear, log, [ada, bob] if kind == "friend" else [ada], eve, code=code)
        await table.begin(kind)
        yield table


def run_through(
    folder: Path,
    log: pytest.LogCaptureFixture,
    kind: str,
    look: Callable[[GameTable], Awaitable[None]],
    database: str | None = None,
) -> None:
    """A whole game, looked at from its start to its end: also when one of two has placed, and the other has not."""

    async def scenario() -> None:
        async with opened_table(folder, log, kind, database) as table:
            await look(table)
            size = (await table.states())[0].game.size
            seats = list(zip(table.players, table.ids, strict=True))
            for round_ in range(1, size + 1):
                for client, id_ in seats[:: -1 if round_ % 2 else 1]:
                    game = (await client.get(f"/games/{id_}")).json()
                    move = {"round": game["round"], "slot": free_slots(game)[-1]}
                    answer = await client.post(f"/games/{id_}/moves", json=move)
                    assert answer.status_code == 200, answer.text
                    if round_ in LOOKED_AT:
                        await look(table)
                    else:
                        await table.search()
            for client, id_ in seats:
                assert check_game((await client.get(f"/games/{id_}")).json()).verified

    asyncio.run(scenario())
