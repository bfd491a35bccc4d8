"""Duels in the store: their seats, who may join, moves of both in one commit, and how time ends them."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.server.identity import new_id
from tentimes18.server.problems import Problem
from tentimes18.server.store.database import Database
from tentimes18.server.store.duels import end_by_time, join_duel, overdue_games, start_duel
from tentimes18.server.store.games import MOVING_MS, GameState, MoveToMake, load_states, make_moves
from tentimes18.server.store.schema import games
from tentimes18.server.store.writer import Commit
from tentimes18.server.views import game_view

Choose = Callable[[GameState], int]
GAME = Game.parse("1d6", "1-3")
START = 1_000


def done(database: Database, change: Callable[..., Any], *arguments: Any) -> tuple[Any, list[str]]:
    """The answer, and the ids of the games that changed."""
    with database.writing() as connection:
        commit = Commit(connection)
        return change(commit, *arguments), commit.changed


def moved(database: Database, *moves: MoveToMake) -> tuple[list[Any], list[str]]:
    return done(database, make_moves, moves)


def kept(database: Database, *ids: str) -> list[GameState]:
    with database.reading() as connection:
        states = load_states(connection, ids)
    return [states[id_] for id_ in ids]


def begun(database: Database, bot: str | None = None) -> GameState:
    state: GameState = done(database, start_duel, new_id(), GAME, bot, START)[0]
    return state


def joined(database: Database, state: GameState, now: int = START) -> tuple[GameState, list[str]]:
    assert state.duel is not None
    return done(database, join_duel, str(state.duel.invite), new_id(), now)


def seated(database: Database) -> tuple[GameState, GameState]:
    """A duel of ada and bob."""
    ada = begun(database)
    bob, changed = joined(database, ada)
    assert changed == [ada.id, bob.id]
    return kept(database, ada.id)[0], bob


def move(state: GameState, round_: int, slot: int, made: int = START, bot: Choose | None = None) -> MoveToMake:
    assert state.player is not None
    return MoveToMake(state.id, state.player, round_, slot, made, bot)


def test_both_sides_move_in_one_commit(database: Database) -> None:
    ada, bob = seated(database)
    answers, changed = moved(
        database,
        move(ada, 1, 1),
        move(ada, 2, 2),  # not open yet
        move(bob, 1, 3),
        move(ada, 2, 2),
        move(bob, 2, 2),
        move(bob, 3, 1),
        move(ada, 3, 3, made=9_000),
        move(ada, 1, 1),  # again
    )
    assert [type(answer) for answer in answers] == [GameState, Problem, *[GameState] * 6]
    assert game_view(answers[0]) == game_view(answers[7])
    assert changed[:2] == [ada.id, bob.id]
    mine, theirs = kept(database, ada.id, bob.id)
    assert (mine.slots, theirs.slots) == ((1, 2, 3), (3, 2, 1))
    assert (mine.seen, theirs.seen) == ((0, 1, 3), (1, 2, 2))
    assert mine.finished == theirs.finished == 9_000
    assert mine.duel is not None
    assert (mine.duel.ended_by, mine.duel.loser, mine.duel.changed) == ("moves", None, 9_000)


def test_a_move_before_the_friend_has_come_keeps_its_answer(database: Database) -> None:
    ada = begun(database)
    (first,), _ = moved(database, move(ada, 1, 1))
    assert first.opponent is None
    joined(database, ada, 2_000)
    (again,), _ = moved(database, move(ada, 1, 1))
    assert (again.opponent, again.slots) == (None, first.slots)


def test_a_bot_chooses_once_for_a_move_that_can_be_made(database: Database) -> None:
    asked: list[GameState] = []

    def choose(state: GameState) -> int:
        asked.append(state)
        if len(asked) == 1:
            raise Ten18Error("not ready")
        return 2

    ada = begun(database, "optimal")
    for _ in range(2):
        answers, changed = moved(database, move(ada, 2, 1, bot=choose), move(ada, 1, 1, bot=choose))
        if len(asked) == 1:
            assert ([type(answer) for answer in answers], changed) == ([Problem, Ten18Error], [])
    assert asked == [ada, ada]
    after = answers[1]
    assert (after.slots, after.opponent.slots, after.opened) == ((1,), (2,), 2)
    assert moved(database, move(ada, 1, 1, bot=choose))[0] == [after]
    assert len(asked) == 2


@pytest.mark.parametrize(("moves", "loser"), [((0, 0), None), ((1, 0), 1), ((1, 2), 0), ((2, 2), None)])
def test_time_ends_a_duel_once(database: Database, moves: tuple[int, int], loser: int | None) -> None:
    pair = seated(database)
    for round_ in range(1, max(moves) + 1):
        moved(database, *(move(s, round_, round_) for s, n in zip(pair, moves, strict=True) if round_ <= n))
    over = START + MOVING_MS
    with database.reading() as connection:
        assert overdue_games(connection, over - 1) == []
        overdue = overdue_games(connection, over)
    assert overdue == [pair[0].id]
    assert done(database, end_by_time, overdue, over - 1) == (0, [])
    late = move(pair[0], moves[0] + 1, 3, made=over)
    assert isinstance(moved(database, late)[0][0], Problem)
    assert done(database, end_by_time, overdue, over) == (1, [pair[0].id, pair[1].id])
    assert done(database, end_by_time, [pair[1].id], over) == (0, [])
    for state in kept(database, pair[0].id, pair[1].id):
        assert state.duel is not None
        assert (state.duel.ended_by, state.duel.loser, state.is_over, state.finished) == ("time", loser, True, over)
        assert state.opened == GAME.size
        with database.reading() as connection:
            score = connection.execute(select(games.c.score).where(games.c.id == state.id)).scalar_one()
        assert score == state.board.score, "also what the other one has not seen"
    with database.reading() as connection:
        assert overdue_games(connection, 2 * over) == []
