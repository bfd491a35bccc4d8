"""Backups: from and to both databases, of a service that is being played on."""

import asyncio
import shutil
import stat
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from tentimes18.errors import Ten18Error
from tentimes18.server.store.admin import back_up, restore
from tentimes18.server.store.database import Database, bring_up_to_date
from tentimes18.server.store.schema import metadata
from tests.support.postgres import Postgres
from tests.support.web import opened_hall, play_on


def opened(url: str) -> Database:
    return Database(url.replace("postgresql:", "postgresql+psycopg:"))


def everything(database: Database) -> dict[str, set[tuple[object, ...]]]:
    with database.reading() as connection:
        return {table.name: set(map(tuple, connection.execute(select(table)))) for table in metadata.sorted_tables}


def play_some(folder: Path, url: str, games: int = 3) -> None:
    async def scenario() -> None:
        async with opened_hall(folder, url) as hall:
            for _ in range(games):
                async with hall.visitor() as ada:
                    await play_on(ada, (await ada.post("/games")).json(), 7)

    asyncio.run(scenario())


def test_a_backup_comes_back_as_it_was(tmp_path: Path, database_url: str, postgres: Postgres) -> None:
    play_some(tmp_path, database_url)
    source = opened(database_url)
    file = tmp_path / "games.backup"
    answer = back_up(source, file)
    assert answer["rows"]["games"] == 3
    assert answer["rows"]["moves"] == 21
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not list(tmp_path.glob(".*.part*"))
    with postgres.database() as other:
        for url in (f"sqlite:///{tmp_path}/other/games.db", other):
            target = opened(url)
            assert restore(file, target)["rows"] == answer["rows"]
            assert everything(target) == everything(source)
            target.close()
            play_some(tmp_path, url, 1)  # new rows are counted on from the old ones
            with (
                pytest.raises(Ten18Error, match="4 games of 4 players exist already"),
                closing(opened(url)) as full,
            ):
                restore(file, full)
    source.close()


async def test_a_backup_under_load_is_one_state(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall:

        async def play_for_ever() -> None:
            async with hall.visitor() as ada:
                while True:
                    await play_on(ada, (await ada.post("/games")).json())

        players = [asyncio.ensure_future(play_for_ever()) for _ in range(8)]
        with closing(opened(database_url)) as database:
            while not everything(database)["moves"]:
                await asyncio.sleep(0.02)
        for number in range(3):
            source = opened(database_url)
            await asyncio.to_thread(back_up, source, tmp_path / f"{number}.backup")
            source.close()
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
    rounds = []
    for number in range(3):
        copy = Database(f"sqlite:///{tmp_path}/{number}.backup")
        found = everything(copy)
        by_game: dict[object, list[int]] = {}
        for game, round_, *_ in found["moves"]:
            by_game.setdefault(game, []).append(int(str(round_)))
        assert all(sorted(made) == list(range(1, len(made) + 1)) for made in by_game.values())
        rounds.append(len(found["moves"]))
        copy.close()
    assert 0 < rounds[0] <= rounds[1] <= rounds[2]


def test_what_is_not_a_backup_is_rejected(tmp_path: Path) -> None:
    target = Database(f"sqlite:///{tmp_path}/games.db")
    bring_up_to_date(target)
    file = tmp_path / "whole.backup"
    back_up(target, file)
    text, empty, other, cut = (tmp_path / name for name in ("text", "empty", "other", "cut"))
    text.write_text("3d6 1-10: 8@5")
    empty.touch()
    shutil.copyfile(file, cut)
    with cut.open("r+b") as damaged:
        damaged.truncate(20_000)
    with closing(Database(f"sqlite:///{other}")) as foreign, foreign.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE games (number INTEGER)")
    for path in (text, empty, other, cut, tmp_path, tmp_path / "nothing"):
        with pytest.raises(Ten18Error) as caught:
            restore(path, target)
        assert caught.value.field == "file"
    target.close()


def test_a_backup_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    source = Database(f"sqlite:///{tmp_path}/games.db")
    bring_up_to_date(source)
    play_some(tmp_path, f"sqlite:///{tmp_path}/games.db", 1)
    file = tmp_path / "games.backup"
    file.write_text("before")

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(source, file, stop)
    assert file.read_text() == "before"
    assert not list(tmp_path.glob(".*.part*"))
    source.close()
