"""Duels against an equilibrium: my chances position by position against a plain recursion over its mixed moves."""

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.duel.best_response import best_response, player_slots
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import Chances, DuelWindows, Pair, Stored
from tentimes18.duel.matrix_games import mixed_move
from tentimes18.duel.play_out import fill_against_equilibrium, find_saddles, list_matrices, new_saddles
from tentimes18.duel.slot_choice import ANY, HUNTER, Hunter
from tentimes18.game import Game, slots_of
from tentimes18.kernels.types import Slots
from tentimes18.solve.rule_slots import rule_slots, same_everywhere
from tentimes18.solve.rules import optimal_rule
from tests.support.duels import stored_half

GAMES = [("1d4", "1-3"), ("d{1,100}", "1-4"), ("d{-3,0,4}:0=3", "-2,0,1/2")]


def filled(table: Equilibrium, windows: DuelWindows, mine: Slots, hunter: Hunter) -> Chances:
    chances = Chances(np.full(windows.cells, np.nan), np.full(windows.cells, np.nan))
    chances.equity[0], chances.draw[0] = 0.5, 1.0
    for k in range(1, windows.game.size + 1):
        half = Stored(table.windows.of_size(k - 1), table.values)
        for pairs in np.array_split(np.ascontiguousarray(np.argwhere(windows.sizes[k] > 0)), 2):
            fill_against_equilibrium(mine, hunter, half, windows.moves, windows.layer(k), chances, pairs)
    return chances


def plain(
    table: Equilibrium, windows: DuelWindows, choose: Callable[[int, int, int, int], int]
) -> Callable[[int, int, int], float]:
    """My equity with choose(A, B, e, x), a slot from 0 or ANY."""

    @cache
    def at(A: int, B: int, e: int) -> float:
        if not A:
            return 0.5 if e == 0 else float(e > 0)
        total = 0.0
        for x, p in enumerate(windows.P):
            mine, others = [slot - 1 for slot in slots_of(A)], [slot - 1 for slot in slots_of(B)]
            leads = {(i, j): e + int(windows.shifts[i, x] - windows.shifts[j, x]) for i in mine for j in others}
            M = np.array(
                [[table._read(B ^ 1 << j, A ^ 1 << i, -leads[i, j]) for i in mine] for j in others], dtype=np.float64
            )
            move = np.empty(len(others))
            mixed_move(M, move)
            equities = {
                i: sum(q * at(A ^ 1 << i, B ^ 1 << j, leads[i, j]) for q, j in zip(move, others, strict=True))
                for i in mine
            }
            slot = choose(A, B, e, x)
            total += p * (equities[slot] if slot >= 0 else sum(equities.values()) / len(mine))
        return total

    return at


@pytest.mark.parametrize(("dice", "slots"), GAMES)
@pytest.mark.parametrize("player", ["rule", "random", "hunter"])
def test_every_position(dice: str, slots: str, player: str) -> None:
    game = Game.parse(dice, slots)
    table, windows = Equilibrium(game), DuelWindows(game, half=False)
    response = best_response(game, optimal_rule(game))
    _, nobody = player_slots(game, ANY, windows)
    rule = rule_slots(game, optimal_rule(game))

    def hunt(A: int, B: int, e: int, x: int) -> int:
        j = int(response.theirs[B, x])
        order = [int(i) for i in response.order[A, x] if i >= 0]
        found = {
            i: windows.read(
                response.values, A ^ 1 << i, B ^ 1 << j, e + int(windows.shifts[i, x] - windows.shifts[j, x])
            )
            for i in order
        }
        return next(i for i in order if found[i] > max(found.values()) - 1e-13)

    mine, hunter, choose = {
        "rule": (rule, nobody, lambda A, _B, _e, x: int(rule[A, x])),
        "random": (same_everywhere(game, ANY), nobody, lambda *_: ANY),
        "hunter": (same_everywhere(game, HUNTER), response.hunter, hunt),
    }[player]
    chances = filled(table, windows, mine, hunter)
    at = plain(table, windows, choose)
    for k in range(1, game.size + 1):
        for A in windows.sets[k].tolist():
            for B in windows.sets[k].tolist():
                pair = windows.ranks[A], windows.ranks[B]
                for e in range(windows.lows[k][pair], windows.lows[k][pair] + windows.sizes[k][pair]):
                    assert windows.read(chances.equity, A, B, e) == pytest.approx(at(A, B, e), rel=0, abs=1e-11)


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_saddles(k: int, size: int, seed: int) -> None:
    cells = np.random.default_rng(seed).integers(0, 5, (k, k, size + 2)) / 4
    found = new_saddles(size + 2)
    find_saddles(cells, size, found)
    for t in range(size):
        M = cells[:, :, t]
        assert found.maximin[t] == M.min(axis=1).max()
        assert found.minimax[t] == M.max(axis=0).min()
        assert found.column[t] == np.argmin(M.max(axis=0))


def test_matrices_of_a_pair_and_a_roll() -> None:
    windows = DuelWindows(Game.parse("1d4", "1-3"), half=True)
    values = np.arange(windows.cells) / windows.cells
    A, B, low, size = 0b011, 0b101, -4, 9
    cells = np.full((2, 2, size), np.nan)
    half = Stored(windows.of_size(1), values)
    list_matrices(windows.moves, 2, Pair(A, B, low, size), windows.ranks, half, cells)
    for (r, i), (c, j) in product(enumerate((0, 1)), enumerate((0, 2))):
        for t in range(size):
            e = low + t + int(windows.shifts[i, 2] - windows.shifts[j, 2])
            assert cells[r, c, t] == stored_half(windows, values, A ^ 1 << i, B ^ 1 << j, e)
