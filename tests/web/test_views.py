"""What a player may see: nothing that depends on a roll or a move that is not open."""

from dataclasses import replace

import pytest

from tentimes18.game import Game as Rules
from tentimes18.play.fairness import Deal, draw_deal
from tentimes18.records.notation import format_json, parse_json
from tentimes18.server.store.games import DuelState, GameState, OpponentState
from tentimes18.server.views import game_record, game_view, result_of

GAME = Rules.parse("1d6", "1-4")
SOLO = GameState(1, "A" * 22, "P" * 22, "solo", "off", 1, 0, 0, False, None, None, None, GAME, draw_deal(GAME))


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


@pytest.mark.parametrize(("dice", "count"), [("3d6", 3), ("2d12", 2), ("1d20", 1), ("4d6kh3", 3), ("2d6+3", 0)])
def test_the_dice_of_a_roll_are_the_same_for_all_who_play_it(dice: str, count: int) -> None:
    game = Rules.parse(dice, "1-4")
    deal = draw_deal(game)
    for played in range(5):
        mine = replace(SOLO, game=game, deal=deal, slots=tuple(range(1, played + 1)))
        theirs = replace(mine, id="B" * 22, player="Q" * 22, slots=tuple(range(4, 4 - played, -1)))
        shown, other = game_view(mine), game_view(theirs)
        assert shown.faces == other.faces
        assert len(shown.faces) == (count if played < 4 else 0)
        if shown.faces:
            assert sum(shown.faces) == shown.roll


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
