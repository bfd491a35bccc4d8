"""What a process opens and closes."""

import asyncio
import threading
from pathlib import Path

import pytest

from tentimes18.server.store.database import StoreUnavailable
from tentimes18.server.store.writer import Busy
from tests.support.process import left_behind
from tests.support.web import opened_hall


def test_nothing_is_left_when_it_is_closed(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    standing = set(left_behind(0))  # what other tests share

    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            assert (await ada.get("/lab/solve", params={"slots": "1,2", "dice": "1d6"})).status_code == 200
            writer = hall.shared.writer
        with pytest.raises(Busy):
            await writer.do(lambda _, requests: requests, None)

    asyncio.run(scenario())
    assert set(left_behind(1)) <= standing
    assert [thread.name for thread in set(threading.enumerate()) - before if not thread.name.startswith("Any")] == []


def test_a_store_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path, f"postgresql://ada@/games?host={tmp_path}"):
            pytest.fail("it opened")

    with pytest.raises(StoreUnavailable):
        asyncio.run(scenario())
