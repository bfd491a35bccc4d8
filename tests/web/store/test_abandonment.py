"""Who loses a duel that nobody goes on with."""

import pytest

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.store.abandonment import COMING_MS, MOVING_MS, TimeOut, ending_by_time
from tentimes18.server.store.states import DuelState, GameState, OpponentState

GAME = Game.parse("1d6", "1-3")
BEGUN, LATER = 1_000, 5_000


def duel(
    mine: int, theirs: int | None, bot: str | None = None, seat: int = 0, ended_by: str | None = None
) -> GameState:
    """A duel in which so many rolls are placed on both sides; None: the friend has not come."""
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
        seen=(0,) * mine,
        duel=DuelState(1, "invite", bot, "00", ended_by, None, BEGUN, LATER),
        opponent=None if theirs is None else OpponentState(2, "other", "bob", None, slots[:theirs]),
    )


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
    assert ending_by_time(state, LATER + MOVING_MS - 1) is None
    assert ending_by_time(state, LATER + MOVING_MS) == TimeOut(loser)


@pytest.mark.parametrize("placed", [0, 1])
def test_a_friend_who_does_not_come_within_seven_days(placed: int) -> None:
    state = duel(placed, None)
    assert COMING_MS == 7 * 24 * 3600 * 1000
    assert ending_by_time(state, BEGUN + COMING_MS - 1) is None
    assert ending_by_time(state, BEGUN + COMING_MS) == TimeOut(None)


def test_what_is_over_or_no_duel_does_not_end() -> None:
    never = LATER + COMING_MS + MOVING_MS
    assert ending_by_time(duel(3, 3), never) is None
    assert ending_by_time(duel(1, 2, ended_by="leave"), never) is None
    alone = GameState(1, "game", "ada", "solo", "off", GAME, draw_deal(GAME), 1, None, BEGUN)
    assert ending_by_time(alone, never) is None
