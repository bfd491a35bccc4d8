"""Duels played: the slots and scores of two players, against the same played step by step in Python."""

from typing import Any

import numpy as np
import pytest

from tentimes18.duel.best_response import Response, best_response
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import Standing
from tentimes18.duel.slot_choice import BY_EQUILIBRIUM, BY_RESPONSE, BY_RULE, DuelPlayers, choose_response, play_duel
from tentimes18.game import Game, slots_of
from tentimes18.solve.rule_slots import rule_slots
from tentimes18.solve.rules import optimal_rule
from tentimes18.strategies.rules import greedy

GAME = Game.parse("1d4", "1-3")
KINDS = {"rule": BY_RULE, "hunter": BY_RESPONSE, "equilibrium": BY_EQUILIBRIUM}


@pytest.fixture(scope="module")
def table() -> Equilibrium:
    return Equilibrium(GAME)


@pytest.fixture(scope="module")
def response() -> Response:
    return best_response(GAME, optimal_rule(GAME))


def lead_of(windows: Any, free: int, other: int, e: int) -> Any:
    """The lead in points of one in units."""
    mine, theirs = GAME.all_free ^ free, GAME.all_free ^ other
    return windows.lattice.low(mine) - windows.lattice.low(theirs) + windows.lattice.unit * e


def test_slots_of_the_response(response: Response) -> None:
    """As `Response.choose`, at all positions that two rolls lead to."""
    windows, hunter = response.windows, response.hunter
    for i in range(3):
        for j in range(3):
            for x in range(4):
                A, B = 0b111 ^ 1 << i, 0b111 ^ 1 << j
                e = int(windows.shifts[i, x] - windows.shifts[j, x])
                lead = lead_of(windows, A, B, e)
                for y, roll in enumerate(GAME.dice.support):
                    found = choose_response(hunter, windows.shifts, Standing(A, B, 2, e), y)
                    assert found + 1 == response.choose(A, B, lead, roll)


@pytest.mark.parametrize("start", ["empty boards", "a position", "a move that is given"])
@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_games(start: str, first: str, second: str, table: Equilibrium, response: Response) -> None:
    """From empty boards, and with 3 in slot 2 against 3 in slot 1: two rounds are left."""
    windows, games = response.windows, 200
    made = [0, 0] if start == "empty boards" else [int(windows.shifts[1, 2]), int(windows.shifts[0, 2])]
    sets = (0b111, 0b111) if start == "empty boards" else (0b101, 0b110)
    rounds, given = sets[0].bit_count(), 2 if start == "a move that is given" else -1
    generator = np.random.default_rng(18)
    rolls = generator.integers(0, 4, (rounds, games)).astype(np.uint8)
    chances = generator.random((2 * rounds, games))
    rules = rule_slots(GAME, optimal_rule(GAME)), rule_slots(GAME, greedy(GAME))
    players = DuelPlayers((KINDS[first], KINDS[second]), rules, response.hunter, table.windows.table(table.values))
    scores = np.empty((2, games), dtype=np.int32)
    scores.T[:] = made
    at = Standing(*sets, rounds, made[0] - made[1])
    play_duel(players, windows.shifts, at, given, rolls, chances, scores)

    def slot(kind: str, which: int, free: int, other: int, e: int, x: int, chance: float) -> int:
        roll, lead = GAME.dice.support[x], lead_of(windows, free, other, e)
        if kind == "rule":
            return int(rules[which][free, x])
        if kind == "hunter":
            return response.choose(free, other, lead, roll) - 1
        moves = table.moves(free, other, lead, roll)
        for found, share in moves.items():
            chance -= share
            if chance < 0:
                return found - 1
        return max(moves) - 1

    for g in range(games):
        A, B = sets
        sums = made
        for r in range(rounds):
            x, e = int(rolls[r, g]), sums[0] - sums[1]
            i = slot(first, 0, A, B, e, x, chances[2 * r, g]) if r or given < 0 else given
            j = slot(second, 1, B, A, -e, x, chances[2 * r + 1, g])
            assert i + 1 in slots_of(A)
            sums = [sums[0] + int(windows.shifts[i, x]), sums[1] + int(windows.shifts[j, x])]
            A, B = A ^ 1 << i, B ^ 1 << j
        assert scores[:, g].tolist() == sums
