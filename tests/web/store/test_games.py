"""Moves of many games in one commit."""

from tentimes18.errors import IllegalMove
from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.store.database import Database
from tentimes18.server.store.games import MoveToMake, NewGame, NotDue, NotFound, make_moves, start_games
from tentimes18.server.store.states import GameState, load_states
from tentimes18.server.store.writer import Commit

GAME = Game.parse("1d6", "1-3")


def new(player: str) -> NewGame:
    return NewGame(new_id(), player, GAME, draw_deal(GAME), "off", True, 7)


def started(database: Database, *players: str) -> list[GameState]:
    with database.writing() as connection:
        return list(start_games(Commit(connection), [new(player) for player in players]))


def moved(database: Database, *moves: MoveToMake) -> list[GameState | Exception]:
    with database.writing() as connection:
        return list(make_moves(Commit(connection), moves))


def test_what_is_begun_is_what_is_kept(database: Database) -> None:
    ada, bob = new_id(), new_id()
    states = started(database, ada, bob, ada)
    with database.reading() as connection:
        kept = load_states(connection, [state.id for state in states])
    assert kept == {state.id: state for state in states}
    database.close()


def test_moves_of_one_commit_see_each_other(database: Database) -> None:
    ada, bob = new_id(), new_id()
    one, two = started(database, ada, bob)
    answers = moved(
        database,
        MoveToMake(one.id, ada, 1, 3, 10),
        MoveToMake(two.id, bob, 1, 1, 10),
        MoveToMake(one.id, ada, 1, 3, 11),  # again
        MoveToMake(one.id, ada, 1, 2, 11),  # another slot
        MoveToMake(one.id, ada, 2, 3, 11),  # taken
        MoveToMake(one.id, ada, 2, 1, 11),
        MoveToMake(one.id, bob, 3, 2, 12),  # not his
        MoveToMake(new_id(), ada, 1, 1, 12),
        MoveToMake(one.id, ada, 3, 2, 12),
        MoveToMake(one.id, ada, 4, 2, 12),  # over
    )
    kinds = [GameState, GameState, GameState, NotDue, IllegalMove, GameState, NotFound, NotFound, GameState, NotDue]
    assert [type(answer) for answer in answers] == kinds
    with database.reading() as connection:
        kept = load_states(connection, [one.id, two.id])
    assert (kept[one.id].slots, kept[one.id].finished) == ((3, 1, 2), 12)
    assert (kept[two.id].slots, kept[two.id].finished) == ((1,), None)
    assert answers[8] == kept[one.id]
    database.close()


def test_the_ids_of_changed_games_are_told(database: Database) -> None:
    ada = new_id()
    one, two = started(database, ada, ada)
    with database.writing() as connection:
        commit = Commit(connection)
        make_moves(commit, [MoveToMake(one.id, ada, 1, 3, 10), MoveToMake(two.id, ada, 2, 3, 10)])
    assert commit.changed == [one.id]
    database.close()
