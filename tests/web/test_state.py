"""What routes share."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.support.web import opened_hall


def test_reading_is_off_the_loop_and_the_clock_is_the_one_given(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path, clock=lambda: 18.018) as hall:
            assert hall.shared.now == 18018
            assert await hall.shared.read(lambda connection: connection.scalar(text("SELECT 18"))) == 18
            with pytest.raises(KeyError):
                await hall.shared.read(lambda _: dict[str, int]()["nothing"])

    asyncio.run(scenario())
