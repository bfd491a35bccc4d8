"""Lists of own games: a page at a time, nobody else's, and the scores that count."""

from tentimes18.server.identity import new_id
from tentimes18.server.store.history import Wanted, listed_games, own_scores
from tests.support.stored import opened_store, put_duel, put_game


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
