"""Nothing that is said shows what is not open: every answer, header and log line, in the states of every kind of game.

Two ways. Whatever is said is searched for the nonces of rounds that are not opened. And the store is changed under the
service, in nothing but what is not open: rolls and nonces, or a move that waits for the other player's. Then everything
is asked again, and must be the same to the byte, but for the commitments.
"""

import re
from pathlib import Path
from typing import Final

import httpx
import pytest
from sqlalchemy import text, update

from tentimes18.play.fairness import Deal, draw_deal
from tentimes18.play.verification import check_game
from tentimes18.server.store.games import GameState, pack_deal
from tentimes18.server.store.schema import deals, duels, moves
from tentimes18.server.store.writer import Commit
from tests.support.process import PATIENCE
from tests.support.secrecy import KINDS, LOOKED_AT, GameTable, opened_table, run_through, traces_of
from tests.support.service import serving
from tests.support.web import API

EACH_KIND: Final = pytest.mark.parametrize("kind", KINDS)
EVENTS: Final = f"{API}/games/{{id}}/events"


@EACH_KIND
def test_nothing_shows_what_is_not_open(tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str) -> None:
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

    run_through(tmp_path, caplog, kind, look)


def test_no_score_of_a_day_before_your_game_is_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def look(table: GameTable) -> None:
        (state,) = await table.states()
        answers = [await client.get(f"/daily/{state.day}") for client in (*table.players, table.stranger)]
        assert [answer.status_code for answer in answers] == [200 if state.is_over else 403, 403]

    run_through(tmp_path, caplog, "daily", look)


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


def test_nothing_depends_on_a_move_that_is_not_open(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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

    run_through(tmp_path, caplog, "friend", look)
    assert looks == len(LOOKED_AT)


def exchange_move(commit: Commit, request: tuple[GameState, int, int]) -> None:
    """Have a roll placed elsewhere."""
    state, round_, slot = request
    where = (moves.c.game == state.number) & (moves.c.round == round_)
    commit.connection.execute(update(moves).where(where).values(slot=slot))


def test_nothing_depends_on_what_a_bot_leaves_to_chance(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def look(table: GameTable) -> None:
        state = (await table.states())[0]
        assert state.duel is not None
        before = await table.everyone_asks()
        for seed in ("0" * 32, state.duel.seed):
            await table.change(exchange_seed, (state.duel.number, seed))
            assert await table.everyone_asks() == before

    run_through(tmp_path, caplog, "bot", look)


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
