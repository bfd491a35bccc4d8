"""What the tables hold the store to."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, insert
from sqlalchemy.exc import IntegrityError

from tentimes18.server.identity import new_id
from tentimes18.server.store.database import Database
from tentimes18.server.store.games import player_row
from tentimes18.server.store.migration import bring_up_to_date
from tentimes18.server.store.schema import deals, games, moves, players

DEAL: dict[str, Any] = {"dice": "1d6", "slots": "1", "rolls": "5", "nonces": b"0" * 32, "created": 0}


@contextmanager
def one_player(url: str) -> Iterator[tuple[Connection, str, int]]:
    database = Database(url.replace("postgresql:", "postgresql+psycopg:"))
    bring_up_to_date(database)
    with database.writing() as connection:
        player = new_id()
        connection.execute(insert(players), player_row(player, 0))
        deal = connection.execute(insert(deals).returning(deals.c.number), DEAL | {"day": "2026-11-16"}).scalar_one()
        yield connection, player, deal
    database.close()


def game(player: str, deal: int, kind: str) -> dict[str, Any]:
    return {
        "id": new_id(),
        "player": player,
        "deal": deal,
        "kind": kind,
        "coach": "off",
        "is_rated": True,
        "created": 0,
    }


def test_a_day_has_one_deal(database_url: str) -> None:
    with one_player(database_url) as (connection, _, __), pytest.raises(IntegrityError), connection.begin_nested():
        connection.execute(insert(deals), DEAL | {"day": "2026-11-16"})


def test_a_player_has_one_attempt_a_day_and_many_games_else(database_url: str) -> None:
    with one_player(database_url) as (connection, player, deal):
        connection.execute(insert(games), [game(player, deal, "solo") for _ in range(2)])
        connection.execute(insert(games), game(player, deal, "daily"))
        with pytest.raises(IntegrityError), connection.begin_nested():
            connection.execute(insert(games), game(player, deal, "daily"))


def test_a_round_has_one_move(database_url: str) -> None:
    with one_player(database_url) as (connection, player, deal):
        number = connection.execute(insert(games).returning(games.c.number), game(player, deal, "solo")).scalar_one()
        move = {"game": number, "round": 1, "slot": 1, "seen": 0, "made": 0}
        connection.execute(insert(moves), move)
        with pytest.raises(IntegrityError), connection.begin_nested():
            connection.execute(insert(moves), move | {"slot": 2})


def test_a_game_has_a_player_who_is_there(database_url: str) -> None:
    with one_player(database_url) as (connection, _, deal), pytest.raises(IntegrityError), connection.begin_nested():
        connection.execute(insert(games), game(new_id(), deal, "solo"))
