"""Nothing that is said shows what is not open: every answer, header and log line, in the states of every kind of game.

Two ways. Whatever is said is searched for the nonces of rounds that are not opened. And the store is changed under the
service, in nothing but what is not open: rolls and nonces, or a move that waits for the other player's. Then everything
is asked again, and must be the same to the byte, but for the commitments.
"""

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
from sqlalchemy import text, update

from tentimes18.play.fairness import Deal, draw_deal
from tentimes18.play.verification import check_game
from tentimes18.server.store.games import GameState, load_states, pack_deal
from tentimes18.server.store.schema import deals, duels, moves
from tentimes18.server.store.writer import Commit
from tests.support.process import PATIENCE
from tests.support.service import serving
from tests.support.web import API, ORIGIN, Hall, free_slots, opened_hall, play_on

NOW: Final = 1_794_830_400.0  # a noon
OTHER: Final = {"date", "etag"}  # headers that are made of the time, or of the whole body
LOOKED_AT: Final = (1, 10)  # rounds
UNSTEADY: Final = ("/health", "/metrics", "/duels/bots")  # searched, but they also describe other things
BEGINNINGS: Final = {
    "solo": "/games",
    "daily": "/daily",
    "friend": "/duels",
    "bot": "/duels",
    "group": "/groups/{code}/join",
}


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


@pytest.fixture(autouse=True)
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chances in a duel appear when a table is ready, which may be at any moment while other tests make it."""
    monkeypatch.setenv("TEN18_CACHE", str(tmp_path / "tables"))


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


async def run_through(
    folder: Path,
    log: pytest.LogCaptureFixture,
    kind: str,
    look: Callable[[GameTable], Awaitable[None]],
) -> None:
    """A whole game, looked at from its start to its end: also when one of two has placed, and the other has not."""

    async with opened_table(folder, log, kind) as table:
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


@pytest.mark.parametrize("kind", BEGINNINGS)
async def test_nothing_shows_what_is_not_open(tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str) -> None:
    async def look(table: GameTable) -> None:
        states = await table.states()
        state, opened = states[0], max(found.opened for found in states)
        await table.search()  # what the last move made them say
        before = await table.everyone_asks()
        await table.search()
        other = other_deal(state, opened)
        await table.change(exchange_deal, (state, other))
        assert (await table.states())[0].deal == other
        assert await table.everyone_asks() == before
        await table.search()
        await table.change(exchange_deal, (state, state.deal))

    await run_through(tmp_path, caplog, kind, look)


async def test_no_score_of_a_day_before_your_game_is_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def look(table: GameTable) -> None:
        (state,) = await table.states()
        answers = [await client.get(f"/daily/{state.day}") for client in (*table.players, table.stranger)]
        assert [answer.status_code for answer in answers] == [200 if state.is_over else 403, 403]

    await run_through(tmp_path, caplog, "daily", look)


def other_deal(state: GameState, opened: int) -> Deal:
    """The same in the rounds that are open, in all others a roll that is not the same."""
    drawn, support = draw_deal(state.game), state.game.dice.support
    rolls = [support[-1] if roll != support[-1] else support[0] for roll in state.deal.rolls]
    return Deal((*state.deal.rolls[:opened], *rolls[opened:]), (*state.deal.nonces[:opened], *drawn.nonces[opened:]))


def exchange_deal(commit: Commit, request: tuple[GameState, Deal]) -> None:
    """Have a game other rolls."""
    state, deal = request
    commit.connection.execute(
        update(deals).where(deals.c.number == state.deal_number).values(**pack_deal(state.game, deal))
    )


async def test_nothing_depends_on_a_move_that_is_not_open(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    looks = 0

    async def look(table: GameTable) -> None:
        nonlocal looks
        states = await table.states()
        ahead = max(states, key=lambda state: len(state.slots))
        if all(len(state.slots) == len(ahead.slots) for state in states):
            return
        asking = [table.players[1 - states.index(ahead)], table.stranger]
        waiting = (ahead, len(ahead.slots))
        others = [slot for slot in range(1, ahead.game.size + 1) if slot not in ahead.slots]
        before = await table.ask(asking)
        for slot in others[:2]:
            await table.change(exchange_move, (*waiting, slot))
            assert await table.ask(asking) == before
        await table.change(exchange_move, (*waiting, ahead.slots[-1]))
        looks += 1

    await run_through(tmp_path, caplog, "friend", look)
    assert looks == len(LOOKED_AT)


def exchange_move(commit: Commit, request: tuple[GameState, int, int]) -> None:
    """Have a roll placed elsewhere."""
    state, round_, slot = request
    where = (moves.c.game == state.number) & (moves.c.round == round_)
    commit.connection.execute(update(moves).where(where).values(slot=slot))


async def test_nothing_depends_on_what_a_bot_leaves_to_chance(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def look(table: GameTable) -> None:
        state = (await table.states())[0]
        assert state.duel is not None
        before = await table.everyone_asks()
        for seed in ("0" * 32, state.duel.seed):
            await table.change(exchange_seed, (state.duel.number, seed))
            assert await table.everyone_asks() == before

    await run_through(tmp_path, caplog, "bot", look)


def exchange_seed(commit: Commit, request: tuple[int, str]) -> None:
    """Have a bot's chance be another one."""
    number, seed = request
    commit.connection.execute(update(duels).where(duels.c.number == number).values(seed=seed))


@pytest.mark.parametrize("table", ["moves", "games"])
async def test_a_fault_shows_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, database_url: str, table: str
) -> None:
    """A table that is missing: whatever is asked fails, and neither an answer nor the log shows rolls."""
    async with opened_table(tmp_path, caplog, "solo", database_url) as found:
        state = (await found.states())[0]
        await found.change(rename, (table, f"no_{table}"))
        path = f"/games/{state.id}"
        found.ear.all_since(caplog)
        for answer in (
            await found.players[0].get(path),
            await found.players[0].post(f"{path}/moves", json={"round": 1, "slot": 1}),
            *([await found.players[0].post("/games")] if table == "games" else []),
        ):
            assert answer.status_code in (500, 503)
        said = b"\n".join(found.ear.all_since(caplog))
        assert re.findall(rb"[0-9a-f]{64}", said.lower()) == []  # as the nonces are in a game that cannot be begun
        assert not any(trace in said for nonce in state.deal.nonces for trace in traces_of(nonce))
        assert ",".join(map(str, state.deal.rolls)).encode() not in said
        await found.change(rename, (f"no_{table}", table))


def rename(commit: Commit, request: tuple[str, str]) -> None:
    """Give a table another name."""
    commit.connection.execute(text("ALTER TABLE {} RENAME TO {}".format(*request)))


def test_the_log_of_a_server_shows_nothing(tmp_path: Path) -> None:
    """A whole game with all that can be asked, and then every line that the server has written."""
    with serving(tmp_path / "data") as server, httpx.Client(base_url=server.url + API, timeout=PATIENCE) as client:
        place = f"/games/{client.post('/games').json()['id']}"
        for round_ in range(1, 11):
            for path in (place, f"{place}/advice", f"{place}/review", "/me", "/me/games", "/nowhere"):
                client.get(path)
            for slot in (round_, 99):
                client.post(f"{place}/moves", json={"round": round_, "slot": slot})
        cookies = [cookie.value for cookie in client.cookies.jar]
        assert check_game(client.get(place).json()).verified
        assert server.stop() == 0
        said = server.text()
    assert said
    assert cookies
    assert re.findall("[0-9a-f]{64}", said.lower()) == []
    assert not any(cookie in said for cookie in cookies if cookie)
