"""What a player may see: nothing that depends on a roll or a move that is not open."""

from dataclasses import replace

import msgspec
import pytest

from tentimes18.game import Game as Rules
from tentimes18.play.fairness import Deal, draw_deal
from tentimes18.records.notation import format_json, parse_json
from tentimes18.server.names import Names
from tentimes18.server.store.games import DuelState, GameState, OpponentState
from tentimes18.server.views import Game, game_bytes, game_record, game_view, named, result_of

GAME = Rules.parse("1d6", "1-4")
SOLO = GameState(1, "A" * 22, "P" * 22, "solo", "off", GAME, draw_deal(GAME), 1, None, 0)


def duel(mine: tuple[int, ...], theirs: tuple[int, ...], bot: str | None = None) -> GameState:
    return replace(
        SOLO,
        kind="duel",
        slots=mine,
        seen=tuple(range(len(mine))),
        duel=DuelState(1, "I" * 22, bot, "seed"),
        opponent=OpponentState(2, "B" * 22, "Q" * 22, "Bob", theirs),
    )


def with_rolls(state: GameState, rolls: tuple[int, ...]) -> GameState:
    return replace(state, deal=Deal(rolls, state.deal.nonces))


STATES = [
    *(replace(SOLO, slots=tuple(range(1, placed + 1))) for placed in range(5)),
    *(
        duel((2, 1, 3)[:mine], (3, 4, 1)[:theirs])
        for mine in range(4)
        for theirs in range(4)
        if abs(mine - theirs) <= 1
    ),
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: f"{state.slots} {state.opponent and state.opponent.slots}")
def test_nothing_depends_on_rolls_that_are_not_open(state: GameState) -> None:
    shown = game_view(state)
    for roll in range(1, 7):
        other = with_rolls(state, state.deal.rolls[: state.opened] + (roll,) * (4 - state.opened))
        assert msgspec.structs.replace(game_view(other), commitments=shown.commitments) == shown
    text = msgspec.json.encode(shown).decode()
    assert [nonce in text for nonce in state.deal.nonces] == [True] * state.opened + [False] * (4 - state.opened)


def has_placed(state: GameState) -> bool:
    opponent = game_view(state).opponent
    return opponent is not None and opponent.placed


@pytest.mark.parametrize("mine", [(), (2,), (2, 1)])
def test_nothing_depends_on_a_move_that_is_not_open(mine: tuple[int, ...]) -> None:
    theirs = (3, 4)[: len(mine)]
    for waiting in (1, 2):
        assert game_bytes(duel(mine, (*theirs, waiting))) == game_bytes(duel(mine, (*theirs, 3 - waiting)))
    assert [has_placed(duel(mine, slots)) for slots in (theirs, (*theirs, 1))] == [False, True]


def test_a_view_is_the_game_of_the_reference() -> None:
    for state in STATES:
        assert msgspec.json.decode(game_bytes(state), type=Game) == game_view(state)


def test_how_a_duel_ends() -> None:
    state = with_rolls(duel((1, 2, 3, 4), (4, 3, 2, 1)), (1, 1, 6, 6))
    assert result_of(state) == "win"
    assert result_of(with_rolls(state, (6, 6, 1, 1))) == "loss"
    assert result_of(with_rolls(state, (3, 3, 3, 3))) == "draw"
    assert result_of(duel((1,), (2,))) is None
    assert result_of(SOLO) is None
    assert state.duel is not None
    given_up = replace(duel((1,), ()), duel=replace(state.duel, ended_by="time", loser=1))
    assert result_of(given_up) == "win"
    assert result_of(replace(given_up, seat=1)) == "loss"


def test_a_bot_has_always_chosen() -> None:
    opponent = game_view(duel((), (), "optimal")).opponent
    assert opponent is not None
    assert (opponent.placed, opponent.board) == (True, {})


@pytest.mark.parametrize("state", STATES, ids=lambda state: f"{state.slots} {state.opponent and state.opponent.slots}")
def test_a_record_holds_no_more_than_the_view(state: GameState) -> None:
    record = game_record(state, "Ada")
    shown = game_view(state)
    assert parse_json(format_json(record)) == record
    opened = [part.roll for part in shown.opened]
    rolls = [roll for roll, _ in record.board.placements] + ([] if record.roll is None else [record.roll])
    assert rolls == opened
    assert record.tags["nonces"] == [part.nonce for part in shown.opened]
    assert record.tags["commitments"] == shown.commitments
    assert {str(slot): roll for roll, slot in record.board.placements}.items() <= shown.board.items()
    if record.opponent is not None:
        assert shown.opponent is not None
        assert {str(slot): roll for roll, slot in record.opponent.placements} == shown.opponent.board
    assert (record.tags["id"], record.tags["name"], record.tags["aim"]) == (state.id, "Ada", "mean")


def test_the_record_of_a_duel_that_was_left() -> None:
    state = duel((2, 1), (3,))
    assert state.duel is not None
    left = replace(state, duel=replace(state.duel, ended_by="leave", loser=1), finished=1000)
    record = game_record(left, None)
    assert (record.board.rounds, record.opponent, record.roll) == (2, None, None)  # no move of one's own is left out
    assert record.tags["nonces"] == list(state.deal.nonces)
    equal = game_record(replace(left, slots=(2,), seen=(0,)), None)
    assert (equal.board.rounds, equal.opponent and equal.opponent.rounds) == (1, 1)
    assert (record.tags["against"], record.tags["ended_by"], record.tags["result"]) == ("Bob", "leave", "win")
    assert record.tags["date"] == "1970-01-01T00:00:01Z"
    assert "name" not in record.tags


def test_the_record_of_an_invite_that_nobody_took() -> None:
    record = game_record(replace(duel((), ()), opponent=None), None)
    assert (record.opponent, record.board.rounds, record.roll) == (None, 0, SOLO.deal.rolls[0])


def shown_name(state: GameState) -> str:
    opponent = game_view(state).opponent
    assert opponent is not None
    return opponent.name


def test_one_without_a_name_is_called_something_and_one_who_left_is_not() -> None:
    names = Names(b"x" * 32)
    state = duel((1,), (2,))
    assert state.opponent is not None
    assert shown_name(named(state, names)) == "Bob"
    nameless = replace(state, opponent=replace(state.opponent, name=None))
    assert shown_name(named(nameless, names)) == names.shown("Q" * 22, None)
    gone = replace(state, opponent=replace(state.opponent, name=None, player=None))
    assert shown_name(named(gone, names)) == "someone"
