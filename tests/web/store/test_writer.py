"""The writer: many changes in a commit, each with its own answer, and nothing acknowledged that is not there."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import IntegrityError

from tentimes18.server.identity import new_id
from tentimes18.server.store.database import Database, StoreUnavailable
from tentimes18.server.store.schema import players
from tentimes18.server.store.writer import Busy, Commit, Writer
from tests.support.process import PATIENCE
from tests.support.stored import opened_store, player_row


@asynccontextmanager
async def writing(url: str, **options: Any) -> AsyncIterator[tuple[Database, Writer]]:
    with opened_store(url) as database:
        writer = Writer(database, **options)
        writer.start()
        try:
            yield database, writer
        finally:
            await writer.close()


def add(commit: Commit, ids: Sequence[str]) -> Sequence[str]:
    commit.connection.execute(insert(players), [player_row(id_, 0) for id_ in ids])
    commit.changed.extend(ids)
    return ids


def add_one(commit: Commit, name: str) -> str:
    commit.connection.execute(insert(players), player_row(new_id(), 0) | {"name": name})
    commit.changed.append(name)
    if name.startswith("bad"):
        raise ValueError(name)
    return name


def count(database: Database) -> int:
    with database.reading() as connection:
        return connection.scalar(select(func.count()).select_from(players)) or 0


async def test_what_waits_shares_a_commit(tmp_path: Path) -> None:
    told: list[int] = []
    changed: list[str] = []
    ids = [new_id() for _ in range(100)]
    options = {"observe": lambda requests, _: told.append(requests), "when_changed": changed.extend}
    async with writing(f"sqlite:///{tmp_path}/games.db", max_in_a_commit=40, **options) as (database, writer):
        assert await asyncio.gather(*(writer.do(add, id_) for id_ in ids)) == ids
        assert count(database) == 100
    assert sorted(changed) == sorted(ids)
    assert sum(told) == 100
    assert len(told) < 50
    assert max(told) <= 40


async def test_commits_begin_apart(tmp_path: Path) -> None:
    told: list[int] = []
    options = {"observe": lambda requests, _: told.append(requests), "apart": 1.0}
    async with writing(f"sqlite:///{tmp_path}/games.db", **options) as (database, writer):
        await writer.do(add, new_id())
        later = []
        for _ in range(5):
            later.append(asyncio.create_task(writer.do(add, new_id())))
            await asyncio.sleep(0)
        assert not any(task.done() for task in later)
        await asyncio.gather(*later)
        assert count(database) == 6
    assert told == [1, 5]


async def test_an_error_of_one_request_is_its_own(database_url: str) -> None:
    changed: list[str] = []
    async with writing(database_url, when_changed=changed.extend) as (database, writer):
        names = ["good 1", "bad 1", "good 2", "bad 2"]
        answers = await asyncio.gather(*(writer.call(add_one, name) for name in names), return_exceptions=True)
        assert [str(answer) for answer in answers] == names
        assert [isinstance(answer, ValueError) for answer in answers] == [False, True, False, True]
        with database.reading() as connection:
            assert set(connection.scalars(select(players.c.name))) == {"good 1", "good 2"}
    assert sorted(changed) == ["good 1", "good 2"]


async def test_a_commit_that_fails_leaves_nothing_and_the_next_one_works(database_url: str) -> None:
    def fail(commit: Commit, ids: Sequence[str]) -> Sequence[str]:
        add(commit, ids)
        raise RuntimeError("a fault")

    def lose(commit: Commit, ids: Sequence[str]) -> Sequence[str]:
        add(commit, ids)
        if commit.connection.dialect.name == "postgresql":
            commit.connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        commit.connection.execute(text("PRAGMA max_page_count = 1"))
        for _ in range(1000):  # until the file may not grow
            add(commit, [new_id()])
        return ids

    async with writing(database_url) as (database, writer):
        with pytest.raises(RuntimeError):
            await writer.do(fail, new_id())
        with pytest.raises(StoreUnavailable):
            await writer.do(lose, new_id())
        assert count(database) == 0
        database.writer.dispose()  # a limit of SQLite's pages is one of the connection
        await writer.do(add, new_id())
        assert count(database) == 1


async def test_a_fault_in_one_request_is_no_trouble_of_those_that_share_its_commit(database_url: str) -> None:
    ids = [new_id() for _ in range(5)]
    hold, held = Event(), Event()
    changed: list[str] = []

    def slow(_: Commit, requests: Sequence[None]) -> Sequence[None]:
        held.set()
        assert hold.wait(PATIENCE)
        return requests

    async with writing(database_url, when_changed=changed.extend) as (database, writer):
        first = asyncio.create_task(writer.do(slow, None))
        await asyncio.to_thread(held.wait, PATIENCE)
        asked = [asyncio.create_task(writer.do(add, id_)) for id_ in (*ids, ids[2])]
        while writer.waiting < len(asked):
            await asyncio.sleep(0)
        hold.set()
        await first
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert answers[:5] == ids
        assert isinstance(answers[5], IntegrityError)
        assert count(database) == 5
    assert changed == ids


async def test_too_many_waiting_requests_are_rejected_at_once(tmp_path: Path) -> None:
    hold, held = Event(), Event()

    def slow(_: Commit, requests: Sequence[int]) -> Sequence[int]:
        held.set()
        assert hold.wait(PATIENCE)
        return requests

    async with writing(f"sqlite:///{tmp_path}/games.db", max_waiting=5) as (_, writer):
        first = asyncio.ensure_future(writer.do(slow, 0))
        await asyncio.to_thread(held.wait, PATIENCE)
        others = [asyncio.ensure_future(writer.do(slow, number)) for number in range(1, 6)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await writer.do(slow, 6)
        others[0].cancel()  # who goes away disturbs nobody
        hold.set()
        assert await first == 0
        assert await asyncio.gather(*others[1:]) == [2, 3, 4, 5]


async def test_closing_finishes_waiting_requests_and_then_rejects(tmp_path: Path) -> None:
    async with writing(f"sqlite:///{tmp_path}/games.db") as (database, writer):
        waiting = [asyncio.ensure_future(writer.do(add, new_id())) for _ in range(20)]
        await asyncio.sleep(0)
        await writer.close()
        await asyncio.gather(*waiting)
        assert count(database) == 20
        with pytest.raises(Busy):
            await writer.do(add, new_id())


async def test_a_failing_callback_does_not_stop_the_writer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    async with writing(f"sqlite:///{tmp_path}/games.db", observe=fail, when_changed=fail) as (database, writer):
        for _ in range(3):
            await writer.do(add, new_id())
        assert count(database) == 3
    assert "a callback after a commit failed" in caplog.text
