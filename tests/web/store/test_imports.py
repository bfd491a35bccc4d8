"""Records that are brought along, on both databases."""

import pytest
from sqlalchemy import select

from tentimes18.server.identity import new_id
from tentimes18.server.store.imports import (
    ImportedRecords,
    RecordsToKeep,
    RecordToKeep,
    imported_records,
    keep_records,
)
from tentimes18.server.store.schema import games, imports, players
from tests.support.stored import changing, opened_store, put_game

ADA, BOB = new_id(), new_id()


def texts(*names: str) -> list[RecordToKeep]:
    return [RecordToKeep(line, name) for line, name in enumerate(names, start=1)]


def test_each_record_is_kept_once_for_each_player(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        connection = commit.connection
        answers = keep_records(
            commit,
            [
                RecordsToKeep(ADA, texts("a", "b", "a"), 5),
                RecordsToKeep(BOB, texts("b", "c"), 6),
                RecordsToKeep(ADA, texts("c", "b"), 7),
                RecordsToKeep(new_id(), [], 8),
            ],
        )
        assert answers == [(2, 1, []), (2, 0, []), (1, 1, []), (0, 0, [])]
        found = imported_records(connection, ADA, 0, 2)
        assert [text for _, text in found] == ["a", "b"]
        assert [text for _, text in imported_records(connection, ADA, found[-1][0], 2)] == ["c"]
        assert len(connection.execute(select(players)).all()) == 2


def test_own_games_are_known_and_foreign_ones_are_not(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        ids = []
        for player in (ADA, BOB):
            number = put_game(commit.connection, player)
            of_game = select(games.c.id).where(games.c.number == number)
            ids.append(commit.connection.execute(of_game).scalar_one())
        records = [RecordToKeep(line, f"record {line}", id_) for line, id_ in enumerate(ids, start=1)]
        assert keep_records(commit, [RecordsToKeep(ADA, records, 5)]) == [ImportedRecords(1, 1, [])]


def test_there_is_room_for_so_many(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.server.store.imports.MOST_RECORDS", 3)
    monkeypatch.setattr("tentimes18.server.store.imports.MOST_BYTES", 10)
    with opened_store(database_url) as database, changing(database) as commit:
        answers = keep_records(
            commit,
            [
                RecordsToKeep(ADA, texts("123456789", "12", "1", "0"), 5),
                RecordsToKeep(BOB, texts("1", "2", "3", "4"), 5),
                RecordsToKeep(BOB, texts("5", "1"), 6),
            ],
        )
        assert answers == [(2, 0, [2, 4]), (3, 0, [4]), (0, 1, [1])]
        assert len(commit.connection.execute(select(imports)).all()) == 5
