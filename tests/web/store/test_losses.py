"""What finished games lost, kept beside them."""

from random import Random

import pytest
from sqlalchemy import Connection, select, text

from tentimes18.coach.review import review
from tentimes18.game import Board, Game, Placement
from tentimes18.play.fairness import draw_deal
from tentimes18.records.notation import Record
from tentimes18.server.identity import new_id
from tentimes18.server.store.losses import (
    MeasuredGame,
    finished_games,
    keep_losses,
    measured,
    numbered,
    of_player,
    those_that_wait,
)
from tentimes18.server.store.schema import games
from tentimes18.server.store.skill import LEAST_GAMES, best_players
from tests.support.stored import ALL_SLOTS, changing, opened_store, put_deal, put_game

CLASSIC = Game.classic()


def losses(connection: Connection) -> dict[int, tuple[float | None, int | None]]:
    return {row.number: (row.loss, row.choices) for row in connection.execute(select(games))}


def test_games_lose_what_their_reviews_say(database_url: str) -> None:
    random = Random(18)
    with opened_store(database_url) as database:
        expected = {}
        with changing(database) as commit:
            for place in range(LEAST_GAMES):
                deal = draw_deal(CLASSIC)
                slots = random.sample(ALL_SLOTS, 10)
                number = put_deal(commit.connection, deal)
                game = put_game(commit.connection, "A" * 22, slots, deal=number, finished=place, score=1.0)
                reviewed = review(Record(Board(CLASSIC, tuple(map(Placement, deal.rolls, slots)))))
                expected[game] = (float(reviewed.loss), reviewed.choices)
            waiting = put_game(commit.connection, "A" * 22, (1, 2))
            practice = put_game(commit.connection, "B" * 22, finished=1, score=1.0, is_rated=False)
        with database.reading() as connection:
            found = finished_games(connection, those_that_wait(), 100)
            assert [game.number for game in found] == sorted(expected, reverse=True)  # the latest first
            assert finished_games(connection, of_player("A" * 22), 3) == found[:3]
            assert finished_games(connection, of_player("B" * 22), 3) == []
            assert finished_games(connection, numbered([]), 3) == []
            asked = finished_games(connection, numbered([practice]), 3)
        costs = measured(found)
        with changing(database) as commit:
            assert keep_losses(commit, [costs[:6], costs[4:], measured(asked), []]) == [None] * 4
        with database.reading() as connection:
            known = losses(connection)
            assert {number: known[number] for number in expected} == expected
            assert known[waiting] == (None, None)
            assert known[practice][1] is not None
            assert finished_games(connection, those_that_wait(), 100) == []
            (rated,) = best_players(connection, 10)
            total, chosen = (sum(part) for part in zip(*expected.values(), strict=True))
            assert (rated.player, rated.games) == ("A" * 22, LEAST_GAMES)
            assert rated.cost == pytest.approx(total / chosen, rel=1e-12)


def test_a_game_is_measured_once_and_one_that_is_gone_not_at_all(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        number = put_game(commit.connection, new_id(), finished=1, score=1.0)
        keep_losses(commit, [[MeasuredGame(number, None, 3.0, 8)]])
        keep_losses(commit, [[MeasuredGame(number, None, 4.0, 9), MeasuredGame(number + 1, "gone", 1.0, 1)]])
        assert losses(commit.connection) == {number: (3.0, 8)}


def test_those_that_wait_are_found_by_their_index(tmp_path_factory: pytest.TempPathFactory) -> None:
    with opened_store(f"sqlite:///{tmp_path_factory.mktemp('plan')}/games.db") as database:
        query = select(games.c.number).where(those_that_wait()).order_by(games.c.finished.desc())
        told = query.compile(database.reader, compile_kwargs={"literal_binds": True})
        with database.reading() as connection:
            (plan,) = connection.execute(text(f"EXPLAIN QUERY PLAN {told}")).all()
    assert "ix_games_to_measure" in plan.detail
