"""Players of duels: move by move from their tables, against each other and beside others; and who their rival is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Position, mask_of
from tentimes18.simulate.drawing import draw, drawn_fractions, drawn_rolls, key_of
from tentimes18.simulate.players import (
    duel_player,
    has_seat,
    played_boards,
    players_of,
    rivals_of,
    seat_of,
    seat_player,
    verify_players,
)
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.named import named
from tentimes18.strategies.solved import equilibrium, hunter
from tentimes18.strategies.strategy import play_on
from tentimes18.strategies.user_code import find
from tests.support.games import games
from tests.support.simulated import MINE


def chosen(player: str, position: Position, roll: int, number: float) -> int | None:
    """The slot of a player of duels, by its table; None where the number is too close to a share to tell."""
    if player == "hunter":
        return hunter(position.board.game).choose_on(position, roll)
    moves = equilibrium(position.board.game).moves_on(position, roll)
    sums = np.cumsum(list(moves.values()))
    if np.abs(sums - number).min() < 1e-9:
        return None
    return list(moves)[min(int(np.searchsorted(sums, number, side="right")), len(moves) - 1)]


@pytest.mark.parametrize(("player", "other"), [("hunter", "optimal"), ("hunter", "nearest"), ("equilibrium", "greedy")])
@settings(max_examples=10)
@given(game=games(max_slots=3, max_rolls=3), first=st.booleans())
def test_two_play_as_their_tables_say(player: str, other: str, game: Game, first: bool) -> None:
    """Move by move, in decided duels as well, and on either side."""
    rule, size = named(other), 30
    run = Run(game, (player, other) if first else (other, player), 18)
    scores = np.empty((2, size), dtype=np.int32)
    duel_player(run)(0, draw(run, 0, size), scores)
    chances = drawn_fractions(key_of(18, "mixed moves"), 0, 2 * game.size, size)[0 if first else 1 :: 2].T
    lattice = lattice_of(game)
    for rolls, numbers, found in zip(drawn_rolls(run, 0, size), chances, scores.T.tolist(), strict=True):
        mine = theirs = Board(game)
        for roll, number in zip(rolls, numbers, strict=True):
            slot = chosen(player, Position(mine, theirs), roll, number)
            if slot is None:
                break
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


GAME = Game.parse("1d4", "1-4")


def rival_boards(run: Run, name: str, games: int) -> list[Board]:
    if name == "random":
        return list(played_boards(Run(run.game, ("random",), run.seed), 0, games))
    return [play_on(Board(run.game), run.find(name), rolls) for rolls in drawn_rolls(run, 0, games)]


@pytest.mark.parametrize("player", ["hunter", "equilibrium"])
@pytest.mark.parametrize("rival", ["optimal", "target:25", "random", "hindsight", MINE])
def test_move_by_move(player: str, rival: str) -> None:
    games = 30
    run = Run(GAME, (rival, player), 18, find)
    scores = np.empty(games, dtype=np.int32)
    seat_player(run, 1, 0).going_on(run.board())(0, draw(run, 0, games), scores)
    chances = drawn_fractions(key_of(18, "mixed moves 1"), 0, GAME.size, games).T
    lattice = lattice_of(GAME)
    for theirs, numbers, found in zip(rival_boards(run, rival, games), chances, scores.tolist(), strict=True):
        mine = other = Board(GAME)
        for (roll, their_slot), number in zip(theirs.placements, numbers, strict=True):
            slot = chosen(player, Position(mine, other), roll, number)
            if slot is None:
                break
            mine, other = mine.place(roll, slot), other.place(roll, their_slot)
        else:
            assert lattice.score(GAME.all_free, found) == mine.score


def test_rivals() -> None:
    names = ("hunter", "greedy", "optimal", "equilibrium")
    assert rivals_of(names) == [2, -1, -1, 2]
    assert rivals_of((names[0], names[1], names[3])) == [1, -1, 1]
    assert rivals_of((names[0], names[3])) == [1, 0]
    assert rivals_of(names[1:3]) == [-1, -1]


@pytest.mark.parametrize("names", [("hunter",), ("hunter", "equilibrium", "hunter")])
def test_nobody_to_play_with(names: tuple[str, ...]) -> None:
    with pytest.raises(Ten18Error, match=r"^strategies: hunter and equilibrium play"):
        verify_players(Run(GAME, names, 18))


def test_seated() -> None:
    """Each has a row, the same as alone; made once."""
    run = Run(GAME, ("greedy", "hunter", "random"), 18)
    seated = players_of(run)
    assert seated is players_of(run)
    assert seated.nbytes > hunter(GAME).nbytes
    rolls = draw(run, 0, 50)
    scores, alone = np.empty((3, 50), dtype=np.int32), np.empty(50, dtype=np.int32)
    seated(0, rolls, scores)
    seat_player(run, 1, 0).going_on(run.board())(0, rolls, alone)
    assert scores[1].tolist() == alone.tolist()


@pytest.mark.parametrize("name", ["optimal", "nearest", "bands", "greedy", "target:20", "cvar:0.5"])
def test_slots_of_a_seat(name: str) -> None:
    seat, strategy, lattice = seat_of(name, GAME), named(name), lattice_of(GAME)
    board = Board(GAME).place(3, 2)
    units = lattice.shifts[1][2] if seat.looks else 0
    for x, roll in enumerate(GAME.dice.support):
        assert seat.slots[seat.bases[mask_of((1, 3, 4))] + units, x] + 1 == strategy.choose(board, roll)


def test_who_has_a_seat() -> None:
    names = ("optimal", "random", "target:20", "hunter", "equilibrium", "hindsight")
    assert [has_seat(name) for name in names] == [True] * 5 + [False]
    assert not has_seat(MINE, find)
