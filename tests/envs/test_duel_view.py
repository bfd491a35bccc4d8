"""Observations of a duel: what they show, and that nothing is lost."""

import numpy as np
import pytest

from tentimes18.duel.equilibrium import DrawOdds, solve_equilibrium
from tentimes18.envs.duel_view import DuelEquilibrium, DuelView
from tentimes18.errors import InvalidGame, Ten18Error, TooLarge
from tentimes18.game import Board, Game, Position

GAME = Game.parse("d{1,2,5}", "-1,1/2,3")


def positions(game: Game) -> list[Position]:
    """All positions before a roll, in the order of play that comes first."""
    found = [Position(Board(game), Board(game))]
    for position in found:  # which grows meanwhile
        if position.board.rounds < game.size - 1:
            for roll in game.dice.support:
                slots = [(i, j) for i in position.board.free_slots for j in position.theirs.free_slots]
                found += [position.after(roll, i, j) for i, j in slots]
    return found


def same(board: Board, other: Board) -> bool:
    return sorted(board.placements) == sorted(other.placements)


def test_an_observation_is_read_back() -> None:
    view = DuelView(GAME, draw=0.75)
    for position in positions(GAME):
        for roll in GAME.dice.support:
            for player, worth in ((0, 0.75), (1, 0.25)):
                seen = view.observe(position, roll, player)
                assert view.space.contains(seen)
                read = view.read(seen)
                assert same(read.position.board, position.board)
                assert same(read.position.theirs, position.theirs)
                assert (read.roll, read.draw_worth) == (roll, worth)


def test_an_observation() -> None:
    board = Board(Game.parse("1d6", "1-3"))
    seen = DuelView(board.game).observe(Position(board.place(6, 3), board.place(6, 1)), roll=2)
    expected = [1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1 / 5, 12 / 24, 0]
    assert seen["observation"].tolist() == np.array(expected, dtype=np.float32).tolist()
    assert seen["action_mask"].tolist() == [1, 1, 0]
    assert seen["action_mask"].dtype == np.int8


@pytest.mark.parametrize(
    "observation",
    [{}, {"observation": [0.0]}, {"observation": "x"}, {"observation": np.full(15, 0.3)}, {"observation": None}],
)
def test_bad_observations(observation: dict[str, object]) -> None:
    with pytest.raises(Ten18Error) as error:
        DuelView(GAME).read(observation)
    assert error.value.field == "observation"


def test_boards_of_two_deals_are_rejected() -> None:
    view, board = DuelView(GAME), Board(GAME)
    seen = view.observe(Position(board.place(1, 1), board.place(1, 1)), 2)
    seen["observation"][9] = 1.0  # the other one holds a 5
    with pytest.raises(Ten18Error):
        view.read(seen)


def test_rolls_that_are_equal_in_float32() -> None:
    with pytest.raises(InvalidGame) as error:
        DuelView(Game.parse("d{0,1000000000,1000000001}", "1-2"))
    assert error.value.field == "dice"


SMALL = Game.parse("1d4", "1-3")
EMPTY = Board(SMALL)


@pytest.mark.parametrize("draw", [0.5, 0.75])
@pytest.mark.parametrize("player", [0, 1])
def test_values_over_the_rolls_are_those_of_the_table(draw: float, player: int) -> None:
    view = DuelView(SMALL, draw)
    equilibrium = DuelEquilibrium(view)
    odds = DrawOdds(SMALL, draw)
    table = solve_equilibrium(SMALL) if draw == 0.5 else odds.turned if player else odds
    seen_mixed = False
    for i in (1, 2, 3):
        for j in (1, 2, 3):
            position = Position(EMPTY.place(2, i), EMPTY.place(2, j))
            observations = [view.observe(position, roll, player) for roll in SMALL.dice.support]
            mean = np.mean([equilibrium.value(observation) for observation in observations])
            assert (mean + 1) / 2 == pytest.approx(table.value_on(position), rel=0, abs=1e-12)
            for roll, observation in zip(SMALL.dice.support, observations, strict=True):
                policy = equilibrium.policy(observation)
                assert {a + 1: p for a, p in enumerate(policy.tolist()) if p} == table.moves_on(position, roll)
                seen_mixed |= policy.max() < 1
    assert seen_mixed or draw == 0.5


def test_the_end_has_a_value_and_no_move() -> None:
    view = DuelView(SMALL, 0.75)
    full = Board.replay(SMALL, [(1, 1), (2, 2), (4, 3)])
    ahead, drawn = Position(full, Board.replay(SMALL, [(1, 3), (2, 2), (4, 1)])), Position(full, full)
    equilibrium = DuelEquilibrium(view)
    assert equilibrium.value(view.observe(ahead, None)) == 1
    assert equilibrium.value(view.observe(drawn, None)) == 0.5
    assert equilibrium.value(view.observe(drawn, None, player=1)) == -0.5
    with pytest.raises(Ten18Error):
        equilibrium.policy(view.observe(drawn, None))


def test_an_observation_of_another_duel_is_rejected() -> None:
    seen = DuelView(SMALL, 0.75).observe(Position(EMPTY, EMPTY), 1)
    with pytest.raises(Ten18Error):
        DuelEquilibrium(DuelView(SMALL)).value(seen)


@pytest.mark.parametrize("draw", [0.5, 0.75])
def test_a_game_that_does_not_fit_is_rejected(draw: float) -> None:
    with pytest.raises(TooLarge):
        DuelEquilibrium(DuelView(Game.parse("3d6", "1-20"), draw))
