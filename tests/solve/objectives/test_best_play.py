"""Best play: its law against the chance it promises and against all sequences of rolls, and its table of slots."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.game import Board, Game
from tentimes18.solve.objectives.chances import chance_table
from tests.support.games import games
from tests.support.solved import TOLERANCE, boards, check_law, classic_chances, classic_optimal, few, targets_of


@pytest.mark.parametrize("target", [500, 700])
def test_laws_of_the_classic_game(target: int) -> None:
    """The chance is found again in the law, exactly; the float law is within 1e-12 of it."""
    play = classic_chances().best_play(target)
    law = play.law()
    assert law.at_least(target) == play.value == classic_chances().chance(target)
    assert sum(law.weights) == law.total == 216**10
    rounded = play.law(exact=False)
    assert rounded.scores == law.scores
    assert rounded.weights == pytest.approx(
        [float(law.probability(score)) for score in law.scores], rel=TOLERANCE, abs=0
    )
    assert law.mean < classic_optimal().mean


@given(boards(max_slots=3, max_rolls=3), st.data())
def test_law_of_a_target(board: Board, data: st.DataObject) -> None:
    target = data.draw(st.sampled_from(targets_of(board.game)))
    table = chance_table(board.game)
    law = check_law(table.best_play(target), board)
    assert law.at_least(target) == table.chance(target, board.free, board.score)


@given(games(max_slots=3, max_rolls=3), st.data())
@few
def test_table_of_slots(game: Game, data: st.DataObject) -> None:
    """The table that simulations read has the slots that `choose` gives."""
    play = chance_table(game).best_play(data.draw(st.sampled_from(targets_of(game))))
    offsets, table = play.slot_table()
    lattice = play.table.lattice
    for free in range(1, game.all_free + 1):
        done = game.all_free ^ free
        for index in range(lattice.width(done) + 1):
            score = lattice.score(done, index)
            chosen = [play.choose(free, score, roll) - 1 for roll in game.dice.support]
            assert table[offsets[free] + index].tolist() == chosen
