"""Players in the store, on both databases."""

from sqlalchemy import select

from tentimes18.server.identity import new_id
from tentimes18.server.store.games import NotFound, player_row
from tentimes18.server.store.players import (
    LinkToMake,
    LinkToUse,
    NameToKeep,
    PlayerFacts,
    digest_of,
    keep_players,
    lock_players,
    make_link,
    player_facts,
    rename,
    use_link,
)
from tentimes18.server.store.schema import links, players
from tests.support.stored import changing, opened_store, put_game

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
        keep_players(connection, [player_row(BOB, 9), player_row(ADA, 9)])
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
