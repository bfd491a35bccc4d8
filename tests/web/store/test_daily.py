"""Days and their games in the store, on both databases."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import event

from tentimes18.server.identity import new_id
from tentimes18.server.store.daily import (
    begin_archive,
    begin_daily,
    own_game_of_day,
    scores_on,
)
from tentimes18.server.store.database import Database
from tests.support.stored import changing, opened_store, put_deal, put_game

DAY = "2026-11-16"
ADA, BOB, EVE = sorted(new_id() for _ in range(3))


def test_scores_of_a_day(database: Database) -> None:
    with changing(database) as commit:
        connection = commit.connection
        deal = put_deal(connection, day=DAY)
        scores = [600.0, 620.0, 600.0, 610.0]
        players = [new_id() for _ in scores]
        for place, (player, score) in enumerate(zip(players, scores, strict=True)):
            put_game(connection, player, deal=deal, kind="daily", finished=place, score=score)
        put_game(connection, ADA, deal=deal, kind="daily")
        put_game(connection, BOB, deal=deal, finished=1, score=700.0)
        found = scores_on(connection, deal, 3)
        assert [(row.player, row.score) for row in found.best] == [
            (players[1], 620.0),
            (players[3], 610.0),
            (players[0], 600.0),  # of equal ones the one that was there first
        ]
        assert found.histogram == ((600.0, 2), (610.0, 1), (620.0, 1))
        assert found.players == 4
        assert [found.rank(score) for score in (700.0, 620.0, 610.0, 600.0, 1.0)] == [1, 1, 2, 3, 5]
        everybody = scores_on(connection, deal, 4)
        assert everybody.ranks == {score: everybody.rank(score) for score, _ in everybody.histogram}


def test_one_player_of_a_day_is_found_without_a_look_at_all_others(tmp_path: Path) -> None:
    asked: list[tuple[str, Sequence[Any]]] = []

    def note(_: object, __: object, statement: str, values: Sequence[Any], ___: object, ____: object) -> None:
        if statement.startswith("SELECT games."):
            asked.append((statement, values))

    with opened_store(f"sqlite:///{tmp_path}/games.sqlite") as database:
        for engine in (database.reader, database.writer):
            event.listen(engine, "before_cursor_execute", note)
        with changing(database) as commit:
            begin_daily(commit, ADA, DAY, 7)
            begin_archive(commit, EVE, DAY, 7)
        with database.reading() as connection:
            for archive in (False, True):
                own_game_of_day(connection, ADA, DAY, archive=archive)
        of_days = [question for question in asked if "games.player" in question[0].partition("WHERE")[2]]
        assert len(of_days) == 4
        with database.reading() as connection:
            for statement, values in of_days:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", tuple(values))
                (of_games,) = [row.detail for row in plan if row.detail.startswith("SEARCH games")]
                assert "player=?" in of_games, statement
