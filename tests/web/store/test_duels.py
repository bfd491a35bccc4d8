"""Duels in the store: their seats, who may join, moves of both in one commit, and how time ends them."""

from typing import Any

import pytest
from sqlalchemy import select

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.store.database import Database
from tentimes18.server.store.duels import (
    DuelToJoin,
    EndByTime,
    NewDuel,
    end_by_time,
    join_duel,
    overdue_games,
    start_duel,
)
from tentimes18.server.store.games import (
    MOVING_MS,
    GameState,
    MoveToMake,
    NeedsBot,
    NotDue,
    load_states,
    make_moves,
)
from tentimes18.server.store.schema import games
from tentimes18.server.store.writer import Change, Commit
from tentimes18.server.views import game_view

GAME = Game.parse("1d6", "1-3")
START = 1_000


def new(player: str, bot: str | None = None, created: int = START) -> NewDuel:
    bot_game = None if bot is None else new_id()
    invite = new_id() if bot is None else None
    return NewDuel(new_id(), player, GAME, draw_deal(GAME), "0" * 32, created, bot, bot_game, invite)


def done(database: Database, change: Change[Any, Any], *requests: Any) -> tuple[list[Any], list[str]]:
    """The answers, and the ids of the games that were told to have changed."""
    with database.writing() as connection:
        commit = Commit(connection)
        return list(change(commit, requests)), commit.changed


def kept(database: Database, *ids: str) -> list[GameState]:
    with database.reading() as connection:
        states = load_states(connection, ids)
    return [states[id_] for id_ in ids]


def seated(database: Database, created: int = START) -> tuple[GameState, GameState]:
    """A duel of ada and bob."""
    wanted = new(new_id(), created=created)
    (ada,), _ = done(database, start_duel, wanted)
    (bob,), changed = done(database, join_duel, DuelToJoin(str(wanted.invite), new_id(), new_id(), created))
    assert changed == [ada.id, bob.id]
    return kept(database, ada.id)[0], bob


def move(state: GameState, round_: int, slot: int, made: int = START, bot_slot: int | None = None) -> MoveToMake:
    assert state.player is not None
    return MoveToMake(state.id, state.player, round_, slot, made, bot_slot)


def test_both_sides_move_in_one_commit(database: Database) -> None:
    ada, bob = seated(database)
    answers, changed = done(
        database,
        make_moves,
        move(ada, 1, 1),
        move(ada, 2, 2),  # not open yet
        move(bob, 1, 3),
        move(ada, 2, 2),
        move(bob, 2, 2),
        move(bob, 3, 1),
        move(ada, 3, 3, made=9_000),
        move(ada, 1, 1),  # again
    )
    assert [type(answer) for answer in answers] == [GameState, NotDue, *[GameState] * 6]
    assert game_view(answers[0]) == game_view(answers[7])
    assert changed[:2] == [ada.id, bob.id]
    mine, theirs = kept(database, ada.id, bob.id)
    assert (mine.slots, theirs.slots) == ((1, 2, 3), (3, 2, 1))
    assert (mine.seen, theirs.seen) == ((0, 1, 3), (1, 2, 2))
    assert mine.finished == theirs.finished == 9_000
    assert mine.duel is not None
    assert (mine.duel.ended_by, mine.duel.loser, mine.duel.changed) == ("moves", None, 9_000)


def test_a_move_before_the_friend_has_come_keeps_its_answer(database: Database) -> None:
    wanted = new(new_id())
    (ada,), _ = done(database, start_duel, wanted)
    (first,), _ = done(database, make_moves, move(ada, 1, 1))
    assert first.opponent is None
    done(database, join_duel, DuelToJoin(str(wanted.invite), new_id(), new_id(), 2_000))
    (again,), _ = done(database, make_moves, move(ada, 1, 1))
    assert (again.opponent, again.slots) == (None, first.slots)


def test_a_bot_is_asked_for_what_can_be_made(database: Database) -> None:
    (ada,), _ = done(database, start_duel, new(new_id(), bot="optimal"))
    answers, changed = done(database, make_moves, move(ada, 2, 1), move(ada, 1, 1))
    assert [type(answer) for answer in answers] == [NotDue, NeedsBot]
    assert (answers[1].state, changed) == (ada, [])
    (moved,), _ = done(database, make_moves, move(ada, 1, 1, bot_slot=2))
    assert (moved.slots, moved.opponent.slots, moved.opened) == ((1,), (2,), 2)
    # Whoever asks again has no bot choose: what is made stands.
    (again,), _ = done(database, make_moves, move(ada, 1, 1))
    assert again == moved


@pytest.mark.parametrize(("moves", "loser"), [((0, 0), None), ((1, 0), 1), ((1, 2), 0), ((2, 2), None)])
def test_time_ends_a_duel_once(database: Database, moves: tuple[int, int], loser: int | None) -> None:
    pair = seated(database)
    for round_ in range(1, max(moves) + 1):
        done(database, make_moves, *(move(s, round_, round_) for s, n in zip(pair, moves, strict=True) if round_ <= n))
    over = START + MOVING_MS
    with database.reading() as connection:
        assert overdue_games(connection, over - 1) == []
        overdue = overdue_games(connection, over)
    assert overdue == [pair[0].id]
    assert done(database, end_by_time, EndByTime(overdue, over - 1)) == ([0], [])
    late = move(pair[0], moves[0] + 1, 3, made=over)
    assert isinstance(done(database, make_moves, late)[0][0], NotDue)
    assert done(database, end_by_time, EndByTime(overdue, over), EndByTime([pair[1].id], over)) == (
        [1, 0],
        [pair[0].id, pair[1].id],
    )
    for state in kept(database, pair[0].id, pair[1].id):
        assert state.duel is not None
        assert (state.duel.ended_by, state.duel.loser, state.is_over, state.finished) == ("time", loser, True, over)
        assert state.opened == GAME.size
        with database.reading() as connection:
            score = connection.execute(select(games.c.score).where(games.c.id == state.id)).scalar_one()
        assert score == state.board.score, "also what the other one has not seen"
    with database.reading() as connection:
        assert overdue_games(connection, 2 * over) == []
