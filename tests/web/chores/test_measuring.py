"""Games measured when somebody wants to see them, also where nothing can be written."""

import asyncio
from pathlib import Path

import pytest

from tentimes18.server.chores.chores import Chores
from tentimes18.server.chores.measuring import MOST_AT_ONCE, measure_games
from tentimes18.server.store.losses import those_that_wait
from tentimes18.server.store.writer import Busy
from tests.support.stored import changing, put_deal, put_game
from tests.support.web import opened_hall


async def nothing(_: Chores) -> None:
    """In place of what is done in the background."""


def test_more_games_than_one_commit_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chores, "start", nothing)

    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall:
            shared = hall.shared
            with changing(shared.database) as commit:
                deal = put_deal(commit.connection)
                for _ in range(MOST_AT_ONCE + 5):
                    put_game(commit.connection, "A" * 22, deal=deal, finished=1, score=1.0)
            assert len(await measure_games(shared, those_that_wait(), MOST_AT_ONCE + 3)) == MOST_AT_ONCE + 3
            shared.writer.close()  # nothing is written from here on
            found = await measure_games(shared, those_that_wait())
            assert (len(found), {game.choices > 0 for game in found.values()}) == (2, {True})
            with pytest.raises(Busy):
                await measure_games(shared, those_that_wait(), must_keep=True)
            assert (await measure_games(shared, those_that_wait())).keys() == found.keys()

    asyncio.run(scenario())
