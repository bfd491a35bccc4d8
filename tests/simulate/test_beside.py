"""Players of a duel beside others: move by move from their tables, whatever their rival is; and who that is."""

import numpy as np
import pytest

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.simulate.beside import beside_player, rivals_of, seated_players, verify_players
from tentimes18.simulate.drawing import draw, drawn_fractions, drawn_rolls, key_of
from tentimes18.simulate.players import played_boards
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.solved import equilibrium, hunter
from tentimes18.strategies.strategy import play_on
from tentimes18.strategies.user_code import find
from tests.support.simulated import MINE

GAME = Game.parse("1d4", "1-4")


def rival_boards(run: Run, name: str, games: int) -> list[Board]:
    if name == "random":
        return list(played_boards(Run(run.game, ("random",), run.seed), 0, games))
    return [play_on(Board(run.game), run.find(name), rolls) for rolls in drawn_rolls(run, 0, games)]


@pytest.mark.parametrize("player", ["hunter", "equilibrium"])
@pytest.mark.parametrize("rival", ["optimal", "target:25", "random", "hindsight", MINE])
def test_move_by_move(player: str, rival: str) -> None:
    games = 60
    run = Run(GAME, (rival, player), 18, find)
    scores = np.empty(games, dtype=np.int32)
    beside_player(run, 1, 0).going_on(run.board())(0, draw(run, 0, games), scores)
    chances = drawn_fractions(key_of(18, "mixed moves 1"), 0, GAME.size, games).T
    lattice, response, table = lattice_of(GAME), hunter(GAME), equilibrium(GAME)
    for theirs, numbers, found in zip(rival_boards(run, rival, games), chances, scores.tolist(), strict=True):
        mine = other = Board(GAME)
        for (roll, their_slot), number in zip(theirs.placements, numbers, strict=True):
            lead = mine.score - other.score
            if player == "hunter":
                slot = response.choose(mine.free, other.free, lead, roll)
            else:
                moves = table.moves(mine.free, other.free, lead, roll)
                sums = np.cumsum(list(moves.values()))
                if np.abs(sums - number).min() < 1e-9:  # too close to tell the slots on both sides apart
                    break
                slot = list(moves)[min(int(np.searchsorted(sums, number, side="right")), len(moves) - 1)]
            mine, other = mine.place(roll, slot), other.place(roll, their_slot)
        else:
            assert lattice.score(GAME.all_free, found) == mine.score


def test_rivals() -> None:
    names = ("hunter", "greedy", "optimal", "equilibrium")
    assert rivals_of(names, range(4)) == {0: 2, 1: -1, 2: -1, 3: 2}
    assert rivals_of(names, (0, 1, 3)) == {0: 1, 1: -1, 3: 1}
    assert rivals_of(names, (0, 3)) == {0: 3, 3: 0}
    assert rivals_of(names, (1, 2)) == {1: -1, 2: -1}


@pytest.mark.parametrize("names", [("hunter",), ("hunter", "equilibrium", "hunter")])
def test_nobody_to_play_with(names: tuple[str, ...]) -> None:
    with pytest.raises(Ten18Error, match=r"^strategies: hunter and equilibrium play"):
        verify_players(Run(GAME, names, 18))


def test_seated() -> None:
    """Each has a row, the same as alone; made once."""
    run = Run(GAME, ("greedy", "hunter", "random"), 18)
    seated = seated_players(run)
    assert seated is seated_players(run)
    assert seated.nbytes > hunter(GAME).nbytes
    rolls = draw(run, 0, 50)
    scores, alone = np.empty((3, 50), dtype=np.int32), np.empty(50, dtype=np.int32)
    seated(0, rolls, scores)
    beside_player(run, 1, 0).going_on(run.board())(0, rolls, alone)
    assert scores[1].tolist() == alone.tolist()
