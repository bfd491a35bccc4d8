"""What is done in the background: the days to come, games that wait to be measured, duels whose time is over."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select, text

from tentimes18.server import state
from tentimes18.server.days import DAY_MILLISECONDS, start_of
from tentimes18.server.state import BackgroundTasks, change_all, days_to_come, measure_games
from tentimes18.server.store.duels import end_overdue
from tentimes18.server.store.games import COMING_MS, load_states
from tentimes18.server.store.schema import IS_TO_MEASURE, deals, games
from tentimes18.server.store.writer import Busy
from tests.support.days import DAY, NOON, Watch
from tests.support.stored import changing, put_deal, put_game
from tests.support.web import Hall, opened_hall

MIDNIGHT = start_of("2026-11-17")
HOUR = 3_600_000


def test_a_day_is_drawn_a_whole_day_before_it_begins() -> None:
    assert days_to_come(MIDNIGHT - HOUR - 1) == ["2026-11-16", "2026-11-17"]
    assert days_to_come(MIDNIGHT - HOUR) == ["2026-11-16", "2026-11-17", "2026-11-18"]
    for now in range(MIDNIGHT - DAY_MILLISECONDS, MIDNIGHT, HOUR // 3):
        for day in days_to_come(now)[2:]:
            assert start_of(day) - now > DAY_MILLISECONDS
    assert days_to_come(MIDNIGHT) == ["2026-11-17", "2026-11-18"]


async def known_days(hall: Hall) -> list[str]:
    found = select(deals.c.day).where(deals.c.day.is_not(None)).order_by(deals.c.day)
    return list(await hall.shared.read(lambda connection: connection.execute(found).scalars().all()))


async def waiting(hall: Hall) -> int:
    found = select(games.c.number).where(IS_TO_MEASURE)
    return len(await hall.shared.read(lambda connection: connection.execute(found).all()))


async def until_measured(hall: Hall) -> None:
    async with asyncio.timeout(30):
        while await waiting(hall):
            await asyncio.sleep(0.02)


async def test_several_processes_draw_a_day_once(tmp_path: Path, database_url: str) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, database_url, watch) as one, opened_hall(tmp_path, database_url, watch) as two:
        assert await known_days(one) == ["2026-11-16", "2026-11-17"]
        watch.now += DAY
        await asyncio.gather(*(BackgroundTasks(hall.shared).keep_days() for hall in (one, two) * 5))
        assert await known_days(two) == ["2026-11-16", "2026-11-17", "2026-11-18"]


async def test_what_was_left_undone_is_done_at_the_next_start(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, clock=Watch(NOON)) as hall:
        with hall.shared.database.writing() as connection:
            for _ in range(3):
                put_game(connection, "A" * 22, finished=1, score=1.0)
            connection.execute(text("DELETE FROM deals WHERE day = '2026-11-17'"))
    async with opened_hall(tmp_path, clock=Watch(NOON)) as hall:
        await until_measured(hall)
        assert await known_days(hall) == ["2026-11-16", "2026-11-17"]


async def test_trouble_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "GAMES_SECONDS", (0.01, 0.02))
    async with opened_hall(tmp_path) as hall:
        with hall.shared.database.writing() as connection:
            connection.execute(text("ALTER TABLE skills RENAME TO lost"))
            number = put_game(connection, "A" * 22, finished=1, score=1.0)
        await asyncio.sleep(0.1)
        assert (number, await waiting(hall)) == (number, 1)
        with hall.shared.database.writing() as connection:
            connection.execute(text("ALTER TABLE lost RENAME TO skills"))
        await until_measured(hall)


async def test_more_games_than_one_commit_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "GAMES_SECONDS", (1000.0, 1000.0))
    async with opened_hall(tmp_path) as hall:
        shared = hall.shared
        with changing(shared.database) as commit:
            deal = put_deal(commit.connection)
            for _ in range(state.MAX_AT_ONCE + 5):
                put_game(commit.connection, "A" * 22, deal=deal, finished=1, score=1.0)
        assert len(await measure_games(shared, IS_TO_MEASURE, state.MAX_AT_ONCE + 3)) == state.MAX_AT_ONCE + 3
        await shared.writer.close()  # nothing is written from here on
        found = await measure_games(shared, IS_TO_MEASURE)
        assert (len(found), {game.choices > 0 for game in found.values()}) == (2, {True})
        with pytest.raises(Busy):
            await measure_games(shared, IS_TO_MEASURE, must_keep=True)
        assert (await measure_games(shared, IS_TO_MEASURE)).keys() == found.keys()


async def test_all_of_them_are_ended(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.server.store.duels.MAX_AT_ONCE", 2)
    now = [1_000_000.0]
    async with opened_hall(tmp_path, database_url, clock=lambda: now[0]) as hall, hall.visitor() as ada:
        bodies = [{"against": name} for name in ("friend", "optimal", "friend", "random", "friend")]
        ids = [(await ada.post("/duels", json=body)).json()["id"] for body in bodies]
        assert await change_all(hall.shared, end_overdue) == 0
        now[0] += COMING_MS / 1000
        late = (await ada.post("/duels", json={"against": "friend"})).json()["id"]
        ended = await asyncio.gather(*(change_all(hall.shared, end_overdue) for _ in range(3)))
        assert sum(ended) == len(ids)
        states = await hall.shared.read(lambda connection: load_states(connection, [*ids, late]))
        assert [states[id_].is_over for id_ in [*ids, late]] == [True] * 5 + [False]
        losers = [duel and duel.loser for duel in (states[id_].duel for id_ in ids)]
        assert losers == [None, 0, None, 0, None], "a bot never owes a move"
