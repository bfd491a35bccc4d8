"""What checked games come to, for programs."""

import json

from tentimes18.answers.fairness import CheckedGameAnswer, VerificationAnswer, checked_game, verification
from tentimes18.play.verification import check_game
from tentimes18.records.formats import BadLine
from tests.support.answers import assert_answer
from tools.fair_games import contents


def test_a_verified_game_and_another() -> None:
    fair, altered = (check_game(json.loads(contents()[name])) for name in ("fair.json", "altered.json"))
    answer = verification([(1, fair), (3, altered)], [BadLine(2, "JSON: too deep for a game")])
    assert_answer(answer, VerificationAnswer)
    assert (answer["games"], answer["verified"]) == (2, 1)
    assert answer["bad_lines"] == [{"line": 2, "reason": "JSON: too deep for a game"}]
    first, second = answer["results"]
    assert [result["line"] for result in (first, second)] == [1, 3]
    assert (first["verified"], first["score"], first["problems"]) == (True, 698, [])
    assert all(part["verified"] and part["problem"] is None for part in first["rounds"])
    assert [part["round"] for part in second["rounds"] if not part["verified"]] == [3]


def test_a_game_with_fractions_that_is_not_opened() -> None:
    answer = checked_game(check_game({"dice": "1d6", "slots": "1/3,2", "moves": "5@1", "commitments": ["", "0" * 64]}))
    assert_answer(answer, CheckedGameAnswer)
    assert (answer["score"], answer["slots"], answer["finished"]) == (5 / 3, "1/3,2", False)
    assert [part["commitment"] for part in answer["rounds"]] == [None, "0" * 64]
