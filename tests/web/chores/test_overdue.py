"""Duels whose time is over are ended in the background, whoever looks at them."""

import asyncio
from pathlib import Path

import pytest

from tentimes18.server.chores import chores
from tentimes18.server.chores.overdue import end_overdue_duels
from tentimes18.server.store.abandonment import COMING_MS
from tentimes18.server.store.duels import MOST_AT_ONCE
from tentimes18.server.store.states import load_states
from tests.support.web import opened_hall


def test_all_of_them_are_ended(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.server.store.duels.MOST_AT_ONCE", 2)
    assert MOST_AT_ONCE > 2
    now = [1_000_000.0]

    async def scenario() -> None:
        async with opened_hall(tmp_path, database_url, clock=lambda: now[0]) as hall, hall.visitor() as ada:
            bodies = [{"against": name} for name in ("friend", "optimal", "friend", "random", "friend")]
            ids = [(await ada.post("/duels", json=body)).json()["id"] for body in bodies]
            assert await end_overdue_duels(hall.shared) == 0
            now[0] += COMING_MS / 1000
            late = (await ada.post("/duels", json={"against": "friend"})).json()["id"]
            ended = await asyncio.gather(*(end_overdue_duels(hall.shared) for _ in range(3)))
            assert sum(ended) == len(ids)
            states = await hall.shared.read(lambda connection: load_states(connection, [*ids, late]))
            assert [states[id_].is_over for id_ in [*ids, late]] == [True] * 5 + [False]

    asyncio.run(scenario())


def test_it_goes_on_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chores, "DUELS_SECONDS", (0.01, 0.01))
    now = [1_000_000.0]

    async def scenario() -> None:
        async with opened_hall(tmp_path, clock=lambda: now[0]) as hall, hall.visitor() as ada:
            game = (await ada.post("/duels", json={"against": "optimal"})).json()
            database = hall.shared.database
            with database.writing() as connection:
                connection.exec_driver_sql("ALTER TABLE duels RENAME TO gone")
            await asyncio.sleep(0.1)
            with database.writing() as connection:
                connection.exec_driver_sql("ALTER TABLE gone RENAME TO duels")
            now[0] += COMING_MS / 1000
            async with asyncio.timeout(30):
                while not (await hall.shared.read(lambda c: load_states(c, [game["id"]])))[game["id"]].is_over:
                    await asyncio.sleep(0.02)

    asyncio.run(scenario())
