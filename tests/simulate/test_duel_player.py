"""Duels of compiled players against their tables, move by move."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, Ten18Error
from tentimes18.simulate.drawing import draw, drawn_fractions, drawn_rolls, key_of
from tentimes18.simulate.duel_player import duel_player
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.named import named
from tentimes18.strategies.solved import equilibrium, hunter
from tests.support.games import games


@settings(max_examples=25)
@given(game=games(max_slots=4, max_rolls=4), first=st.booleans(), other=st.sampled_from(["optimal", "nearest"]))
def test_the_hunter_plays_as_its_table_says(game: Game, first: bool, other: str) -> None:
    """Move by move from `Response.choose`, in decided duels as well, and on either side."""
    response, rule = hunter(game), named(other)
    run = Run(game, ("hunter", other) if first else (other, "hunter"), 18)
    scores = np.empty((2, 50), dtype=np.int32)
    duel_player(run)(0, draw(run, 0, 50), scores)
    lattice = lattice_of(game)
    for rolls, found in zip(drawn_rolls(run, 0, 50), scores.T.tolist(), strict=True):
        mine = theirs = Board(game)
        for roll in rolls:
            slot = response.choose(mine.free, theirs.free, mine.score - theirs.score, roll)
            mine, theirs = mine.place(roll, slot), theirs.place(roll, rule.choose(theirs, roll))
        boards = (mine, theirs) if first else (theirs, mine)
        assert [lattice.score(game.all_free, index) for index in found] == [board.score for board in boards]


@settings(max_examples=15)
@given(game=games(max_slots=3, max_rolls=3), first=st.booleans())
def test_the_equilibrium_plays_its_mixed_moves(game: Game, first: bool) -> None:
    """The slot that the number drawn for this round and side stands for, in the order of the slots."""
    table, rule, size = equilibrium(game), named("greedy"), 20
    run = Run(game, ("equilibrium", "greedy") if first else ("greedy", "equilibrium"), 18)
    scores = np.empty((2, size), dtype=np.int32)
    duel_player(run)(0, draw(run, 0, size), scores)
    chances = drawn_fractions(key_of(18, "mixed moves"), 0, 2 * game.size, size)[0 if first else 1 :: 2].T
    lattice = lattice_of(game)
    for rolls, numbers, found in zip(drawn_rolls(run, 0, size), chances, scores.T.tolist(), strict=True):
        mine = theirs = Board(game)
        for roll, number in zip(rolls, numbers, strict=True):
            moves = table.moves(mine.free, theirs.free, mine.score - theirs.score, roll)
            slots, shares = list(moves), np.cumsum(list(moves.values()))
            if np.abs(shares - number).min() < 1e-9:  # too close to tell the slots on both sides apart
                break
            slot = slots[min(int(np.searchsorted(shares, number, side="right")), len(slots) - 1)]
            mine, theirs = mine.place(roll, slot), theirs.place(roll, rule.choose(theirs, roll))
        else:
            boards = (mine, theirs) if first else (theirs, mine)
            assert [lattice.score(game.all_free, index) for index in found] == [board.score for board in boards]


@pytest.mark.parametrize("names", [("hunter",), ("hunter", "optimal", "greedy"), ("equilibrium",)])
def test_duels_are_for_two(names: tuple[str, ...]) -> None:
    with pytest.raises(Ten18Error, match=r"^strategies: hunter and equilibrium play duels of two"):
        duel_player(Run(Game.parse("1d6", "1-3"), names, 18))


@pytest.mark.parametrize("other", ["random", "hindsight", "target:20"])
def test_only_rules_play_against_those_who_look(other: str) -> None:
    with pytest.raises(Ten18Error, match=r"^strategy: against hunter and equilibrium only these play: optimal"):
        duel_player(Run(Game.parse("1d6", "1-3"), ("hunter", other), 18))


def test_made_once() -> None:
    run = Run(Game.parse("1d6", "1-3"), ("hunter", "equilibrium"), 18)
    assert duel_player(run) is duel_player(run)
    assert duel_player(run).nbytes > hunter(run.game).nbytes
