"""The answer of a played game: its record can be read back, and its review is that of the game."""

import json
from pathlib import Path

from tentimes18.answers.play import PlayAnswer, play
from tentimes18.answers.review import review_json
from tentimes18.game import Game
from tentimes18.play.game import GameInPlay
from tentimes18.play.settings import Settings
from tentimes18.records.history import History
from tentimes18.records.notation import parse_json
from tests.support.answers import assert_answer


def test_a_game_at_every_stage(tmp_path: Path) -> None:
    game = GameInPlay(Settings(Game.parse("1d6", "1-3"), seed=18, against="nearest", name="Ada"), History(tmp_path))
    game.begin()
    for slot in (3, 1, 2):
        game.place(slot)
        answer = play(game)
        assert_answer(answer, PlayAnswer)
        assert parse_json(json.dumps(answer["record"])) == game.record
        assert answer["review"] == review_json(game.review())
        assert answer["review"] is not None
        assert len(answer["review"]["moves"]) == game.record.board.rounds
    game.finish()


def test_none_was_begun() -> None:
    assert_answer(play(None), PlayAnswer)
