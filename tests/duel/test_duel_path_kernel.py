"""Duels followed from the start: positions, their chances and the laws of points, step by step."""

import numpy as np
import pytest

from tentimes18.duel.best_response import best_response, player_slots
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import DuelWindows, Standing
from tentimes18.duel.play_out import Laws, LayerChances, add_moves, follow_equilibrium, follow_response
from tentimes18.duel.slot_choice import ANY, OpponentSlots, choose_response
from tentimes18.game import Game
from tentimes18.kernels.types import Moves
from tentimes18.solve.rule_slots import rule_slots
from tentimes18.solve.rules import optimal_rule

GAME = Game.parse("1d4", "1-3")


def test_moves_of_a_response() -> None:
    """An open position and a decided one: slots, and the key of what comes after."""
    response = best_response(GAME, optimal_rule(GAME))
    windows, hunter = response.windows, response.hunter
    positions = np.array([(windows.cells - 1, 0b111, 0b111, 0), (-1 - 0b111, 0b111, 0b111, 99)])
    slots, after = np.empty((2, 4), dtype=np.int8), np.empty((2, 4), dtype=np.int64)
    follow_response(hunter, windows.shifts, windows.layer(3), positions, slots, after)
    offsets, lows, sizes = windows.of_size(2)
    for x in range(4):
        i, j = int(slots[0, x]), int(response.theirs[0b111, x])
        assert i == choose_response(hunter, windows.shifts, Standing(0b111, 0b111, 3, 0), x)
        A, B, e = 0b111 ^ 1 << i, 0b111 ^ 1 << j, int(windows.shifts[i, x] - windows.shifts[j, x])
        pair = windows.ranks[A], windows.ranks[B]
        t = e - lows[pair]
        assert after[0, x] == (offsets[pair] + t if 0 <= t < sizes[pair] else -1 - A)
        assert slots[1, x] == response.order[0b111, x, 0]
        assert after[1, x] == -1 - (0b111 ^ 1 << int(slots[1, x]))


def test_laws_of_points() -> None:
    moves = Moves(np.array([0.25, 0.75]), np.array([[0, 1], [0, 2]]))
    smaller = Laws(np.array([0, 1, 3]), np.array([1.0, 0.5, 0.5]))
    larger = Laws(np.array([0, 4, 7]), np.full(7, np.nan))
    slots, after = np.array([[0, 1], [1, 0]], dtype=np.int8), np.array([[0, 1], [1, 0]])
    add_moves(moves, slots, after, smaller, larger)
    # Position 0: roll 0 stays at 0 with the first law, roll 1 moves the second law by 2.
    assert larger.weights.tolist() == [0.25, 0, 0.375, 0.375, 0.125, 0.125 + 0.75, 0]


@pytest.mark.parametrize("opponent", ["itself", "random", "rule", "hunter"])
def test_chances_of_a_round(opponent: str) -> None:
    """Nothing is lost: what is still open, won and lost adds up, and what remains at the end is the draw."""
    table = Equilibrium(GAME)
    windows = DuelWindows(GAME, half=False)
    rule = rule_slots(GAME, optimal_rule(GAME))
    response = best_response(GAME, optimal_rule(GAME))
    player = {"itself": ANY, "random": ANY, "rule": optimal_rule(GAME), "hunter": response}[opponent]
    slots, hunter = player_slots(GAME, player, windows)  # type: ignore[arg-type]
    theirs = OpponentSlots(slots[:0] if opponent == "itself" else slots, hunter)
    here = LayerChances(np.ones((1, 1), dtype=np.bool_), np.ones(1))
    won = lost = 0.0
    for k in (3, 2, 1):
        sizes = windows.sizes[k - 1]
        after = LayerChances(np.zeros(sizes.shape, dtype=np.bool_), np.zeros(int(sizes.sum())))
        found = follow_equilibrium(
            table.windows.table(table.values), windows.moves, windows.layer(k), rule, theirs, here, after
        )
        before, left = here.chances.sum(), after.chances.sum()
        assert found.positions == np.count_nonzero(here.chances)
        assert 0 <= found.mixed <= before + 1e-15
        assert 0 <= found.departed <= before + 1e-15
        assert found.still_open == pytest.approx(left, abs=1e-15)
        assert left + found.won + found.lost == pytest.approx(before, abs=1e-14)
        offsets = windows.offsets[k - 1] - windows.offsets[k - 1][0, 0]
        for pair in np.ndindex(sizes.shape):
            assert after.reached[pair] == after.chances[offsets[pair] : offsets[pair] + sizes[pair]].any()
        won, lost, here = won + found.won, lost + found.lost, after
    wanted = {
        "itself": (0.5, None),
        "random": (1 - table.against(at_random=True).equity, table.against(at_random=True).draw),
        "rule": (1 - table.against(optimal_rule(GAME)).equity, table.against(optimal_rule(GAME)).draw),
        "hunter": (1 - table.against(response).equity, table.against(response).draw),
    }[opponent]
    assert won + left / 2 == pytest.approx(wanted[0], abs=1e-12)
    if wanted[1] is not None:
        assert left == pytest.approx(wanted[1], abs=1e-12)
