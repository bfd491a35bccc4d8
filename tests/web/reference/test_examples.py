"""Examples of the reference are true."""

from tentimes18.play.fairness import commitment
from tentimes18.server.models.games import GameModel
from tentimes18.server.reference.examples import ROLLS, game_example


def test_the_game_is_one_and_its_commitments_hold() -> None:
    game = GameModel.model_validate(game_example(), strict=True)
    for opened in game.opened:
        assert commitment(opened.nonce, opened.round, opened.roll) == game.commitments[opened.round - 1]
    assert [opened.roll for opened in game.opened] == list(ROLLS[:3])
    assert game.roll == ROLLS[2]
    assert game.score == sum(game.slots[int(slot) - 1] * roll for slot, roll in game.board.items())
