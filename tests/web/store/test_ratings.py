"""What finished games lost, and the rating that follows from it."""

from fractions import Fraction
from math import sqrt
from random import Random

import pytest
from sqlalchemy import Connection, select, text

from tentimes18.server.identity import new_id
from tentimes18.server.store.database import Database
from tentimes18.server.store.ratings import (
    LAST_GAMES,
    LEAST_GAMES,
    MeasuredGame,
    best_players,
    course_of,
    keep_losses,
    rated_count,
    rated_player,
    refresh_skills,
)
from tentimes18.server.store.schema import IS_TO_MEASURE, games
from tests.support.stored import changing, opened_store, put_deal, put_game


def losses(connection: Connection) -> dict[int, tuple[float | None, int | None]]:
    return {row.number: (row.loss, row.choices) for row in connection.execute(select(games))}


def test_a_game_is_measured_once_and_one_that_is_gone_not_at_all(database: Database) -> None:
    with changing(database) as commit:
        number = put_game(commit.connection, new_id(), finished=1, score=1.0)
        keep_losses(commit, [[MeasuredGame(number, None, 3.0, 8)]])
        keep_losses(commit, [[MeasuredGame(number, None, 4.0, 9), MeasuredGame(number + 1, "gone", 1.0, 1)]])
        assert losses(commit.connection) == {number: (3.0, 8)}


def test_those_that_wait_are_found_by_their_index(tmp_path_factory: pytest.TempPathFactory) -> None:
    with opened_store(f"sqlite:///{tmp_path_factory.mktemp('plan')}/games.db") as database:
        query = select(games.c.number).where(IS_TO_MEASURE).order_by(games.c.finished.desc())
        told = query.compile(database.reader, compile_kwargs={"literal_binds": True})
        with database.reading() as connection:
            (plan,) = connection.execute(text(f"EXPLAIN QUERY PLAN {told}")).all()
    assert "ix_games_to_measure" in plan.detail


NOT_RATED = ({"is_rated": False}, {"finished": None}, {"loss": None})


def by_definition(losses: list[Fraction], choices: list[int]) -> tuple[Fraction, float]:
    count, cost = len(losses), sum(losses, Fraction(0)) / sum(choices)
    squares = sum((loss - cost * chosen) ** 2 for loss, chosen in zip(losses, choices, strict=True))
    return cost, sqrt(squares / (count * (count - 1))) / float(Fraction(sum(choices), count))


def test_the_last_games_that_count(database: Database) -> None:
    random = Random(18)
    expected = {}
    with database.writing() as connection:
        deal = put_deal(connection)
        for games in (LEAST_GAMES - 1, LEAST_GAMES, LAST_GAMES, LAST_GAMES + 1, 2 * LAST_GAMES):
            player = new_id()
            losses = [Fraction(random.randrange(0, 4000), 16) for _ in range(games)]
            choices = [random.randrange(5, 11) for _ in range(games)]
            times = [1000 + place // 2 for place in range(games)]  # two at a time finished in the same moment
            for place, (loss, chosen, finished) in enumerate(zip(losses, choices, times, strict=True)):
                columns = {"finished": finished, "score": 0.0, "loss": float(loss), "choices": chosen}
                put_game(connection, player, (), deal=deal, **columns)
                other = {"finished": 5000, "loss": 999.0, "choices": 1} | NOT_RATED[place % 3]
                if place % 3 < 2:
                    put_game(connection, player, (), deal=deal, **other)
            if games >= LEAST_GAMES:
                expected[player] = by_definition(losses[-LAST_GAMES:], choices[-LAST_GAMES:])
            refresh_skills(connection, [player])
            refresh_skills(connection, [player])
        refresh_skills(connection, [])
    with database.reading() as connection:
        found = best_players(connection, 100)
        assert [entry.player for entry in found] == sorted(expected, key=lambda player: expected[player][0])
        assert [entry.rank for entry in found] == [1, 2, 3, 4]
        assert sorted(entry.games for entry in found) == [10, 30, 30, 30]
        for entry in found:
            cost, error = expected[entry.player]
            assert entry.cost == pytest.approx(float(cost), rel=1e-12)
            assert entry.error == pytest.approx(error, rel=1e-9)
            assert rated_player(connection, entry.player) == entry
        assert best_players(connection, 2) == found[:2]
        assert rated_player(connection, new_id()) is None


def test_equal_costs_share_a_rank_and_no_loss_has_no_error(database: Database) -> None:
    with database.writing() as connection:
        deal = put_deal(connection)
        for loss in (0.0, 5.0, 5.0, 9.0):
            player = new_id()
            for _ in range(LEAST_GAMES):
                put_game(connection, player, (), deal=deal, finished=1, score=0.0, loss=loss, choices=8)
            refresh_skills(connection, [player])
    with database.reading() as connection:
        found = best_players(connection, 10)
        assert [entry.rank for entry in found] == [1, 2, 2, 4]
        assert (found[0].cost, found[0].error) == (0.0, 0.0)
        assert all(entry.error < 1e-6 for entry in found)
        assert [rated_player(connection, entry.player) for entry in found] == found


def test_the_course_of_a_rating(database: Database) -> None:
    random = Random(7)
    games = LAST_GAMES + 20
    losses = [Fraction(random.randrange(0, 4000), 16) for _ in range(games)]
    choices = [random.randrange(5, 11) for _ in range(games)]
    with database.writing() as connection:
        deal, ada, bob = put_deal(connection), new_id(), new_id()
        for place, (loss, chosen) in enumerate(zip(losses, choices, strict=True)):
            columns = {"finished": 1000 + place // 2, "score": 600.0 + place, "loss": float(loss)}
            put_game(connection, ada, (), deal=deal, choices=chosen, **columns)
            other = {"finished": 5000, "loss": 999.0, "choices": 1} | NOT_RATED[place % 2]
            put_game(connection, ada, (), deal=deal, **other)
        put_game(connection, bob, (), deal=deal, finished=1, score=0.0, loss=9.0, choices=8)
        refresh_skills(connection, [ada, bob])
    with database.reading() as connection:
        whole = course_of(connection, ada, 1000)
        assert len(whole) == games
        assert [entry.score for entry in whole] == [600.0 + place for place in range(games)]
        assert (whole[0].games, whole[0].cost, whole[0].error) == (1, float(losses[0] / choices[0]), None)
        for place in range(1, games):
            last = slice(max(0, place + 1 - LAST_GAMES), place + 1)
            cost, error = by_definition(losses[last], choices[last])
            assert whole[place].games == min(place + 1, LAST_GAMES)
            assert whole[place].cost == pytest.approx(float(cost), rel=1e-12)
            assert whole[place].error == pytest.approx(error, rel=1e-7)
        rated = rated_player(connection, ada)
        assert rated is not None
        assert (whole[-1].cost, whole[-1].error) == pytest.approx((rated.cost, rated.error), rel=1e-9)
        assert course_of(connection, ada, 5) == whole[-5:]
        assert [entry.games for entry in course_of(connection, bob, 5)] == [1]
        assert course_of(connection, new_id(), 5) == []
        assert rated_count(connection) == 1
