"""Games measured when somebody wants to see them, also where nothing can be written."""

import asyncio
from pathlib import Path

import pytest

from tentimes18.web.identity import Signer
from tentimes18.web.measuring import MOST_AT_ONCE, measure_games
from tentimes18.web.names import Names
from tentimes18.web.settings import Service
from tentimes18.web.state import WebState
from tentimes18.web.store.losses import those_that_wait
from tentimes18.web.store.writer import Busy, Writer
from tests.support.stored import changing, opened_store, put_deal, put_game
from tests.support.web import SECRET


def test_more_games_than_one_commit_takes(tmp_path: Path) -> None:
    async def scenario() -> None:
        with opened_store(f"sqlite:///{tmp_path}/games.db") as database:
            with changing(database) as commit:
                deal = put_deal(commit.connection)
                for _ in range(MOST_AT_ONCE + 5):
                    put_game(commit.connection, "A" * 22, deal=deal, finished=1, score=1.0)
            writer = Writer(database)
            writer.start()
            shared = WebState(Service(tmp_path, SECRET), database, writer, Signer(SECRET), Names(SECRET))
            assert len(await measure_games(shared, those_that_wait(), MOST_AT_ONCE + 3)) == MOST_AT_ONCE + 3
            writer.close()  # nothing is written from here on
            found = await measure_games(shared, those_that_wait())
            assert (len(found), {game.choices > 0 for game in found.values()}) == (2, {True})
            with pytest.raises(Busy):
                await measure_games(shared, those_that_wait(), must_keep=True)
            assert (await measure_games(shared, those_that_wait())).keys() == found.keys()

    asyncio.run(scenario())
