"""The positions of a duel: which leads are open, which can come about, and how large the tables are."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.duel import lead_windows
from tentimes18.duel.best_response import best_response, fixed_duel
from tentimes18.duel.equilibrium import DrawOdds, solve_equilibrium
from tentimes18.duel.lead_windows import (
    DuelWindows,
    Outcome,
    open_positions,
)
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Board, Game, Number, Position, mask_of
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import greedy, nearest
from tests.oracle.duel import reachable
from tests.support.duels import IMPOSSIBLE, TOO_LARGE
from tests.support.games import games, law_of
from tests.support.solved import boards


@pytest.mark.parametrize(
    ("lead", "message"),
    [
        (3, "lead: 3 cannot occur with these slots filled; the nearest that can are 2 and 5"),
        (4, "lead: 4 cannot occur with these slots filled; the nearest that can are 2 and 5"),
        (Fraction(3, 2), "lead: 3/2 cannot occur with these slots filled; the nearest that can are 1 and 2"),
        (0, "lead: 0 cannot occur with these slots filled; leads go from 1 to 5"),
        (6, "lead: 6 cannot occur with these slots filled; leads go from 1 to 5"),
    ],
)
def test_a_lead_that_no_rolls_make(lead: Number, message: str) -> None:
    """Dice with gaps: with slot 3 filled against slot 2 the lead is the roll, 1, 2 or 5."""
    game = Game.parse("d{1,2,5}", "1-3")
    found = best_response(game, optimal_rule(game))
    with pytest.raises(InvalidGame) as refused:
        found.at(0b011, 0b101, lead)
    assert str(refused.value) == message


@pytest.mark.parametrize(("mine", "theirs", "lead", "word"), IMPOSSIBLE)
def test_positions_that_cannot_be(mine: list[int], theirs: list[int], lead: Number, word: str) -> None:
    with pytest.raises(InvalidGame, match=f"^{word}"):
        DuelWindows(Game.parse("1d6", "1-3"), half=False).index(mask_of(mine), mask_of(theirs), lead)


@settings(max_examples=8)
@given(game=games(max_slots=4, max_rolls=3))
def test_the_leads_that_come_about(game: Game) -> None:
    """Those of the reference computation, and no others on the lattice or between its points."""
    windows = DuelWindows(game, half=False)
    unit = windows.lattice.unit
    for (mine, theirs), leads in reachable(law_of(game.dice), game.multipliers).items():
        if not mine:
            continue
        accepted = set()
        steps = int((max(leads) - min(leads)) / unit) * 2
        for lead in (min(leads) + unit * Fraction(step, 2) for step in range(-3, steps + 4)):
            try:
                windows.index(mask_of(mine), mask_of(theirs), lead)
            except InvalidGame as error:
                assert str(error).startswith(f"lead: {lead} cannot occur")
                if "nearest" in str(error):
                    below, above = max(one for one in leads if one < lead), min(one for one in leads if one > lead)
                    assert str(error).endswith(f"are {below} and {above}")
                else:
                    assert not min(leads) <= lead <= max(leads)
            else:
                accepted.add(lead)
        assert accepted == leads


def test_leads_too_many_to_list_are_only_kept_in_range(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lead_windows, "MAX_LEAD_BITS", 0)
    monkeypatch.setattr(lead_windows, "_leads", lead_windows._leads.__wrapped__)  # other tests list these leads
    windows = DuelWindows(Game.parse("d{1,2,5}", "1-3"), half=False)
    assert windows.index(0b011, 0b101, 4) == windows.index(0b011, 0b101, 5) - 1
    for lead in (0, 6, Fraction(3, 2)):
        with pytest.raises(InvalidGame, match="leads go from 1 to 5"):
            windows.index(0b011, 0b101, lead)


@given(board=boards(min_free=1), data=st.data())
def test_the_lead_of_two_boards(board: Board, data: st.DataObject) -> None:
    """As it is found by searching all that can come about."""
    theirs = Board(board.game)
    for roll, _ in board.placements:
        theirs = theirs.place(roll, data.draw(st.sampled_from(theirs.free_slots)))
    windows, position = DuelWindows(board.game, half=False), Position(board, theirs)
    assert windows.lead_on(position) == windows.index(board.free, theirs.free, position.lead)


def test_boards_that_hold_other_rolls_are_rejected() -> None:
    game = Game.parse("1d6", "1-3")
    windows, board = DuelWindows(game, half=False), Board(game)
    mine = board.place(4, 3).place(2, 1)
    for theirs in (board, board.place(4, 3), board.place(4, 3).place(3, 1), board.place(2, 1).place(4, 3)):
        with pytest.raises(InvalidGame, match="opponent: the boards of a duel hold the same rolls"):
            windows.lead_on(Position(mine, theirs))
    with pytest.raises(InvalidGame, match="opponent: a duel has two boards"):
        windows.lead_on(Position(mine))
    other = Board(Game.parse("1d6", "1-4")).place(4, 3).place(2, 1)
    for position in (Position(mine, other), Position(other, mine)):
        with pytest.raises(InvalidGame, match="not for the game of the boards"):
            windows.lead_on(position)


@pytest.mark.parametrize(("equity", "draw"), [(0.5 - 1e-16, 1.0), (1.0 + 1e-15, 0.0), (0.3, 0.6 + 1e-16)])
def test_rounding_leaves_no_chance_outside_of_0_to_1(equity: float, draw: float) -> None:
    outcome = Outcome.of(equity, draw, 0.5)
    assert 0 <= outcome.win <= 1
    assert 0 <= outcome.loss <= 1
    assert outcome.equity == equity


@pytest.mark.parametrize(("dice", "slots"), TOO_LARGE)
def test_a_table_that_is_too_large_is_rejected_before_it_starts(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    for solve in (
        lambda: solve_equilibrium(game),
        lambda: best_response(game, nearest(game)),
        lambda: fixed_duel(game, nearest(game), greedy(game)),
        lambda: DrawOdds(game, 0.75),
    ):
        with pytest.raises(TooLarge, match=r"^slots: the table of the duel on [\d,]+ slots needs .* of memory"):
            solve()


@pytest.mark.parametrize(("dice", "slots"), [("1d6", "1-4"), ("3d6", "1-6"), ("d{1,4,16}", "1,2,5,14,-3")])
def test_the_number_of_open_positions(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    assert sum(open_positions(game)) == pytest.approx(DuelWindows(game, half=False).cells, rel=0.2)
