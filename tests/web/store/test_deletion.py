"""Players removed: nothing of them is left, and friends keep their games."""

from sqlalchemy import Connection, func, select

from tentimes18.web.identity import new_id
from tentimes18.web.store.deletion import PlayerToRemove, remove_player
from tentimes18.web.store.schema import deals, duels, games, metadata, moves, players
from tentimes18.web.store.states import GameState, load_states
from tentimes18.web.views import game_view
from tests.support.stored import ALL_SLOTS, changing, opened_store, put_deal, put_duel, put_game

ADA, BOB = new_id(), new_id()


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
            assert sorted(commit.changed) == sorted(friend.id for friend in friends)
        with database.reading() as connection:
            assert removed(connection, ADA)
            finished, left = state_of(connection, over[0]), state_of(connection, going_on[1])
            views = [game_view(finished), game_view(left)]
            assert [view["opponent"]["name"] for view in views] == ["someone", "someone"]
            assert finished.board == friends[0].board
            assert finished.opponent is not None
            assert finished.opponent.slots == ALL_SLOTS
            assert (left.duel and left.duel.ended_by, left.duel and left.duel.loser) == ("leave", 0)
            assert (views[1]["finished"], views[1]["result"]) == (True, "win")
            seats = connection.execute(select(games.c.finished, games.c.score).where(games.c.number.in_(going_on)))
            assert {row.finished for row in seats} == {7}
            score = connection.execute(select(games.c.score).where(games.c.number == going_on[1])).scalar_one()
            assert score == float(left.board.score)
        with changing(database) as commit:  # with the second one they go as a whole
            remove_player(commit, [PlayerToRemove(BOB, 8)])
        with database.reading() as connection:
            for table in (deals, duels, games, moves, players):
                assert connection.execute(select(table)).all() == []
