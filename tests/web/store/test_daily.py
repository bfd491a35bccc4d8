"""Days and their games in the store, on both databases."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import event

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.store.daily import (
    Begun,
    DailyToBegin,
    DaysToKeep,
    begin_archive,
    begin_daily,
    committed_days,
    daily_games,
    deal_of_day,
    keep_days,
    missing_days,
    own_game_of_day,
    players_of_day,
    scores_of_day,
)
from tests.support.stored import changing, opened_store, put_deal, put_game

DAY = "2026-11-16"
ADA, BOB, EVE = sorted(new_id() for _ in range(3))


def wanted(player: str, day: str = DAY, coach: str = "off") -> DailyToBegin:
    return DailyToBegin(new_id(), player, day, 7, coach)


def begun(answer: Begun | Exception) -> Begun:
    assert isinstance(answer, Begun)
    return answer


def test_many_who_begin_in_one_commit(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        requests = [wanted(ADA), wanted(BOB), wanted(ADA), wanted(ADA, "2026-11-17")]
        first, other, again, next_day = map(begun, begin_daily(commit, requests))
        assert [answer.is_new for answer in (first, other, again, next_day)] == [True, True, False, True]
        assert again.state == first.state
        assert (first.state.kind, first.state.is_rated, first.state.day, first.state.created) == ("daily", True, DAY, 7)
        assert first.state.deal == other.state.deal != next_day.state.deal
        (later,) = begin_daily(commit, [wanted(ADA)])
        assert later == Begun(first.state, is_new=False)
        assert players_of_day(commit.connection, DAY) == 2
        assert players_of_day(commit.connection, "2026-11-18") == 0


def test_own_games(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        connection = commit.connection
        days = ["2026-11-14", "2026-11-15", DAY]
        numbers = {day: put_deal(connection, day=day) for day in days}
        for day in days:
            put_game(connection, ADA, deal=numbers[day], kind="daily", finished=5, score=600.0)
        put_game(connection, BOB, deal=numbers[DAY], kind="daily")
        put_game(connection, EVE, deal=numbers[DAY])
        for score in (500.0, 510.0):
            put_game(connection, EVE, deal=numbers[DAY], finished=5, score=score, is_rated=False)
        assert [game.day for game in daily_games(connection, ADA)] == days[::-1]
        assert daily_games(connection, BOB) == daily_games(connection, EVE) == []
        mine = own_game_of_day(connection, ADA, DAY, archive=False)
        assert mine is not None
        assert (mine.day, mine.kind, mine.score, mine.loss) == (DAY, "daily", 600.0, None)
        theirs = own_game_of_day(connection, BOB, DAY, archive=True)
        assert theirs is not None
        assert theirs.finished is None
        assert own_game_of_day(connection, EVE, DAY, archive=False) is None
        practised = own_game_of_day(connection, EVE, DAY, archive=True)
        assert practised is not None
        assert (practised.kind, practised.score) == ("solo", 510.0)


def test_scores_of_a_day(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        connection = commit.connection
        deal = put_deal(connection, day=DAY)
        scores = [600.0, 620.0, 600.0, 610.0]
        players = [new_id() for _ in scores]
        for place, (player, score) in enumerate(zip(players, scores, strict=True)):
            put_game(connection, player, deal=deal, kind="daily", finished=place, score=score)
        put_game(connection, ADA, deal=deal, kind="daily")
        put_game(connection, BOB, deal=deal, finished=1, score=700.0)
        found = scores_of_day(connection, deal, 3)
        assert [(row.player, row.score) for row in found.best] == [
            (players[1], 620.0),
            (players[3], 610.0),
            (players[0], 600.0),  # of equal ones the one that was there first
        ]
        assert found.histogram == ((600.0, 2), (610.0, 1), (620.0, 1))
        assert found.players == 4
        assert [found.rank(score) for score in (700.0, 620.0, 610.0, 600.0, 1.0)] == [1, 1, 2, 3, 5]
        everybody = scores_of_day(connection, deal, 4)
        assert everybody.ranks == {score: everybody.rank(score) for score, _ in everybody.histogram}


def test_days_are_kept_as_they_were_drawn(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        connection = commit.connection
        deal = draw_deal(Game.classic())
        put_deal(connection, deal, day=DAY)
        assert missing_days(connection, [DAY, "2026-11-17"]) == ["2026-11-17"]
        keep_days(commit, [DaysToKeep([DAY, "2026-11-17"], 8), DaysToKeep(["2026-11-17"], 9)])
        days = committed_days(connection, DAY)
        assert [(day.day, day.created) for day in days] == [("2026-11-17", 8), (DAY, 0)]
        assert list(days[1].commitments) == deal.commitments
        assert committed_days(connection, "2026-11-17") == days[:1]
        known = deal_of_day(connection, DAY)
        assert known is not None
        assert known[1] == deal
        assert deal_of_day(connection, "2026-11-18") is None


def test_one_player_of_a_day_is_found_without_a_look_at_all_others(tmp_path: Path) -> None:
    asked: list[tuple[str, Sequence[Any]]] = []

    def note(_: object, __: object, statement: str, values: Sequence[Any], ___: object, ____: object) -> None:
        if statement.startswith("SELECT games."):
            asked.append((statement, values))

    with opened_store(f"sqlite:///{tmp_path}/games.sqlite") as database:
        for engine in (database.reader, database.writer):
            event.listen(engine, "before_cursor_execute", note)
        with changing(database) as commit:
            begin_daily(commit, [wanted(ADA), wanted(BOB)])
            begin_archive(commit, [wanted(EVE)])
        with database.reading() as connection:
            for archive in (False, True):
                own_game_of_day(connection, ADA, DAY, archive=archive)
        of_days = [question for question in asked if "games.player" in question[0].partition("WHERE")[2]]
        assert len(of_days) == 5
        with database.reading() as connection:
            for statement, values in of_days:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", tuple(values))
                (of_games,) = [row.detail for row in plan if row.detail.startswith("SEARCH games")]
                assert "player=?" in of_games, statement
