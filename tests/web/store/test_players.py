"""Players in the store: names, links, lists of own games, imported records, and deletion."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import Connection, func, insert, select, text

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.store.games import GameState, NewGame, load_states, start_games
from tentimes18.server.store.players import GONE_MS, UNUSED_MS, GameFilter, listed_games, remove_old, remove_player
from tentimes18.server.store.schema import deals, duels, games, metadata, moves, played_days, players
from tentimes18.server.store.writer import Writer
from tentimes18.server.views import game_view
from tests.support.postgres import Postgres
from tests.support.stored import ALL_SLOTS, changing, opened_store, put_deal, put_duel, put_game

ADA, BOB = new_id(), new_id()


def test_page_by_page_the_latest_first(database_url: str) -> None:
    with opened_store(database_url) as database:
        with database.writing() as connection:
            ada, bob = new_id(), new_id()
            solo = [put_game(connection, ada, range(1, count)) for count in (1, 3, 5)]
            put_game(connection, bob)
            finished = put_game(connection, ada, finished=7, score=600.0, loss=2.5, choices=8, kind="daily")
            duel, _ = put_duel(connection, [(ada, (1, 2)), (bob, (3,))])
        expected = [duel, finished, *reversed(solo)]
        with database.reading() as connection:
            found = listed_games(connection, ada, GameFilter(), 9)
            assert [game.number for game in found] == expected
            assert [(game.loss, game.choices) for game in found[:2]] == [(None, None), (2.5, 8)]
            pages = []
            wanted = GameFilter()
            while page := listed_games(connection, ada, wanted, 2):
                pages += [game.number for game in page]
                wanted = GameFilter(before=page[-1].id)
            assert pages == expected
            for asked, numbers in (
                (GameFilter(kind="duel"), [duel]),
                (GameFilter(kind="solo"), expected[2:]),
                (GameFilter(is_finished=True), [finished]),
                (GameFilter(is_finished=False), [duel, *expected[2:]]),
                (GameFilter(kind="daily", is_finished=False), []),
                (GameFilter(before=found[0].id, kind="solo", is_finished=False), expected[2:]),
                (GameFilter(before=new_id()), []),
            ):
                assert [game.number for game in listed_games(connection, ada, asked, 9)] == numbers
            before_anothers = GameFilter(before=listed_games(connection, bob, GameFilter(), 1)[0].id)
            assert listed_games(connection, ada, before_anothers, 9) == []


def rows(connection: Connection) -> dict[str, int]:
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in metadata.sorted_tables
    }


def state_of(connection: Connection, number: int) -> GameState:
    id_ = connection.execute(select(games.c.id).where(games.c.number == number)).scalar_one()
    return load_states(connection, [id_])[id_]


def removed(connection: Connection, player: str) -> bool:
    """Whether the id is in no table."""
    return not any(
        player in repr(tuple(row)) for table in metadata.sorted_tables for row in connection.execute(select(table))
    )


def test_own_games_go_and_a_day_stays(database_url: str) -> None:
    with opened_store(database_url) as database:
        with changing(database) as commit:
            day = put_deal(commit.connection, day="2026-11-16")
            put_game(commit.connection, BOB, deal=day, kind="daily")
            before = rows(commit.connection)
            put_game(commit.connection, ADA, deal=day, kind="daily", finished=1, score=1.0)
            put_game(commit.connection, ADA, (1, 2), deal=day)
            for slots in (ALL_SLOTS, (3, 1), ()):
                put_game(commit.connection, ADA, slots)
            put_duel(commit.connection, [(ADA, (1, 2)), (None, (3, 4))], bot="optimal")
            put_duel(commit.connection, [(ADA, (1,))])  # nobody has joined
        with changing(database) as commit:
            remove_player(commit, ADA, 7)
            remove_player(commit, new_id(), 7)
            assert commit.changed == []
        with database.reading() as connection:
            assert rows(connection) == before | {"played_days": 1}
            assert removed(connection, ADA)
            assert not removed(connection, BOB)


def test_what_is_old_goes(database_url: str) -> None:
    with opened_store(database_url) as database:
        with changing(database) as commit:
            put_game(commit.connection, BOB)
            before = rows(commit.connection)
            put_game(commit.connection, BOB, ())
            commit.connection.execute(insert(played_days).values(digest="0" * 64, day="1970-01-20"))
        with changing(database) as commit:
            assert remove_old(commit, UNUSED_MS - 1) == 0
            assert remove_old(commit, UNUSED_MS) == 1
            assert rows(commit.connection) == before
            assert remove_old(commit, GONE_MS) == 1
            assert removed(commit.connection, BOB)


def test_a_friend_keeps_the_game(database_url: str) -> None:
    with opened_store(database_url) as database:
        with changing(database) as commit:
            over = put_duel(commit.connection, [(BOB, ALL_SLOTS), (ADA, ALL_SLOTS)], ended_by="moves")
            going_on = put_duel(commit.connection, [(ADA, (1, 2)), (BOB, (3, 4, 5))])
            friends = [state_of(commit.connection, over[0]), state_of(commit.connection, going_on[1])]
        with changing(database) as commit:
            remove_player(commit, ADA, 7)
            assert {friend.id for friend in friends} <= set(commit.changed)
        with database.reading() as connection:
            assert removed(connection, ADA)
            finished, left = state_of(connection, over[0]), state_of(connection, going_on[1])
            views = [game_view(finished), game_view(left)]
            assert [view.opponent and view.opponent.name for view in views] == ["someone", "someone"]
            assert finished.board == friends[0].board
            assert finished.opponent is not None
            assert finished.opponent.slots == ALL_SLOTS
            assert (left.duel and left.duel.ended_by, left.duel and left.duel.loser) == ("leave", 0)
            assert (views[1].finished, views[1].result) == (True, "win")
            seats = connection.execute(select(games.c.finished, games.c.score).where(games.c.number.in_(going_on)))
            assert {row.finished for row in seats} == {7}
            score = connection.execute(select(games.c.score).where(games.c.number == going_on[1])).scalar_one()
            assert score == float(left.board.score)
        with changing(database) as commit:  # with the second one they go as a whole
            remove_player(commit, BOB, 8)
        with database.reading() as connection:
            for table in (deals, duels, games, moves, players):
                assert connection.execute(select(table)).all() == []


def test_a_game_that_is_begun_while_its_player_goes(postgres: Postgres) -> None:
    """The start waits until the player is removed, and then stores the player again."""

    async def begin(writer: Writer) -> GameState:
        game = Game.classic()
        state = await writer.do(start_games, NewGame(new_id(), ADA, game, draw_deal(game), "off", True, 9))
        await writer.close()
        return state

    with postgres.database() as url, opened_store(url) as database, opened_store(url) as other:
        with changing(database) as commit:
            put_game(commit.connection, ADA)
        writer = Writer(other)
        writer.start()
        with ThreadPoolExecutor(1) as thread:
            with changing(database) as commit:
                locked = select(players.c.id).where(players.c.id == ADA).with_for_update()
                commit.connection.execute(locked)
                begun = thread.submit(asyncio.run, begin(writer))
                waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
                while not commit.connection.scalar(waiting):
                    assert not begun.done()
                remove_player(commit, ADA, 7)
            assert begun.result().player == ADA
        with database.reading() as connection:
            assert connection.execute(select(players.c.created)).scalars().all() == [9]
            assert len(connection.execute(select(games)).all()) == 1
