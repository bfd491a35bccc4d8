"""Games as the store holds them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.store.states import DuelState, GameState, OpponentState, pack_deal, unpack_deal

GAME = Game.parse("1d6", "1-4")
SOLO = GameState(1, "A" * 22, "P" * 22, "solo", "off", GAME, draw_deal(GAME), 1, None, 0)
DUEL = replace(
    SOLO,
    kind="duel",
    duel=DuelState(1, "I" * 22, None, "seed"),
    opponent=OpponentState(2, "B" * 22, "Q" * 22, "Bob", ()),
)


def duel(mine: tuple[int, ...], theirs: tuple[int, ...]) -> GameState:
    assert DUEL.opponent is not None
    return replace(DUEL, slots=mine, seen=tuple(range(len(mine))), opponent=replace(DUEL.opponent, slots=theirs))


@pytest.mark.parametrize("placed", range(5))
def test_alone_a_roll_opens_with_the_move_before_it(placed: int) -> None:
    state = replace(SOLO, slots=tuple(range(1, placed + 1)))
    assert state.opened == min(4, placed + 1)
    assert state.is_over == (placed == 4)


@pytest.mark.parametrize(
    ("mine", "theirs", "opened", "shown"),
    [
        ((), (), 1, 0),
        ((1,), (), 1, 0),
        ((), (1,), 1, 0),
        ((1,), (2,), 2, 1),
        ((1, 2), (2,), 2, 1),
        ((1,), (2, 3), 2, 1),
    ],
)
def test_in_a_duel_a_roll_opens_when_both_have_placed(
    mine: tuple[int, ...], theirs: tuple[int, ...], opened: int, shown: int
) -> None:
    state = duel(mine, theirs)
    assert state.opened == opened
    assert state.opponent_board.rounds == shown


def test_before_the_friend_has_come_one_roll_is_open() -> None:
    assert replace(DUEL, opponent=None).opened == 1
    assert replace(DUEL, opponent=None, slots=(1,)).opened == 1


def test_a_duel_that_was_given_up_is_open() -> None:
    state = duel((1, 2), (2,))
    assert state.duel is not None
    over = replace(state, duel=replace(state.duel, ended_by="time", loser=1))
    assert over.is_over
    assert over.opened == 4
    assert over.opponent_board.rounds == 1


def test_the_game_as_it_was() -> None:
    state = replace(duel((1, 2, 3, 4), (4, 3, 2, 1)), seen=(0, 2, 2, 4))
    first, second = state.after(1), state.after(2)
    assert (first.slots, first.both_placed, first.opened) == ((1,), 0, 1)
    assert (second.slots, second.both_placed, second.opened) == ((1, 2), 2, 3)


@given(st.sampled_from(["3d6", "1d20", "1d6-3", "d{1,1,2,3,5,8}"]), st.integers(1, 12))
def test_deals_are_kept_as_they_are(dice: str, slots: int) -> None:
    game = Game.parse(dice, f"1-{slots}" if slots > 1 else "1")
    deal = draw_deal(game)
    columns = pack_deal(game, deal)
    assert unpack_deal(columns["rolls"], columns["nonces"]) == deal
    assert Game.parse(columns["dice"], columns["slots"]) == game


def test_nothing_secret_is_printed() -> None:
    state = duel((1,), (2, 3))
    text = repr(state)
    assert not any(nonce in text for nonce in state.deal.nonces)
    assert "seed" not in text.replace("seed=", "")
    assert "(2, 3)" not in text
