"""A player's games, some at a time."""

from tentimes18.server.identity import new_id
from tentimes18.server.store.exports import next_games
from tests.support.stored import changing, opened_store, put_duel, put_game

ADA, BOB = new_id(), new_id()


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
