"""The answers on played games: plain numbers in a fixed order; what is too large is told, and the rest is there."""

from dataclasses import asdict
from typing import get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.answers.review import (
    ManyReviewsAnswer,
    OneReviewAnswer,
    ReviewAnswer,
    ReviewedMoveAnswer,
    SummaryAnswer,
    many_reviews,
    one_review,
    review_json,
    summary_json,
)
from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.coach.summary import measured_kinds
from tentimes18.game import Game
from tentimes18.records.formats import BadLine, Line
from tentimes18.records.notation import Record, parse_record
from tests.support.answers import assert_answer
from tests.support.played import played
from tests.support.records import records

SMALL = "1d6 1-3: 4@1 6@3 5@2"


@settings(max_examples=40)
@given(records(tags=st.just({"name": "Ada", "other": 7})))
def test_one_game(record: Record) -> None:
    found = review(record)
    answer = review_json(found)
    assert_answer(answer, ReviewAnswer)
    assert set(answer) == set(get_type_hints(ReviewAnswer)) - {"date", "comment"}
    assert list(answer)[-1] == "name"
    assert answer["score"] == float(record.board.score)
    assert answer["value"] == float(found.start)
    assert answer["value"] + answer["luck"] - answer["loss"] == pytest.approx(float(found.end), abs=1e-6)
    for number, (told, move) in enumerate(zip(answer["moves"], found.moves, strict=True), start=1):
        assert set(told) == set(get_type_hints(ReviewedMoveAnswer)) - {"mix", "opponent_mix"}
        assert (told["round"], told["roll"], told["slot"]) == (number, move.roll, move.slot)
        assert (told["loss"], told["best"]) == (float(move.loss), list(move.best_slots))


def test_a_duel_tells_how_both_mix_their_moves() -> None:
    record = parse_record("1d6 1-3: 1@1 3@3 5@2; opponent=1@2 3@3 5@1")
    answer = review_json(review(record, aim_named(record.board.game, "duel")))
    assert_answer(answer, ReviewAnswer)
    assert dict(answer["moves"][1]["mix"]) == pytest.approx({2: 0.4, 3: 0.6})
    assert dict(answer["moves"][1]["opponent_mix"]) == pytest.approx({1: 0.4, 3: 0.6})
    assert answer["moves"][2]["mix"] == [(2, 1.0)]


def test_integers_stay_integers() -> None:
    answer = review_json(review(parse_record("1d6 1,2: 5@2 4@1")))
    numbers = (answer["score"], answer["loss"], answer["gift"], answer["best_score"])
    assert all(type(number) is int for number in numbers)
    assert isinstance(answer["value"], float)


def test_a_game_in_play_has_no_place_yet() -> None:
    answer = review_json(review(parse_record("1d6 1-3: 4@1")))
    assert (answer["finished"], answer["percentile"], answer["optimal_score"], answer["best_score"]) == (
        False,
        None,
        None,
        None,
    )
    assert review_json(review(parse_record("1d6 1-3:")))["skill"] is None


def test_bad_lines_come_last() -> None:
    answer = one_review(review(parse_record(SMALL)), [BadLine(3, "no game")])
    assert_answer(answer, OneReviewAnswer)
    assert list(answer)[-1] == "bad_lines"
    assert answer["bad_lines"] == [{"line": 3, "reason": "no game"}]


@pytest.mark.parametrize("aim", ["mean", "target:25"])
def test_many_games(aim: str) -> None:
    game = Game.parse("1d6", "1-3")
    lines = [Line(number, record) for number, record in enumerate(played(game, 30, seed=18), start=1)]
    (games,), _ = measured_kinds(lines, aim)
    summary, answer = games.summary, summary_json(games)
    assert_answer(answer, SummaryAnswer)
    assert (answer["games"], answer["mean_loss"], answer["skill"]) == (30, summary.mean_loss, summary.skill)
    assert answer["classes"] == summary.classes
    assert answer["rounds"] == [asdict(part) for part in summary.rounds]
    assert answer["costliest"] == [asdict(part) for part in summary.costliest]
    assert answer["progress"] == [asdict(part) for part in summary.progress]
    assert list(answer["costliest"][0]) == list(asdict(summary.costliest[0]))
    whole = many_reviews([games, games], [])
    assert_answer(whole, ManyReviewsAnswer)
    assert (answer["played_for"], answer["measured_by"], answer["practice"]) == (aim, aim, False)
    assert games.level is not None
    assert answer["level"] == games.level.name
    assert (whole["games"], whole["aim"], whole["summaries"]) == (60, aim, [answer, answer])


def test_a_duel_and_practice() -> None:
    answer = review_json(review(parse_record(f"{SMALL}; opponent=4@2 6@3 5@1; takebacks=2; aim=duel")))
    assert (answer["opponent"], answer["opponent_score"]) == ("4@2 6@3 5@1", 31)
    assert (answer["takebacks"], answer["played_for"], answer["aim"], answer["level"]) == (2, "duel", "mean", None)
    alone = review_json(review(parse_record(SMALL)))
    assert (alone["opponent"], alone["opponent_score"], alone["takebacks"], alone["played_for"]) == (
        None,
        None,
        0,
        "mean",
    )
    assert (alone["choices"], alone["level"]) == (2, "beginner")
