"""Games in the store: what of a deal is open, moves of many games in one commit, and who loses by time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import IllegalMove
from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.problems import NotFound, Problem
from tentimes18.server.store.database import Database
from tentimes18.server.store.games import (
    COMING_MS,
    MOVING_MS,
    DuelState,
    Ending,
    GameState,
    MoveToMake,
    NewGame,
    OpponentState,
    is_out_of_time,
    load_states,
    loser_by_time,
    make_moves,
    pack_deal,
    start_games,
    unpack_deal,
)
from tentimes18.server.store.writer import Commit

GAME = Game.parse("1d6", "1-3")
BEGUN, LATER = 1_000, 5_000


def duel(
    mine: int, theirs: int | None, bot: str | None = None, seat: int = 0, ended_by: Ending | None = None
) -> GameState:
    """A duel in which this many rolls are placed on both sides; None: the friend has not come."""
    slots = (1, 2, 3)
    return GameState(
        number=1,
        id="game",
        player="ada",
        kind="duel",
        coach="off",
        game=GAME,
        deal=draw_deal(GAME),
        deal_number=1,
        day=None,
        created=BEGUN,
        seat=seat,
        slots=slots[:mine],
        seen=tuple(range(mine)),
        duel=DuelState(1, "invite", bot, "seed", ended_by, None, BEGUN, LATER),
        opponent=None if theirs is None else OpponentState(2, "other", "bob", None, slots[:theirs]),
    )


@pytest.mark.parametrize(
    ("mine", "theirs", "opened", "shown"),
    [
        (0, 0, 1, 0),
        (1, 0, 1, 0),
        (0, 1, 1, 0),
        (1, 1, 2, 1),
        (2, 1, 2, 1),
        (1, 2, 2, 1),
        (0, None, 1, 0),
        (1, None, 1, 0),
    ],
)
def test_in_a_duel_a_roll_opens_when_both_have_placed(mine: int, theirs: int | None, opened: int, shown: int) -> None:
    state = duel(mine, theirs)
    assert state.opened == opened
    assert state.opponent_board.rounds == shown
    given_up = duel(mine, theirs, ended_by="time")
    assert given_up.is_over
    assert (given_up.opened, given_up.opponent_board.rounds) == (3, theirs or 0)


@given(st.sampled_from(["3d6", "1d20", "1d6-3", "d{1,1,2,3,5,8}"]), st.integers(1, 12))
def test_deals_are_kept_as_they_are(dice: str, slots: int) -> None:
    game = Game.parse(dice, f"1-{slots}" if slots > 1 else "1")
    deal = draw_deal(game)
    columns = pack_deal(game, deal)
    assert unpack_deal(columns["rolls"], columns["nonces"]) == deal
    assert Game.parse(columns["dice"], columns["slots"]) == game


def test_nothing_secret_is_printed() -> None:
    state = duel(1, 2)
    text = repr(state)
    assert not any(nonce in text for nonce in state.deal.nonces)
    assert "seed" not in text.replace("seed=", "")
    assert "(1, 2)" not in text


def new(player: str) -> NewGame:
    return NewGame(new_id(), player, GAME, draw_deal(GAME), "off", True, 7)


def started(database: Database, *players: str) -> list[GameState]:
    with database.writing() as connection:
        return list(start_games(Commit(connection), [new(player) for player in players]))


def moved(database: Database, *moves: MoveToMake) -> list[GameState | Exception]:
    with database.writing() as connection:
        return list(make_moves(Commit(connection), moves))


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
    kinds = [GameState, GameState, GameState, Problem, IllegalMove, GameState, NotFound, NotFound, GameState, Problem]
    assert [type(answer) for answer in answers] == kinds
    with database.reading() as connection:
        kept = load_states(connection, [one.id, two.id])
    assert (kept[one.id].slots, kept[one.id].finished) == ((3, 1, 2), 12)
    assert (kept[two.id].slots, kept[two.id].finished) == ((1,), None)
    assert answers[8] == kept[one.id]


@pytest.mark.parametrize(
    ("state", "loser"),
    [
        (duel(2, 1), 1),
        (duel(1, 2), 0),
        (duel(1, 2, seat=1), 1),
        (duel(2, 1, seat=1), 0),
        (duel(0, 1), 0),
        (duel(1, 1), None),  # both owe the next one
        (duel(0, 0), None),
        (duel(1, 1, bot="optimal"), 0),
    ],
)
def test_who_owes_a_move_for_72_hours_loses(state: GameState, loser: int | None) -> None:
    assert MOVING_MS == 72 * 3600 * 1000
    assert not is_out_of_time(state, LATER + MOVING_MS - 1)
    assert is_out_of_time(state, LATER + MOVING_MS)
    assert loser_by_time(state) == loser


def test_what_is_over_or_no_duel_does_not_end() -> None:
    never = LATER + COMING_MS + MOVING_MS
    assert not is_out_of_time(duel(3, 3), never)
    assert not is_out_of_time(duel(1, 2, ended_by="leave"), never)
    alone = GameState(1, "game", "ada", "solo", "off", GAME, draw_deal(GAME), 1, None, BEGUN)
    assert not is_out_of_time(alone, never)
