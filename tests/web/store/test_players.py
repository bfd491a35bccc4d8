"""Players in the store: names, links, lists of own games, imported records, and deletion."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, func, select, text

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.store.games import (
    GameState,
    NewGame,
    NotFound,
    keep_players,
    load_states,
    lock_players,
    start_games,
)
from tentimes18.server.store.players import (
    ImportedRecords,
    LinkToMake,
    LinkToUse,
    NameToKeep,
    PlayerFacts,
    PlayerToRemove,
    RecordsToKeep,
    RecordToKeep,
    Wanted,
    digest_of,
    imported_records,
    keep_records,
    listed_games,
    make_link,
    next_games,
    own_scores,
    player_facts,
    remove_player,
    rename,
    use_link,
)
from tentimes18.server.store.schema import deals, duels, games, imports, links, metadata, moves, players
from tentimes18.server.store.writer import Writer
from tentimes18.server.views import game_view
from tests.support.postgres import Postgres
from tests.support.stored import ALL_SLOTS, changing, opened_store, put_deal, put_duel, put_game

ADA, BOB = new_id(), new_id()


def test_what_is_known_of_a_player(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        connection = commit.connection
        assert player_facts(connection, ADA) == PlayerFacts(None, None, 0, 0)
        assert rename(commit, [NameToKeep(ADA, "Ada", 5), NameToKeep(BOB, None, 6)]) == [None, None]
        put_game(connection, ADA, finished=7)
        put_game(connection, ADA)
        assert player_facts(connection, ADA) == PlayerFacts("Ada", 5, 2, 1)
        assert player_facts(connection, BOB) == PlayerFacts(None, 6, 0, 0)
        rename(commit, [NameToKeep(ADA, None, 9)])
        assert player_facts(connection, ADA) == PlayerFacts(None, 5, 2, 1)
        keep_players(connection, {BOB: 9, ADA: 9})
        lock_players(connection, {ADA, BOB, new_id()})
        assert {row.created for row in connection.execute(select(players))} == {5, 6}


def test_a_link_is_used_once_and_kept_as_a_digest(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        make_link(commit, [LinkToMake(ADA, "one", 0, 100), LinkToMake(ADA, "two", 1, 100), LinkToMake(BOB, "b", 1, 50)])
        kept = {row.digest: row.player for row in commit.connection.execute(select(links))}
        assert kept == {digest_of("two"): ADA, digest_of("b"): BOB}
        first, again, replaced, late, unknown = use_link(
            commit,
            [LinkToUse("two", 99), LinkToUse("two", 99), LinkToUse("one", 2), LinkToUse("b", 50), LinkToUse("", 2)],
        )
        assert first == ADA
        assert all(isinstance(answer, NotFound) for answer in (again, replaced, late, unknown))
        make_link(commit, [LinkToMake(ADA, "three", 60, 100)])  # and with it those go that have expired
        assert [row.player for row in commit.connection.execute(select(links))] == [ADA]


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
            found = listed_games(connection, ada, Wanted(), 9)
            assert [game.state.number for game in found] == expected
            assert [(game.loss, game.choices) for game in found[:2]] == [(None, None), (2.5, 8)]
            pages = []
            wanted = Wanted()
            while page := listed_games(connection, ada, wanted, 2):
                pages += [game.state.number for game in page]
                wanted = Wanted(before=page[-1].state.id)
            assert pages == expected
            for asked, numbers in (
                (Wanted(kind="duel"), [duel]),
                (Wanted(kind="solo"), expected[2:]),
                (Wanted(is_finished=True), [finished]),
                (Wanted(is_finished=False), [duel, *expected[2:]]),
                (Wanted(kind="daily", is_finished=False), []),
                (Wanted(before=found[0].state.id, kind="solo", is_finished=False), expected[2:]),
                (Wanted(before=new_id()), []),
            ):
                assert [game.state.number for game in listed_games(connection, ada, asked, 9)] == numbers
            before_anothers = Wanted(before=listed_games(connection, bob, Wanted(), 1)[0].state.id)
            assert listed_games(connection, ada, before_anothers, 9) == []


def test_the_scores_that_count(database_url: str) -> None:
    with opened_store(database_url) as database:
        with database.writing() as connection:
            ada = new_id()
            for score, columns in (
                (640.0, {}),
                (640.0, {"kind": "daily"}),
                (610.0, {"kind": "daily"}),
                (999.0, {"is_rated": False}),
            ):
                put_game(connection, ada, finished=1, score=score, **columns)
            put_game(connection, ada)
            put_game(connection, new_id(), finished=1, score=700.0)
        with database.reading() as connection:
            assert own_scores(connection, ada) == [(610.0, 1), (640.0, 2)]
            assert own_scores(connection, ada, "daily") == [(610.0, 1), (640.0, 1)]
            assert own_scores(connection, new_id()) == []


def test_games_come_in_the_order_in_which_they_were_begun(database_url: str) -> None:
    with opened_store(database_url) as database, changing(database) as commit:
        connection = commit.connection
        mine = [put_game(connection, ADA), put_game(connection, ADA, (1, 2))]
        put_game(connection, BOB)
        duel, theirs = put_duel(connection, [(ADA, (1,)), (BOB, (2, 3))])
        mine.append(duel)
        first = next_games(connection, ADA, 0, 2)
        assert [state.number for state in first] == mine[:2]
        assert [len(state.slots) for state in first] == [10, 2]
        (last,) = next_games(connection, ADA, mine[1], 2)
        assert (last.number, last.opponent and last.opponent.number) == (duel, theirs)
        assert next_games(connection, ADA, duel, 2) == []


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
    monkeypatch.setattr("tentimes18.server.store.players.MAX_RECORDS", 3)
    monkeypatch.setattr("tentimes18.server.store.players.MAX_BYTES", 10)
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


def rows(connection: Connection) -> dict[str, int]:
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in metadata.sorted_tables
    }


def state_of(connection: Connection, number: int) -> GameState:
    id_ = connection.execute(select(games.c.id).where(games.c.number == number)).scalar_one()
    return load_states(connection, [id_])[id_]


def removed(connection: Connection, player: str) -> bool:
    """Whether the id stands nowhere."""
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
            assert remove_player(commit, [PlayerToRemove(ADA, 7), PlayerToRemove(new_id(), 7)]) == [None, None]
            assert commit.changed == []
        with database.reading() as connection:
            assert rows(connection) == before
            assert removed(connection, ADA)
            assert not removed(connection, BOB)


def test_a_friend_keeps_the_game(database_url: str) -> None:
    with opened_store(database_url) as database:
        with changing(database) as commit:
            over = put_duel(commit.connection, [(BOB, ALL_SLOTS), (ADA, ALL_SLOTS)], ended_by="moves")
            going_on = put_duel(commit.connection, [(ADA, (1, 2)), (BOB, (3, 4, 5))])
            friends = [state_of(commit.connection, over[0]), state_of(commit.connection, going_on[1])]
        with changing(database) as commit:
            remove_player(commit, [PlayerToRemove(ADA, 7)])
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
            remove_player(commit, [PlayerToRemove(BOB, 8)])
        with database.reading() as connection:
            for table in (deals, duels, games, moves, players):
                assert connection.execute(select(table)).all() == []


def test_a_game_that_is_begun_while_its_player_goes(postgres: Postgres) -> None:
    """It waits for whoever removes the player, finds nobody, and is begun anew by one who is new."""

    async def begin(writer: Writer) -> GameState:
        game = Game.classic()
        return await writer.do(start_games, NewGame(new_id(), ADA, game, draw_deal(game), "off", True, 9))

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
                remove_player(commit, [PlayerToRemove(ADA, 7)])
            assert begun.result().player == ADA
        writer.close()
        with database.reading() as connection:
            assert connection.execute(select(players.c.created)).scalars().all() == [9]
            assert len(connection.execute(select(games)).all()) == 1
